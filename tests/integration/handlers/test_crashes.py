"""The operator ends in the same state, whenever it was killed and whatever it missed."""

import random
import time
from collections import Counter

import pytest

from integration.handlers.audit import AuditTrail
from integration.handlers.cluster import Cluster, eventually
from integration.handlers.operatorprocess import OperatorProcess, children_of
from support.resources import Raw

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]

OBJECTS = 150


def creations(audit: AuditTrail) -> Counter[str]:
    """How often each CronJob was made since the mark; an apply that makes one is answered with 201."""
    return Counter(each.name for each in audit.writes() if each.resource == "cronjobs" and each.status == 201)


def deletions(audit: AuditTrail) -> list[str]:
    """The CronJobs that the operator deleted since the mark."""
    return [each.name for each in audit.writes() if each.resource == "cronjobs" and each.verb == "delete"]


def end_state(cluster: Cluster) -> dict[str, Raw]:
    """All that matters of the policy's CronJobs, by object."""
    return {
        name: {
            "name": each["metadata"]["name"],
            "labels": each["metadata"]["labels"],
            "annotations": each["metadata"]["annotations"],
            "owners": len(each["metadata"]["ownerReferences"]),
            "spec": each["spec"],
        }
        for name, each in cluster.cron_jobs().items()
    }


def await_cron_jobs(cluster: Cluster, count: int) -> None:
    """Wait until there are at least so many."""

    def check() -> None:
        assert len(cluster.list("CronJob")) >= count

    eventually(check)


@pytest.fixture
def undisturbed(cluster: Cluster, audit: AuditTrail) -> dict[str, Raw]:
    """The end state of the same policy when nobody is killed; gone again before the test begins."""
    cluster.apply(cluster.with_a_plain_setup(objects=OBJECTS))
    cluster.ready()
    state = end_state(cluster)
    assert len(state) == OBJECTS
    cluster.delete("BackupPolicy", "weekly")

    def check() -> None:
        assert cluster.list("CronJob") == []

    eventually(check)
    audit.settle(1)
    audit.forget()
    return state


@pytest.mark.parametrize("written", [0, 1, 20, 75, 140, OBJECTS])
def test_killed_while_it_writes_it_goes_on_where_it_was(
    cluster: Cluster,
    audit: AuditTrail,
    operator: OperatorProcess,
    undisturbed: dict[str, Raw],
    written: int,
):
    """No CronJob is made twice, none is deleted, and those of before the kill are those of after it."""
    cluster.apply(cluster.a_policy())
    await_cron_jobs(cluster, written)
    operator.kill()
    before = cluster.uids()
    operator.start()
    cluster.ready()
    assert end_state(cluster) == undisturbed
    after = cluster.uids()
    assert {name: after[name] for name in before} == before
    assert deletions(audit) == []
    assert set(creations(audit).values()) == {1}


def test_killed_again_and_again_at_any_moment_it_still_gets_there(
    cluster: Cluster, audit: AuditTrail, operator: OperatorProcess, undisturbed: dict[str, Raw]
):
    """Also before it has read the cluster, or between the last CronJob and the status."""
    chance = random.Random(20)
    cluster.apply(cluster.a_policy())
    operator.kill()
    for _ in range(12):
        operator.begin()
        # At random from the start on: an interpreter that has not begun, up to a plan that is written.
        time.sleep(chance.uniform(0, 4))
        operator.kill()
    operator.start()
    cluster.ready()
    assert end_state(cluster) == undisturbed
    assert deletions(audit) == []
    assert set(creations(audit).values()) == {1}


def test_killed_while_it_moves_cron_jobs_it_goes_on(
    cluster: Cluster, audit: AuditTrail, operator: OperatorProcess
):
    """A re-plan is as safe as the first plan, with objects that come and go."""
    policy = cluster.with_a_plain_setup(objects=OBJECTS)
    cluster.apply(policy)
    cluster.ready()
    before = cluster.uids()
    audit.settle(1)
    audit.forget()
    for minute in (10, 20, 30, 40):
        cluster.apply(policy.at(f"{minute} 20 * * 6"))

        def moving(since: int = len(audit.writes())) -> None:
            assert len(audit.writes()) > since + 20

        eventually(moving)
        operator.kill()
        operator.start()
    fewer = cluster.a_set().with_objects(OBJECTS - 20).with_object("fs:/new")
    cluster.apply(fewer)
    wanted = {each["name"] for each in fewer.spec["objects"]}

    def check() -> None:
        assert set(cluster.uids()) == wanted

    operator.kill()
    operator.start()
    eventually(check)
    cluster.ready()
    after = cluster.uids()
    kept = wanted - {"fs:/new"}
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert len(deletions(audit)) == len(set(deletions(audit))) == 20
    assert list(creations(audit).values()) == [1]
    assert all(" 2" in each["spec"]["schedule"] for each in cluster.cron_jobs().values())


def test_what_changes_while_it_is_down_is_done_when_it_is_back(cluster: Cluster, operator: OperatorProcess):
    """It looks at what is there, not at what it saw happen."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy)
    cluster.apply(cluster.a_policy("doomed"))
    cluster.ready()
    cluster.ready("doomed")
    operator.kill()
    cluster.apply(cluster.a_set().with_object("fs:/new", "1h"))
    cluster.apply(cluster.a_pool().with_drives("other", 1))
    cluster.apply(cluster.a_class().with_container(image="example.test/agent:2"))
    cluster.apply(policy.at("30 1 * * *"))
    cluster.delete("BackupPolicy", "doomed")
    cluster.apply(cluster.a_policy("young"))
    operator.start()
    cluster.ready("young")
    cluster.ready()
    found = cluster.await_objects("fs:/new")["fs:/new"]
    assert found["spec"]["schedule"] == "30 1 * * *"
    assert found["metadata"]["labels"]["flexlbf.io/drive"] == "other-0"
    container = found["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]
    assert container["image"] == "example.test/agent:2"

    def check() -> None:
        pool = cluster.get("TapePool", cluster.namespace) or {}
        assert [each["name"] for each in pool["status"]["policies"]] == ["weekly", "young"]

    eventually(check)


def test_a_storm_of_changes_ends_in_the_last_one(cluster: Cluster, audit: AuditTrail):
    """Fifty versions of a set in a moment, and of the policy in between."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy)
    cluster.ready()
    for index in range(50):
        cluster.apply(cluster.a_set().with_object("fs:/a", f"{index + 10}m"))
        if index % 7 == 0:
            cluster.apply(policy.at(f"{index} 21 * * *"))
    cluster.apply(policy.at("5 6 * * 3"))

    def check() -> None:
        status = cluster.policy()["status"]
        assert status["workload"]["longestDuration"] == "59m"
        assert {name: each["spec"]["schedule"] for name, each in cluster.cron_jobs().items()} == {
            "fs:/a": "5 6 * * 3"
        }

    eventually(check)
    cluster.ready()
    audit.settle()
    check()


def test_a_spec_that_flaps_ends_in_the_last_one(cluster: Cluster, audit: AuditTrail):
    """Suspended and resumed, applied and taken back, broken and mended."""
    policy = cluster.with_a_plain_setup()
    variants = [
        policy,
        policy.setting(suspend=True),
        policy.setting(mode="Recommend"),
        policy.setting(execution="Adaptive"),
    ]
    for index in range(40):
        cluster.apply(variants[index % len(variants)])
    cluster.apply(policy)
    cluster.ready()
    audit.settle()
    cluster.ready()
    assert len(cluster.cron_jobs()) == 3
    assert {each["spec"]["suspend"] for each in cluster.cron_jobs().values()} == {False}


def test_what_it_started_ends_with_it(operator: OperatorProcess):
    """The processes that plan do not outlive an operator that was killed."""

    def children() -> list[int]:
        found = children_of(operator.pid)
        assert found
        return found

    begun = eventually(children)
    operator.kill()

    def check() -> None:
        assert [pid for pid in begun if is_alive(pid)] == []

    eventually(check)


def is_alive(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123 - a zombie is told by its state
            return stat.read().rsplit(")", 1)[1].split()[0] not in {"Z", "X"}
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_it_ends_in_peace_when_it_is_asked_to(operator: OperatorProcess):
    """Kubernetes sends SIGTERM, and takes any other status for a crash."""
    assert operator.stop() == 0
