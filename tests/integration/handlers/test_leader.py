"""Of two operators one writes, and the other takes over; both run with no more than the shipped roles."""

import os
import signal
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest

from integration.conftest import CRDS
from integration.handlers.audit import AuditTrail, Write
from integration.handlers.cluster import Cluster, eventually
from integration.handlers.lease import Lease
from integration.handlers.operatorprocess import OperatorProcess
from localcluster.bare import BareControlPlane
from support.scrape import Scrape

pytestmark = pytest.mark.integration

SYSTEM = "flexlbf-system"
ACCOUNT = f"system:serviceaccount:{SYSTEM}:flexlbf-operator"
ROLES = CRDS.parent / "config" / "rbac"
TAKEOVER_SECONDS = 30.0
HANDOVER_SECONDS = 10.0


@pytest.fixture(scope="module")
def shared_plane() -> Iterator[BareControlPlane]:
    """A control plane with the roles in it."""
    groups = ["system:serviceaccounts", "system:authenticated"]
    with BareControlPlane(users={ACCOUNT: groups}) as plane:
        plane.kubectl("apply", "--server-side", "-f", str(CRDS))
        plane.kubectl("wait", "--for=condition=Established", "--timeout=60s", "-f", str(CRDS))
        # The namespace is in one of the files, and not in the first.
        plane.kubectl("create", "namespace", SYSTEM)
        plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", str(ROLES))
        yield plane


@pytest.fixture
def shared(shared_plane: BareControlPlane) -> Iterator[Cluster]:
    """A namespace of it."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    shared_plane.kubectl("create", "namespace", name)
    mine = Cluster(shared_plane, name)
    yield mine
    mine.clean_up()


@dataclass(frozen=True)
class Pair:
    """Two operators, the first of which leads."""

    leader: OperatorProcess
    other: OperatorProcess
    lease: Lease

    def await_leader(self, operator: OperatorProcess, within: float = TAKEOVER_SECONDS) -> None:
        """Wait until an operator holds the Lease."""

        def check() -> None:
            assert self.lease.holder() == operator.identity

        eventually(check, within)


@pytest.fixture
def pair(shared_plane: BareControlPlane) -> Iterator[Pair]:
    """Two operators that run, as two replicas do."""
    lease = Lease(shared_plane, SYSTEM)
    lease.forget()

    def operator(name: str) -> OperatorProcess:
        account = shared_plane.kubeconfig_for(ACCOUNT)
        return OperatorProcess(
            shared_plane,
            f"{name}-{uuid.uuid4().hex}",
            alone=False,
            kubeconfig=account,
            lease_namespace=SYSTEM,
        )

    with operator("first") as leader:
        both = Pair(leader, operator("second"), lease)
        both.await_leader(leader)
        with both.other as other:
            eventually(lambda: _assert_said(other, f"Waiting: {leader.identity} leads"))
            yield both


def _assert_said(operator: OperatorProcess, what: str) -> None:
    assert what in operator.log, operator.log[-2000:]


def by(operator: OperatorProcess, writes: list[Write]) -> list[Write]:
    """What an operator wrote, and the API server took."""
    return [each for each in writes if each.agent.endswith(operator.identity) and each.status < 300]


def time_of(moment: str) -> datetime:
    return datetime.fromisoformat(moment)


def takeover_by(operator: OperatorProcess, audit: AuditTrail) -> Write:
    """The write with which an operator took the Lease for the first time."""
    return by(operator, audit.renewals())[0]


def test_one_of_them_writes(shared: Cluster, pair: Pair):
    """The other sees all the same, and waits without writing anything."""
    audit = AuditTrail(shared.plane)
    for name in ("first", "second"):
        shared.apply(shared.with_a_plain_setup())
        shared.apply(shared.a_policy(name))
        shared.ready(name)
    assert by(pair.leader, audit.writes())
    assert by(pair.other, audit.writes()) == []
    assert by(pair.other, audit.renewals()) == []


def test_only_the_one_that_leads_tells_prometheus_of_policies(shared: Cluster, pair: Pair):
    """Then the other does, with the same figures; how the operator itself is doing both tell."""
    shared.apply(shared.with_a_plain_setup())
    shared.ready()
    mine = {"namespace": shared.namespace, "policy": "weekly"}

    def told(operator: OperatorProcess) -> float:
        scrape = Scrape.at(operator.metrics)
        assert (scrape.value("flexlbf_leader"), scrape.value("flexlbf_lease_takeovers_total")) == (1, 1)
        assert scrape.value("flexlbf_policy_condition", **mine, condition="Ready") == 1
        return scrape.value("flexlbf_policy_forecast_seconds", **mine)

    forecast = eventually(lambda: told(pair.leader))
    waiting = Scrape.at(pair.other.metrics)
    assert waiting.value("flexlbf_leader") == 0
    assert waiting.value("flexlbf_lease_takeovers_total") == 0
    assert waiting.of_the_policy(shared.namespace) == set()
    assert pair.leader.stop() == 0
    assert eventually(lambda: told(pair.other)) == forecast


def test_at_rest_the_lease_is_all_that_is_written(shared: Cluster, pair: Pair):
    """And by the leader only, everywhere in the cluster."""
    shared.apply(shared.with_a_plain_setup())
    shared.ready()
    audit = AuditTrail(shared.plane)
    audit.settle(4)
    audit.assert_silence(8)
    renewals = audit.renewals()
    assert {(each.verb, each.name, each.status) for each in renewals} == {("update", "flexlbf-operator", 200)}
    assert by(pair.leader, renewals) == renewals
    assert len(renewals) <= 5


def test_when_the_leader_is_killed_the_other_carries_a_new_policy_out(shared: Cluster, pair: Pair):
    """Within half a minute, with nobody to tell it."""
    policy = shared.with_a_plain_setup()
    pair.leader.kill()
    shared.apply(policy)
    pair.await_leader(pair.other)
    shared.ready()
    assert len(shared.cron_jobs()) == 3
    assert pair.lease.spec()["leaseTransitions"] == 1


def test_a_leader_that_stops_hands_over(shared: Cluster, pair: Pair):
    """It gives the Lease back, so that nobody waits until it has run out."""
    audit = AuditTrail(shared.plane)
    assert pair.leader.stop() == 0
    given_back = by(pair.leader, audit.renewals())[-1]
    pair.await_leader(pair.other)
    waited = time_of(takeover_by(pair.other, audit).received) - time_of(given_back.answered)
    assert waited.total_seconds() < HANDOVER_SECONDS
    shared.apply(shared.with_a_plain_setup())
    shared.ready()


@pytest.mark.parametrize("written", [1, 40, 150])
def test_a_leader_that_was_frozen_writes_nothing_in_the_term_of_the_next(
    shared: Cluster, pair: Pair, written: int
):
    """Stopped in the middle of its CronJobs, it goes on where it was, and its writes are not sent.

    But for one, of the dozens under way: the one that it had just found itself permitted to hand over.
    """
    audit = AuditTrail(shared.plane)
    shared.apply(shared.with_a_plain_setup(objects=300))

    def begun() -> None:
        assert len(by(pair.leader, audit.writes())) >= written

    eventually(begun)
    pair.leader.freeze()
    pair.await_leader(pair.other)
    shared.ready()
    pair.leader.thaw()
    eventually(lambda: _assert_said(pair.leader, f"Waiting: {pair.other.identity} leads"))
    written_by_both = audit.writes()
    takeover = time_of(takeover_by(pair.other, audit).received)
    old, new = by(pair.leader, written_by_both), by(pair.other, written_by_both)
    late = [each for each in old if time_of(each.answered) > takeover]
    assert len(late) <= 1, late
    assert min(time_of(each.received) for each in new) > takeover
    created = [each.name for each in (*old, *new) if each.resource == "cronjobs" and each.status == 201]
    assert sorted(created) == sorted(each["metadata"]["name"] for each in shared.list("CronJob"))
    assert len(created) == 300
    audit.settle()
    audit.assert_silence()


def test_the_one_that_was_frozen_takes_over_in_its_turn(shared: Cluster, pair: Pair):
    """It has lost the lead, not its eyes: what changed meanwhile it knows."""
    policy = shared.with_a_plain_setup()
    shared.apply(policy)
    shared.ready()
    pair.leader.freeze()
    pair.await_leader(pair.other)
    shared.apply(shared.a_set().with_object("fs:/other"))
    shared.await_objects("fs:/other")
    pair.leader.thaw()
    pair.other.kill()
    pair.await_leader(pair.leader)
    shared.apply(shared.a_set().with_object("fs:/third"))
    shared.await_objects("fs:/third")
    shared.ready()


def test_a_short_outage_of_the_api_server_costs_nobody_the_lead(shared: Cluster, pair: Pair):
    """A restart of it is over before the Lease has run out, or another leads; in the end one does."""
    shared.plane.restart_api_server()
    shared.apply(shared.with_a_plain_setup())
    shared.ready()
    assert pair.lease.holder() in {pair.leader.identity, pair.other.identity}
    assert pair.leader.running
    assert pair.other.running


def test_after_a_long_outage_of_the_api_server_one_leads_again(shared: Cluster, pair: Pair):
    """In the middle of its writes the leader gives up, without ending, and nothing is written twice."""
    audit = AuditTrail(shared.plane)
    shared.apply(shared.with_a_plain_setup(objects=200))

    def begun() -> None:
        assert len(by(pair.leader, audit.writes())) >= 10

    eventually(begun)
    shared.plane.stop_api_server()
    try:
        eventually(lambda: _assert_said(pair.leader, "Leading no more"))
    finally:
        shared.plane.start_api_server()
    shared.ready()
    assert len(shared.cron_jobs()) == 200
    assert pair.leader.running
    assert pair.other.running
    created = [each.name for each in audit.writes() if each.resource == "cronjobs" and each.status == 201]
    assert len(created) == len(set(created))


def test_a_lease_that_is_deleted_is_the_leaders_again(shared: Cluster, pair: Pair):
    """The other waits as long as if it were there, since its holder may still write."""
    pair.lease.forget()
    pair.await_leader(pair.leader)
    shared.apply(shared.with_a_plain_setup())
    shared.ready()
    assert pair.lease.holder() == pair.leader.identity


def test_the_api_server_gives_a_write_up_when_its_time_is_over(shared: Cluster):
    """It is asked to with every write, so that none lands when another leads; here its store stands still."""
    path = f"{shared.path('ConfigMap', 'late')}?fieldManager=test&timeout=1s"
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "late"}}
    etcd = shared.plane.pids["etcd"]
    os.kill(etcd, signal.SIGSTOP)
    try:
        eventually(lambda: _assert_stopped(etcd))
        answer = shared.request("PATCH", path, body, "application/apply-patch+yaml")
    finally:
        os.kill(etcd, signal.SIGCONT)
    assert answer.status == 504
    assert "allotted timeout" in answer.message
    assert shared.get("ConfigMap", "late") is None


def _assert_stopped(pid: int) -> None:
    assert Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
