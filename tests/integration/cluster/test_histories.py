"""Histories on a real API server: stored in batches, read again after a restart, counted once."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from kubernetes.aio.client import Configuration
from kubernetes.aio.config import load_kube_config

from flexlbf.api.v1alpha1 import Execution
from flexlbf.cluster.client import ApiError, KubeClient
from flexlbf.cluster.histories import HistoryWriter
from flexlbf.cluster.leadership import suspend_aware_clock
from flexlbf.cluster.resources import BACKUP_SETS
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.handlers.controller import Controller
from flexlbf.history.ledger import Run
from flexlbf.manifests.names import planned_session_name
from flexlbf.scheduling.units import NANOSECONDS
from integration.handlers.cluster import Cluster
from localcluster.bare import BareControlPlane
from support.resources import Raw, a_set

pytestmark = pytest.mark.integration

NIGHT = datetime(2026, 1, 3, 22, tzinfo=UTC)
BATCH = 200
STORED_LIMIT = 500_000
"""Bytes of a stored shard with what the API server adds; its limit is three times as much."""


@pytest.fixture
def cluster(control_plane: BareControlPlane, namespace: str) -> Iterator[Cluster]:
    """A part of a control plane that no operator serves."""
    mine = Cluster(control_plane, namespace)
    yield mine
    mine.clean_up()


@pytest.fixture
async def client(control_plane: BareControlPlane) -> AsyncIterator[KubeClient]:
    """As the operator has it."""
    configuration = Configuration()
    await load_kube_config(
        str(control_plane.kubeconfig), client_configuration=configuration, persist_config=False
    )
    async with KubeClient(configuration) as connected:
        yield connected


@pytest.fixture
async def leader(client: KubeClient) -> AsyncIterator[KubeClient]:
    """The client of an operator that leads."""

    async def renew() -> None:
        while True:
            client.leadership.renewed(suspend_aware_clock())
            await asyncio.sleep(1)

    renewing = asyncio.create_task(renew())
    yield client
    renewing.cancel()


def a_run(
    obj: str, seconds: float, *, night: int = 0, backup_set: str = "fleet", succeeded: bool = True
) -> Run:
    """A run of policy `weekly`."""
    start = NIGHT + timedelta(days=night)
    session = planned_session_name("weekly", start)
    return Run(backup_set, obj, session, start, round(seconds * NANOSECONDS), 10**9, succeeded)


async def stored(client: KubeClient, cluster: Cluster, *sets: str) -> tuple[ClusterState, HistoryWriter]:
    """What an operator knows of sets and their histories when it has just started."""
    state = ClusterState()
    for name in sets:
        state.put(BACKUP_SETS, await client.get(BACKUP_SETS, name, cluster.namespace))
    writer = HistoryWriter(client, state)
    for tries_left in reversed(range(100)):
        try:
            await writer.refresh(cluster.namespace, sets)
            break
        except ApiError as error:  # a kind that was just installed is served a moment later
            if error.status != 429 or not tries_left:
                raise
            await asyncio.sleep(0.2)
    return state, writer


def shards(cluster: Cluster) -> dict[str, Raw]:
    """The histories that are there, by name."""
    return {each["metadata"]["name"]: each for each in cluster.list("BackupHistory")}


async def record_in_batches(writer: HistoryWriter, namespace: str, runs: Sequence[Run]) -> None:
    """As they end, some at a time."""
    for begin in range(0, len(runs), BATCH):
        await writer.record(namespace, runs[begin : begin + BATCH])


async def test_ten_thousand_objects_are_stored_small_and_found_after_a_restart(
    cluster: Cluster, leader: KubeClient
):
    """Recorded again they change nothing, and a new session changes what there is, not where it is."""
    names = [f"srv{number:02}" for number in range(10)]
    for name in names:
        cluster.apply(
            a_set(name).setting(objects=[{"name": f"{name}:/data/{index:04}"} for index in range(1000)])
        )
    runs = [
        a_run(f"{name}:/data/{index:04}", 60 + index, backup_set=name)
        for index in range(1000)
        for name in names
    ]
    _, writer = await stored(leader, cluster, *names)
    await record_in_batches(writer, cluster.namespace, runs)
    before = shards(cluster)
    assert sum(each["spec"]["totals"]["objects"] for each in before.values()) == 10_000
    assert max(len(json.dumps(each)) for each in before.values()) < STORED_LIMIT

    _, restarted = await stored(leader, cluster, *names)
    session = runs[0].session
    outcomes = restarted.of_session(cluster.namespace, names, session)
    assert len(outcomes) == 10_000
    assert all(each.succeeded for each in outcomes.values())
    await record_in_batches(restarted, cluster.namespace, runs)
    assert shards(cluster) == before

    again = [a_run(run.obj, 90, night=7, backup_set=run.backup_set) for run in runs[:BATCH]]
    await restarted.record(cluster.namespace, again)
    after = shards(cluster)
    assert after.keys() == before.keys()
    changed = [name for name in after if after[name] != before[name]]
    assert len(changed) == len(names)  # what ended together lies together: one of each set
    assert {each["metadata"]["ownerReferences"][0]["kind"] for each in after.values()} == {"BackupSet"}


async def test_a_history_that_somebody_else_wrote_is_read_anew_and_kept(cluster: Cluster, leader: KubeClient):
    """A writer that was replaced and is back writes nothing over what its successor stored."""
    cluster.apply(a_set().with_object("fs:/a").with_object("fs:/b"))
    _, stale = await stored(leader, cluster, "fleet")
    _, other = await stored(leader, cluster, "fleet")
    await other.record(cluster.namespace, [a_run("fs:/a", 60)])
    await stale.record(cluster.namespace, [a_run("fs:/b", 60)])  # created meanwhile
    await other.record(cluster.namespace, [a_run("fs:/a", 61, night=1)])  # changed meanwhile
    (shard,) = shards(cluster).values()
    assert {each["name"]: len(each["runs"]) for each in shard["spec"]["objects"]} == {"fs:/a": 2, "fs:/b": 1}
    cluster.delete("BackupHistory", shard["metadata"]["name"])
    await other.record(cluster.namespace, [a_run("fs:/a", 62, night=2)])  # deleted meanwhile
    (anew,) = shards(cluster).values()
    assert [each["name"] for each in anew["spec"]["objects"]] == ["fs:/a"]


async def test_what_is_not_stored_is_told(cluster: Cluster, leader: KubeClient):
    """So that no Job is deleted whose run is not recorded; of a set that is gone nothing is stored."""
    cluster.apply(a_set().with_object("fs:/a"))
    state, writer = await stored(leader, cluster, "fleet")
    broken = Run("fleet", "fs:/a", "Not A Session", NIGHT, NANOSECONDS, 1, succeeded=True)
    with pytest.raises(ApiError, match="write the name of a session"):
        await writer.record(cluster.namespace, [broken])
    await writer.record(cluster.namespace, [a_run("x", 1, backup_set="gone")])
    assert shards(cluster) == {}
    assert len(state.histories) == 0


async def test_failed_attempts_are_known_after_a_restart(cluster: Cluster, leader: KubeClient):
    """The dispatcher must not try more often than the class lets it."""
    cluster.apply(a_set().with_object("fs:/a"))
    _, writer = await stored(leader, cluster, "fleet")
    failed = a_run("fs:/a", 5, succeeded=False)
    await writer.record(cluster.namespace, [failed])
    _, restarted = await stored(leader, cluster, "fleet")
    (outcome,) = restarted.of_session(cluster.namespace, ["fleet"], failed.session).values()
    assert (outcome.succeeded, outcome.failed_attempts) == (False, 1)


@pytest.fixture
async def controller(cluster: Cluster, client: KubeClient) -> AsyncIterator[Controller]:
    """The operator without kopf, in this process, so that its sessions can be told of."""
    policy = cluster.with_a_plain_setup(objects=0)
    names = [f"fs:/d{index}" for index in range(50)]
    backup_set = cluster.a_set()
    for name in names:
        backup_set = backup_set.with_object(name, "10m", "1M")
    cluster.apply(backup_set)
    cluster.apply(policy)
    running = Controller(client, cluster.namespace)
    await running.start()
    yield running
    await running.stop()


async def eventually_planned(cluster: Cluster, longest: str) -> Raw:
    """The status, once its longest object takes so long."""
    for _ in range(600):
        status: Raw = (await asyncio.to_thread(cluster.policy)).get("status") or {}
        if (status.get("workload") or {}).get("longestDuration") == longest:
            return status
        await asyncio.sleep(0.1)
    raise AssertionError(f"the plan did not become one of {longest}: {status.get('workload')}")


async def test_a_session_changes_the_plan_once_and_only_when_it_has_ended(
    cluster: Cluster, controller: Controller, caplog: pytest.LogCaptureFixture
):
    """However many batches its runs are recorded in."""
    caplog.set_level(logging.INFO, "flexlbf.handlers.policies")
    await eventually_planned(cluster, "10m")
    key = Key(cluster.namespace, "weekly")
    runs = [a_run(f"fs:/d{index}", 900 + index) for index in range(50)]
    controller.observer.sessions_changed(key, Execution.ADAPTIVE, frozenset({runs[0].session}))
    caplog.clear()
    for begin in range(0, 50, 10):
        await controller.histories.record(cluster.namespace, runs[begin : begin + 10])
        await controller._policies.reconcile(key)  # whatever else may ask for it
    assert f"Planned {key}" not in caplog.text
    assert (await eventually_planned(cluster, "10m"))["conditions"][-1]["reason"] == "NoSessionYet"

    controller.observer.sessions_changed(key, Execution.ADAPTIVE, frozenset())
    status = await eventually_planned(cluster, "15m49s")
    await asyncio.sleep(1)
    assert caplog.text.count(f"Planned {key}") == 1
    assert status["lastSession"]["objects"] == 50
    drifted = status["conditions"][-1]
    assert (drifted["type"], drifted["status"], drifted["reason"]) == ("Drifted", "True", "ForecastMissed")
    assert "'fs:/d49' (15m49s instead of 10m)" in drifted["message"]
