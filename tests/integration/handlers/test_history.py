"""What is recorded outlives the operator and the policy, and goes with the set."""

from datetime import UTC, datetime

import pytest

from flexlbf.history.ledger import Run, record
from flexlbf.manifests.backuphistory import backup_history
from flexlbf.manifests.names import planned_session_name
from flexlbf.scheduling.units import NANOSECONDS
from integration.handlers.cluster import Cluster, eventually
from integration.handlers.operatorprocess import OperatorProcess
from support.resources import Policy, Raw
from support.scrape import Scrape

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]

FIGURES = (
    "policy_objects",
    "policy_objects_never_backed_up",
    "policy_last_success_timestamp_seconds",
    "last_session_seconds",
    "last_session_objects",
    "last_session_bytes",
    "session_running",
)
NIGHT = datetime(2026, 1, 3, 22, tzinfo=UTC)


def recorded(cluster: Cluster, minutes: float) -> Raw:
    """A history in which the first object of the set took so long, as the operator records it."""
    backup_set = cluster.get("BackupSet", "fleet")
    assert backup_set is not None
    session = planned_session_name("weekly", NIGHT)
    run = Run("fleet", "fs:/d0", session, NIGHT, round(minutes * 60 * NANOSECONDS), 10**9, succeeded=True)
    (shard,) = record([], [run], {"fs:/d0"})
    return cluster.create(backup_history(cluster.namespace, "fleet", backup_set["metadata"]["uid"], shard))


def await_longest(cluster: Cluster, duration: str) -> None:
    """Wait until the plan's longest object takes so long."""

    def check() -> None:
        assert cluster.policy()["status"]["workload"]["longestDuration"] == duration

    eventually(check)


def figures(cluster: Cluster, operator: OperatorProcess) -> dict[str, float]:
    """What Prometheus is told of the policy."""
    scrape = Scrape.at(operator.metrics)
    mine = {"namespace": cluster.namespace, "policy": "weekly"}
    return {name: scrape.value(f"flexlbf_{name}", **mine) for name in FIGURES}


@pytest.fixture
def policy(cluster: Cluster) -> Policy:
    """A policy that was planned with what is recorded."""
    plain = cluster.with_a_plain_setup()
    cluster.apply(plain)
    cluster.ready()
    recorded(cluster, 45)
    await_longest(cluster, "45m")
    return plain


def test_what_is_recorded_outlives_the_operator(cluster: Cluster, policy: Policy, operator: OperatorProcess):
    """A restarted one plans as before, and says the same of the last session; to Prometheus as well."""
    before = cluster.policy()["status"]
    assert before["lastSession"]["duration"] == "45m"
    told = figures(cluster, operator)
    assert told == {
        "policy_objects": 3,
        "policy_objects_never_backed_up": 2,
        "policy_last_success_timestamp_seconds": NIGHT.timestamp() + 45 * 60,
        "last_session_seconds": 45 * 60,
        "last_session_objects": 1,
        "last_session_bytes": 10**9,
        "session_running": 0,
    }
    operator.kill()
    operator.start()
    cluster.apply(policy.setting(window="8h"))  # so that there is something to wait for
    after = cluster.ready()["status"]
    assert after["workload"] == before["workload"]
    assert after["lastSession"] == before["lastSession"]
    assert cluster.condition("Drifted")["status"] == "True"
    assert figures(cluster, operator) == told


def test_what_is_recorded_outlives_the_policy(cluster: Cluster, policy: Policy):
    """It is the set's: a policy made anew has it."""
    cluster.delete("BackupPolicy", "weekly")
    eventually(lambda: assert_gone(cluster, "BackupPolicy", "weekly"))
    cluster.apply(policy)
    cluster.ready()
    await_longest(cluster, "45m")


def test_what_is_recorded_goes_with_its_set(cluster: Cluster, policy: Policy):
    """And a set of the same name begins anew."""
    cluster.delete("BackupSet", "fleet")
    eventually(lambda: assert_gone(cluster, "BackupHistory", "fleet-0"))
    cluster.apply(cluster.a_set().with_objects(3))
    await_longest(cluster, "5m14s")
    assert policy.name == "weekly"


def test_what_somebody_deletes_does_not_count_any_more(cluster: Cluster, policy: Policy):
    """Whoever wants to begin anew deletes the history."""
    assert policy.name == "weekly"
    cluster.delete("BackupHistory", "fleet-0")
    await_longest(cluster, "5m14s")


def assert_gone(cluster: Cluster, kind: str, name: str) -> None:
    """It is not there any more."""
    assert cluster.get(kind, name) is None
