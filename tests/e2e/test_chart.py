"""The chart's life on a real cluster: installed, asked, used, upgraded and uninstalled."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from demo.clusters import Cluster
from demo.install import DEPLOYMENT, SYSTEM
from e2e.release import Release
from e2e.site import POLICY, Site
from localcluster.kubectl import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("e2e"), pytest.mark.timeout(300, func_only=True)]

SAMPLES = Path(__file__).resolve().parents[2] / "config/samples"


@pytest.fixture
def samples(cluster: Cluster) -> Iterator[Path]:
    """The samples, which the test applies, and which are gone after it."""
    yield SAMPLES
    cluster.kubectl("delete", "--ignore-not-found", f"--filename={SAMPLES}")


def some_objects(count: int) -> list[dict[str, Any]]:
    """Objects of which the later ones change nothing about when the earlier ones start."""
    estimate = {"duration": "1m", "throughput": "1M"}
    return [
        {"name": f"fs:/{index}", "source": {"value": f"/{index}"}, "estimate": estimate}
        for index in range(count)
    ]


def cron_jobs(site: Site) -> dict[str, tuple[str, str]]:
    """The identity and version of the site's CronJobs."""
    found = site.cluster.items("cronjobs", f"--namespace={site.namespace}")
    return {
        each["metadata"]["name"]: (each["metadata"]["uid"], each["metadata"]["resourceVersion"])
        for each in found
    }


def await_one_more(site: Site, before: dict[str, tuple[str, str]]) -> None:
    """An operator adds what a new object takes, and what was there before is still the same."""
    wanted = len(before) + 1
    site.apply("BackupSet", "all", {"objects": some_objects(wanted)})
    wait_until(lambda: len(cron_jobs(site)) == wanted, 60, "the new object's CronJob")
    after = cron_jobs(site)
    assert {name: after[name] for name in before} == before


def test_two_replicas_are_ready_and_one_of_them_writes(cluster: Cluster) -> None:
    deployment = cluster.get(DEPLOYMENT, f"--namespace={SYSTEM}")
    assert deployment["status"]["readyReplicas"] == 2
    pods = cluster.items(
        "pods", f"--namespace={SYSTEM}", "--selector=app.kubernetes.io/name=flexlbf-operator"
    )
    lease = cluster.get("lease", "flexlbf-operator", f"--namespace={SYSTEM}")
    holder = lease["spec"]["holderIdentity"]
    assert sum(holder.startswith(each["metadata"]["name"]) for each in pods) == 1


def test_the_samples_are_all_planned_as_the_notes_say(cluster: Cluster, samples: Path) -> None:
    cluster.kubectl("apply", "--server-side", f"--filename={samples}")
    cluster.kubectl("wait", "--for=condition=Ready", "bpol", "--all", "--timeout=120s")


def test_helm_test_asks_the_operator_and_leaves_nothing(cluster: Cluster, release: Release) -> None:
    said = release.test()
    assert "Succeeded" in said
    assert "The operator answered BackupSetNotFound" in said
    assert cluster.items("bpol", f"--namespace={SYSTEM}") == []
    left = cluster.items("serviceaccounts,roles,rolebindings", f"--namespace={SYSTEM}")
    assert not [each for each in left if each["metadata"]["name"].endswith("-test")]


def test_an_upgrade_of_the_operator_rewrites_no_cron_job(
    cluster: Cluster, release: Release, make_site: Callable[..., Site]
) -> None:
    site = make_site()
    site.offer()
    site.plan(some_objects(5))
    before = cron_jobs(site)
    pods = ("pods", f"--namespace={SYSTEM}", "--selector=app.kubernetes.io/name=flexlbf-operator")
    names = {each["metadata"]["name"] for each in cluster.items(*pods)}

    release.upgrade('podAnnotations:={"example.com/upgraded":"yes"}')

    wait_until(
        lambda: not names & {each["metadata"]["name"] for each in cluster.items(*pods)}, 60, "new pods"
    )
    # The new operator works, and has left alone what was as it should be.
    await_one_more(site, before)


def test_uninstalled_it_leaves_policies_and_their_cron_jobs_and_comes_back(
    cluster: Cluster, release: Release, make_site: Callable[..., Site]
) -> None:
    site = make_site()
    site.offer()
    site.plan(some_objects(3))
    before, policy = cron_jobs(site), site.policy()["metadata"]["uid"]

    release.uninstall()  # and its namespace does not hang

    kinds = cluster.kubectl("api-resources", "--api-group=flexlbf.io", "--output=name").split()
    assert "backuppolicies.flexlbf.io" in kinds
    assert (cron_jobs(site), site.policy()["metadata"]["uid"]) == (before, policy)
    # Nothing of ours is in the way of a deletion while there is no operator.
    gone = Site(cluster, site.node, f"{site.namespace}-gone")
    cluster.kubectl("create", "namespace", gone.namespace)
    gone.apply("BackupSet", "all", {"objects": [{"name": "a"}]})
    gone.apply("BackupPolicy", POLICY, site.policy()["spec"])
    cluster.kubectl("delete", "namespace", gone.namespace, "--timeout=60s")

    release.install()

    await_one_more(site, before)
