"""The recorder gathers the runs of plans, and a session is underway until all of it is stored."""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from flexlbf.api.v1alpha1 import Execution
from flexlbf.cluster.client import ApiError
from flexlbf.cluster.resources import BACKUP_POLICIES, BACKUP_SETS
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, ObservedPod
from flexlbf.cluster.runs import Run as ObservedRun
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.handlers import recorder as module
from flexlbf.handlers.observe import Observer, Task
from flexlbf.handlers.recorder import Recorder
from flexlbf.handlers.workqueue import WorkQueue
from flexlbf.history.ledger import Run
from flexlbf.manifests.names import planned_session_name
from support.resources import Raw, a_policy, a_set

EVENING = datetime(2026, 1, 3, 22, tzinfo=UTC)
KEY = Key("backup", "weekly")
SESSION = planned_session_name("weekly", EVENING)


class Shelf:
    """Keeps what is recorded, and refuses it as often as it is told to."""

    def __init__(self) -> None:
        self.calls: list[list[Run]] = []
        self.refusals = 0
        self.stored = asyncio.Event()

    async def record(self, namespace: str, runs: Iterable[Run]) -> None:
        """As the writer of histories does."""
        assert namespace == "backup"
        await asyncio.sleep(0)
        if self.refusals:
            self.refusals -= 1
            raise ApiError(500, "Internal", "not now")
        self.calls.append(sorted(runs, key=lambda run: run.obj))
        self.stored.set()


class Night:
    """A policy whose session began in the evening and is to last an hour, and its recorder."""

    def __init__(self) -> None:
        self.now = EVENING + timedelta(minutes=5)
        self.state = ClusterState()
        self.plan("1h")
        self.state.put(BACKUP_SETS, a_set("fleet").with_object("fs:/a").observed("backup"))
        self.queue: WorkQueue[Task] = WorkQueue()
        observer = Observer(None, self.state, self.queue)  # type: ignore[arg-type]  # nothing is read
        self.shelf = Shelf()
        self.runs = RunIndex()
        self.recorder = Recorder(
            self.state,
            self.shelf,
            observer.sessions_changed,
            lambda key: observer.ask(Task("policy", key)),
            lambda: self.now,
        )
        self.recorder.begin_term()

    def plan(self, duration: str, *, version: int = 1, last: datetime = EVENING) -> None:
        """The policy as it is once planned."""
        policy = a_policy("weekly").observed("backup", version=version)
        schedule = {"duration": duration, "lastScheduleTime": last.strftime("%Y-%m-%dT%H:%M:%SZ")}
        self.state.put(BACKUP_POLICIES, {**policy, "status": {"schedule": schedule}})

    @property
    def underway(self) -> frozenset[str]:
        """The sessions that do not count yet."""
        return self.state.sessions_underway("backup")

    def job(self, obj: str, *, outcome: str | None = None, **metadata: Any) -> None:
        """A Job as it is now."""
        self.runs.put_job(ObservedJob.of(a_job(obj, outcome, **metadata)))
        self._see(obj)

    def pod(self, obj: str, phase: str, *, message: str = "", seconds: int = 90) -> None:
        """A pod as it is now."""
        self.runs.put_pod(ObservedPod.of(a_pod(obj, phase, message, seconds)))
        self._see(obj)

    def _see(self, obj: str) -> None:
        run = self.runs.run(f"job-of-{obj}")
        assert isinstance(run, ObservedRun)
        self.recorder.seen(run)


LABELS = {
    "flexlbf.io/role": "object",
    "flexlbf.io/policy": "weekly",
    "flexlbf.io/backup-set": "fleet",
    "flexlbf.io/pool": "library",
    "flexlbf.io/drive": "lto-0",
}


def described(obj: str) -> Raw:
    """Labels and annotations of a stream that starts a quarter of an hour into the session."""
    annotations = {
        "flexlbf.io/object": obj,
        "flexlbf.io/rate": "1000000",
        "flexlbf.io/backup-set": "fleet",
        "flexlbf.io/planned-offset": "15m",
        "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-03T23:15:00+01:00",
    }
    return {"namespace": "backup", "labels": LABELS, "annotations": annotations}


def controlled(kind: str, uid: str) -> list[Raw]:
    """The reference to what controls it."""
    return [{"kind": kind, "uid": uid, "name": uid, "controller": True}]


def a_job(obj: str, outcome: str | None, **metadata: Any) -> Raw:
    """A Job that the plan's CronJob made."""
    conditions = [{"type": outcome, "status": "True"}] if outcome else []
    return {
        "metadata": {
            **described(obj),
            "name": f"job-of-{obj.strip(':/')}",
            "uid": f"job-of-{obj}",
            "resourceVersion": "2" if outcome else "1",
            "creationTimestamp": "2026-01-03T22:15:01Z",
            "ownerReferences": controlled("CronJob", "cron-job"),
            **metadata,
        },
        "spec": {"backoffLimit": 2},
        "status": {"conditions": conditions, "failed": 3 if outcome == "Failed" else 0},
    }


def a_pod(obj: str, phase: str, message: str, seconds: int) -> Raw:
    """Its pod."""
    started = EVENING + timedelta(minutes=15, seconds=20)
    ended = {
        "startedAt": started.isoformat(),
        "finishedAt": (started + timedelta(seconds=seconds)).isoformat(),
        "message": message,
    }
    return {
        "metadata": {
            **described(obj),
            "name": f"pod-of-{obj.strip(':/')}",
            "uid": f"pod-of-{obj}",
            "resourceVersion": "1",
            "ownerReferences": controlled("Job", f"job-of-{obj}"),
        },
        "status": {"phase": phase, "containerStatuses": [{"state": {"terminated": ended}}]},
    }


@pytest.fixture
async def night() -> Night:
    """A night that has begun, with its recorder on this test's event loop."""
    return Night()


async def test_a_run_is_recorded_with_its_containers_time_and_bytes(night: Night):
    """Not with the wait before it, and in the session in whose plan it is."""
    night.job("fs:/a")
    night.pod("fs:/a", "Succeeded", message='{"bytes": 31000, "seconds": 89.25, "sha256": "x"}')
    night.job("fs:/a", outcome="Complete")
    await night.recorder.flush()
    ((run,),) = night.shelf.calls
    start = EVENING + timedelta(minutes=15, seconds=20)
    assert run == Run("fleet", "fs:/a", SESSION, start, 89_250_000_000, 31000, succeeded=True, attempt=1)


async def test_a_failed_job_counts_the_attempts_that_it_made(night: Night):
    """Kubernetes makes them within the Job."""
    night.job("fs:/a")
    night.pod("fs:/a", "Failed")
    assert night.recorder.look(KEY) is not None
    await night.recorder.flush()
    assert night.shelf.calls == []  # the Job may try again
    night.job("fs:/a", outcome="Failed")
    await night.recorder.flush()
    ((run,),) = night.shelf.calls
    assert (run.succeeded, run.attempt) == (False, 3)


async def test_a_backup_that_took_no_whole_second_is_one_second_long(night: Night):
    """Kubernetes counts in seconds, and no time at all would be a throughput beyond all drives."""
    night.job("fs:/a")
    night.pod("fs:/a", "Succeeded", seconds=0)
    night.job("fs:/a", outcome="Complete")
    await night.recorder.flush()
    assert night.shelf.calls[0][0].duration == 1_000_000_000


async def test_jobs_of_no_plan_are_nobodys_business(night: Night):
    """Those of the operator's sessions are the dispatcher's."""
    night.job("fs:/a", outcome="Complete", ownerReferences=controlled("Job", "session"))
    night.job("fs:/b", outcome="Complete", labels={**LABELS, "flexlbf.io/policy": "gone"})
    await night.recorder.flush()
    assert night.shelf.calls == []


async def test_a_session_is_underway_until_its_planned_end(night: Night):
    """Also while none of its Jobs happens to be active."""
    assert night.recorder.look(KEY) == 55 * 60
    assert night.underway == {SESSION}
    night.now = EVENING + timedelta(hours=1)
    assert night.recorder.look(KEY) is None
    assert night.underway == frozenset()
    assert (await night.queue.take()).key == KEY  # what it recorded counts now


async def test_a_longer_plan_made_later_brings_no_session_back(night: Night):
    """It began with another plan, and by that it is over; the next one begins with the longer."""
    assert night.recorder.look(KEY) == 55 * 60
    night.now = EVENING + timedelta(hours=2)
    night.plan("5h", version=2)
    assert night.recorder.look(KEY) is None
    assert night.underway == frozenset()
    sunday = EVENING + timedelta(days=1)
    night.now = sunday + timedelta(hours=2)
    night.plan("5h", version=3, last=sunday)
    assert night.recorder.look(KEY) == 3 * 3600
    assert night.underway == {planned_session_name("weekly", sunday)}


async def test_whoever_finds_a_session_underway_has_its_end_looked_at(night: Night):
    """Else nobody would say that it is over."""
    night.job("fs:/a")
    night.pod("fs:/a", "Succeeded")
    night.job("fs:/a", outcome="Complete")
    assert len(night.queue) == 1
    night.queue.done(await night.queue.take())
    await night.recorder.flush()
    assert night.underway == {SESSION}
    assert len(night.queue) == 0  # once is enough


async def test_a_session_found_at_storing_has_its_end_looked_at(night: Night):
    """For instance when the policy's status comes after its runs."""
    found = night.state.policies.pop(KEY)
    night.state.policies[KEY] = {**found, "status": {}}
    night.job("fs:/a")
    night.pod("fs:/a", "Succeeded")
    night.job("fs:/a", outcome="Complete")
    assert len(night.queue) == 0
    night.state.policies[KEY] = found
    await night.recorder.flush()
    assert len(night.queue) == 1


async def test_a_session_that_overruns_is_underway_until_all_of_it_is_stored(night: Night):
    """Its plan must be made anew once, and not once more for what came last."""
    night.recorder.look(KEY)
    night.job("fs:/a")
    night.now = EVENING + timedelta(hours=3)
    night.recorder.look(KEY)
    assert night.underway == {SESSION}
    night.pod("fs:/a", "Succeeded")
    night.job("fs:/a", outcome="Complete")
    assert night.underway == {SESSION}
    assert len(night.queue) == 0
    await night.recorder.flush()
    assert night.underway == frozenset()
    assert len(night.queue) == 1


async def test_a_job_that_is_deleted_holds_no_session_up(night: Night):
    """It will not end any more."""
    night.now = EVENING + timedelta(hours=3)
    night.job("fs:/a")
    assert night.underway == {SESSION}
    run = night.runs.run("job-of-fs:/a")
    assert run is not None
    night.recorder.gone(run)
    assert night.underway == frozenset()


async def test_what_was_refused_is_recorded_later(night: Night, monkeypatch: pytest.MonkeyPatch):
    """Together with what has come since."""
    monkeypatch.setattr(module, "GATHER_SECONDS", 0.01)
    monkeypatch.setattr(module, "FIRST_RETRY_SECONDS", 0.01)
    night.shelf.refusals = 2
    for obj in ("fs:/a", "fs:/b"):
        night.job(obj)
        night.pod(obj, "Succeeded")
        night.job(obj, outcome="Complete")
    task = asyncio.create_task(night.recorder.run_for_ever())
    async with asyncio.timeout(60):
        await night.shelf.stored.wait()
    task.cancel()
    assert [run.obj for run in night.shelf.calls[0]] == ["fs:/a", "fs:/b"]


async def test_many_runs_do_not_wait_for_the_moment_to_pass(night: Night, monkeypatch: pytest.MonkeyPatch):
    """A batch is full at so many."""
    monkeypatch.setattr(module, "GATHER_SECONDS", 3600)
    monkeypatch.setattr(module, "GATHER_RUNS", 3)
    task = asyncio.create_task(night.recorder.run_for_ever())
    for index in range(3):
        night.job(f"fs:/{index}")
        night.pod(f"fs:/{index}", "Succeeded")
        night.job(f"fs:/{index}", outcome="Complete")
    async with asyncio.timeout(60):
        await night.shelf.stored.wait()
    task.cancel()
    assert len(night.shelf.calls[0]) == 3


async def test_a_policy_that_is_gone_or_adaptive_has_no_session_of_a_plan(night: Night):
    """The dispatcher tells of those that the operator runs."""
    night.recorder.look(KEY)
    night.recorder.forget(KEY)
    assert night.underway == frozenset()
    adaptive = a_policy("weekly").setting(execution=Execution.ADAPTIVE.value).observed("backup", version=9)
    night.state.put(BACKUP_POLICIES, {**adaptive, "status": night.state.policies[KEY]["status"]})
    assert night.recorder.look(KEY) is None
    assert night.underway == frozenset()
