"""Pods are made of a class, overrides and a source that were checked together, and not of what came since."""

from collections.abc import Callable
from typing import Any

import pytest

from flexlbf.cluster.resources import BACKUP_CLASSES, BACKUP_POLICIES
from integration.dispatching.stage import Stage
from support.resources import Class

pytestmark = pytest.mark.integration

Pod = tuple[str, list[str], dict[str, str] | None]


async def begun(stage: Stage) -> None:
    """A session of two folders of the node, one after the other, by a class that allows them."""
    cluster = stage.cluster
    cluster.apply(cluster.a_pool().with_drives(count=1, max_agents=1))
    cluster.apply(open_class(stage))
    cluster.apply(strict_class(stage))
    folders = cluster.a_set()
    for name, duration in {"first": "1h", "second": "10m"}.items():
        folders = folders.with_object(name, duration, source={"hostPath": f"/srv/{name}"})
    cluster.apply(folders)
    cluster.apply(cluster.a_policy().overriding(nodeSelector={"disk": "slow"}).setting(execution="Adaptive"))
    await stage.look()
    await stage.begin()
    await stage.dispatch()
    assert pods(stage) == {"first": ("open", ["/srv/first"], {"disk": "slow"})}


def open_class(stage: Stage) -> Class:
    """Lets pods read folders of the node, and policies say where they run."""
    generous = stage.cluster.a_class().with_sources(hostPaths=["/srv"]).allowing("NodeSelector")
    return generous.with_container(image="open")


def strict_class(stage: Stage) -> Class:
    """Lets pods read no folder of the node, and is another's that may do more."""
    name = f"{stage.cluster.namespace}-strict"
    return Class("BackupClass", name, stage.cluster.a_class().spec).with_container(image="strict")


def pods(stage: Stage) -> dict[str, Pod]:
    """What the pods of objects are made of: image, folders of the node, and where they run."""
    found: dict[str, Pod] = {}
    for job in stage.cluster.list("Job"):
        if job["metadata"]["labels"]["flexlbf.io/role"] == "object":
            pod = job["spec"]["template"]["spec"]
            folders = [each["hostPath"]["path"] for each in pod.get("volumes") or () if "hostPath" in each]
            name = job["metadata"]["annotations"]["flexlbf.io/object"]
            found[name] = (pod["containers"][0]["image"], folders, pod.get("nodeSelector"))
    return found


async def goes_on(stage: Stage) -> Pod:
    """The first object ends, and the second starts."""
    await stage.end("first")
    await stage.see()
    await stage.dispatch()
    return pods(stage)["second"]


def seen(stage: Stage) -> None:
    """The operator has seen what is declared now, and has yet to plan by it."""
    policy = stage.cluster.get("BackupPolicy", "weekly")
    backup_class = stage.cluster.get("BackupClass", stage.cluster.namespace)
    assert policy is not None
    assert backup_class is not None
    stage.state.put(BACKUP_POLICIES, policy)
    stage.state.put(BACKUP_CLASSES, backup_class)


def another_class(stage: Stage) -> None:
    """The owner names a class that allows neither."""
    change(stage, backupClass=f"{stage.cluster.namespace}-strict")


def other_overrides(stage: Stage) -> None:
    """The owner sets what the class leaves to nobody."""
    change(stage, podOverrides={"nodeSelector": {"disk": "fast"}, "priorityClassName": "first-of-all"})


def another_namespace(stage: Stage) -> None:
    """The class's administrator takes it away from the namespace, and changes it."""
    closed = open_class(stage).for_namespaces({"backups": "trusted"}).with_container(image="powerful")
    stage.cluster.apply(closed)


def change(stage: Stage, **spec: Any) -> None:
    """Change the policy."""
    stage.cluster.patch("BackupPolicy", "weekly", {"spec": spec})


@pytest.mark.parametrize(
    ("refused", "reason"),
    [
        (another_class, "OverrideNotAllowed"),
        (other_overrides, "OverrideNotAllowed"),
        (another_namespace, "NamespaceNotAllowed"),
    ],
)
@pytest.mark.parametrize("planned", [True, False])
async def test_what_planning_refuses_or_has_not_seen_yet_makes_no_pod(
    stage: Stage, refused: Callable[[Stage], None], reason: str, *, planned: bool
):
    """The session goes on by what was checked when it was planned, all of one piece."""
    await begun(stage)
    refused(stage)
    if planned:
        await stage.look()
        (why,) = stage.plans.reasons.values()
        assert why.reason == reason
    else:
        seen(stage)
    assert await goes_on(stage) == ("open", ["/srv/second"], {"disk": "slow"})


async def test_a_source_that_the_new_class_refuses_is_not_mounted_by_it(stage: Stage):
    """Not even where the overrides are none that it could refuse."""
    await begun(stage)
    change(stage, backupClass=f"{stage.cluster.namespace}-strict", podOverrides=None)
    await stage.look()
    (why,) = stage.plans.reasons.values()
    assert why.reason == "SourceNotAllowed"
    assert await goes_on(stage) == ("open", ["/srv/second"], {"disk": "slow"})


async def test_what_planning_allows_makes_the_next_pod(stage: Stage):
    """Class and overrides change in the midst of a session as soon as they are checked."""
    await begun(stage)
    stage.cluster.apply(strict_class(stage).with_sources(hostPaths=["/srv"]))
    change(stage, backupClass=f"{stage.cluster.namespace}-strict", podOverrides=None)
    await stage.look()
    assert await goes_on(stage) == ("strict", ["/srv/second"], None)
