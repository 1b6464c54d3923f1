"""Which sessions are underway, as their Jobs are seen."""

from collections.abc import AsyncIterator

import pytest

from flexlbf.api.v1alpha1 import Execution
from flexlbf.cluster.podreader import PodReader
from flexlbf.cluster.resources import BACKUP_POLICIES, TAPE_POOLS
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob
from flexlbf.cluster.sessions import policy_of
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.handlers import observeruns as module
from flexlbf.handlers.observe import Observer, Task
from flexlbf.handlers.observeruns import RunObserver
from flexlbf.handlers.recorder import Recorder
from flexlbf.handlers.workqueue import WorkQueue
from flexlbf.manifests.names import managed_session_name
from support.resources import Raw, a_policy, a_pool
from unit.handlers.runs import NIGHT, ended, raw_pod, session_job

WEEKLY = Key("backup", "weekly")
MANY = 200


class Watch:
    """An observer of runs, in a cluster with some policies."""

    def __init__(self, *policies: str) -> None:
        self.state = ClusterState()
        for name in policies:
            self.state.put(BACKUP_POLICIES, a_policy(name).observed("backup"))
        self.queue: WorkQueue[Task] = WorkQueue()
        observer = Observer(None, self.state, self.queue)  # type: ignore[arg-type]  # nothing is read
        recorder = Recorder(
            self.state,
            None,  # type: ignore[arg-type]  # nothing is recorded
            observer.sessions_changed,
            lambda key: observer.ask(Task("policy", key)),
            lambda: NIGHT,
        )
        self.runs = RunIndex()
        self.seen = RunObserver(None, self.state, self.runs, observer, recorder, self.queue)  # type: ignore[arg-type]

    def underway(self, policy: str = "weekly") -> frozenset[str]:
        """The names of a policy's sessions that are."""
        return self.state.underway.get((Key("backup", policy), Execution.ADAPTIVE), frozenset())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[ObservedJob]:
    """The sessions whose policy was looked for, as often as it was."""
    found: list[ObservedJob] = []

    def counting(state: ClusterState, job: ObservedJob) -> Key | None:
        found.append(job)
        return policy_of(state, job)

    monkeypatch.setattr(module, "policy_of", counting)
    return found


def named(*sessions: str) -> frozenset[str]:
    """The sessions of the policy `weekly`, as its history calls them."""
    return frozenset(managed_session_name("weekly", f"uid-{each}") for each in sessions)


async def test_a_session_is_underway_until_it_has_ended():
    """And no longer than its Job is there."""
    watch = Watch("weekly")
    one, two = session_job("one"), session_job("two")
    watch.seen.jobs_listed([one, two], two.version)
    assert watch.underway() == named("one", "two")
    watch.seen.job_changed(False, session_job("one", **ended("Complete")))
    assert watch.underway() == named("two")
    watch.seen.job_changed(True, two)
    assert watch.underway() == frozenset()


async def test_a_session_whose_policy_is_gone_is_underway_no_more():
    """Whatever its own Job says."""
    watch = Watch("weekly")
    watch.seen.job_changed(False, session_job("one"))
    assert watch.underway() == named("one")
    watch.state.drop(BACKUP_POLICIES, watch.state.policies[WEEKLY])
    watch.seen.job_changed(False, session_job("one", startTime="2026-01-09T22:00:00Z"))
    assert watch.underway() == frozenset()


async def test_to_list_many_sessions_takes_no_more_than_a_look_at_each(asked: list[ObservedJob]):
    """All of one policy, too, which is then looked at once."""
    watch = Watch("weekly")
    over = [session_job(f"over-{number}", **ended("Complete")) for number in range(MANY)]
    running = [session_job(f"running-{number}") for number in range(MANY)]
    watch.seen.jobs_listed([*over, *running], running[-1].version)
    assert watch.underway() == named(*(each.place.name for each in running))
    assert len(asked) <= 2 * len(over + running)


class OnePage:
    """An API server with so many pods."""

    def __init__(self, *pods: Raw) -> None:
        self._pods = list(pods)

    async def pages(self, *_: object, labels: str) -> AsyncIterator[tuple[list[Raw], str]]:  # noqa: ARG002
        """All that there are."""
        yield self._pods, "1"


async def test_the_pool_is_looked_at_when_the_end_of_a_pod_was_read_before_it_was_watched():
    """Its stream has left room, and its own watch brings no news any more."""
    watch = Watch("weekly")
    watch.state.put(TAPE_POOLS, a_pool("library").observed())
    session = session_job()
    reader = PodReader(OnePage(raw_pod("a", "Succeeded")), watch.seen.pod_changed)  # type: ignore[arg-type]
    await reader.read(session)
    assert len(watch.queue) == 1
    assert await watch.queue.take() == Task("session", Key("", "library"))
