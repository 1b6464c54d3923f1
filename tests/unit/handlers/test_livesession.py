"""Where the objects of a session stand, from its Jobs and from what is recorded."""

from datetime import timedelta

import pytest

from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, ObservedPod
from flexlbf.handlers.livesession import Creation, SessionRun, Standing
from flexlbf.handlers.settling import measured_run
from flexlbf.history.ledger import Outcome
from flexlbf.scheduling.units import NANOSECONDS
from unit.handlers.runs import NIGHT, a_session, ended, object_job, pod

HOUR = timedelta(hours=1)
ALL = frozenset("abc")


def standing(session: SessionRun, *seen: ObservedJob | ObservedPod, after: timedelta = HOUR) -> Standing:
    """Where its objects stand so long into the night, when these Jobs and pods are there."""
    index = RunIndex()
    for each in seen:
        index.put_job(each) if isinstance(each, ObservedJob) else index.put_pod(each)
    return session.standing(index.of_session("uid-weekly-1"), NIGHT + after)


def test_without_jobs_everything_waits():
    """A session that has just begun."""
    found = standing(a_session())
    assert (found.waiting, found.begun, found.over) == (ALL, 0, False)


def test_jobs_say_what_runs_and_what_is_done():
    """And the rest waits."""
    found = standing(a_session(), object_job("a"), object_job("b"), pod("b", "Succeeded"))
    assert (found.running, found.done, found.waiting, found.begun) == ({"a"}, {"b"}, {"c"}, 2)


def test_what_is_recorded_needs_no_job():
    """After a restart, and after Jobs were deleted."""
    session = a_session()
    session.recorded = {"a": Outcome(succeeded=True, failed_attempts=1), "b": Outcome(False, 1)}
    found = standing(session)
    assert (found.done, found.waiting, found.begun) == ({"a"}, {"b", "c"}, 2)
    assert found.tries["b"] == 1


def test_what_failed_is_tried_again_as_often_as_the_class_says():
    """Each time by a Job of its own."""
    session = a_session(retries=1)
    once: list[ObservedJob | ObservedPod] = [object_job("a", **ended("Failed"))]
    assert standing(session, *once).waiting == ALL
    twice = [*once, object_job("a", attempt=2), pod("a", "Failed", attempt=2)]
    found = standing(session, *twice)
    assert (found.failed, found.waiting) == ({"a"}, {"b", "c"})


def test_a_try_that_runs_is_no_failure():
    """Whatever those before it came to."""
    found = standing(a_session(), object_job("a", **ended("Failed")), object_job("a", attempt=2))
    assert (found.running, found.failed) == ({"a"}, frozenset())


def test_what_is_done_is_done():
    """However often it was tried, and whatever else is there of it."""
    tried = [object_job("a", attempt=attempt, **ended("Failed")) for attempt in (1, 2)]
    found = standing(a_session(), *tried, object_job("a", attempt=3, **ended("Complete")))
    assert (found.done, found.failed, found.running) == ({"a"}, frozenset(), frozenset())


@pytest.mark.parametrize(
    ("on_end", "waiting", "skipped"),
    [("Continue", ALL - {"a"}, frozenset()), ("SkipRemaining", frozenset(), ALL - {"a"})],
)
def test_when_the_window_has_ended(on_end: str, waiting: frozenset[str], skipped: frozenset[str]):
    """What has not started goes on waiting or is left out; what failed is not tried again."""
    session = a_session(window="30m", onWindowEnd=on_end, retries=9)
    before = standing(session, object_job("a", **ended("Failed")), after=timedelta(minutes=29))
    assert (before.waiting, before.failed) == (ALL, frozenset())
    found = standing(session, object_job("a", **ended("Failed")))
    assert (found.waiting, found.skipped, found.failed) == (waiting, skipped, {"a"})
    assert found.over == (on_end == "SkipRemaining")


def test_what_runs_at_the_windows_end_goes_on():
    """A backup is not cut off."""
    session = a_session(window="30m", onWindowEnd="SkipRemaining")
    found = standing(session, object_job("a"))
    assert (found.running, found.skipped, found.over) == ({"a"}, {"b", "c"}, False)


def test_what_was_taken_out_of_the_sets_does_not_start():
    """And what runs of it is waited for."""
    session = a_session("ab")
    found = standing(session, object_job("gone"))
    assert (found.running, found.waiting) == ({"gone"}, {"a", "b"})


def test_measures_count_once():
    """However often they are looked at."""
    session = a_session()
    done: list[ObservedJob | ObservedPod] = [object_job("a"), pod("a", "Succeeded", seconds=90)]
    for _ in range(3):
        standing(session, *done)
    assert (session.measured, session.planned, session.size) == (90 * NANOSECONDS, 60 * NANOSECONDS, 1000)
    assert session.factor == 1.5


def test_what_was_recorded_before_a_restart_counts_as_if_its_job_were_there():
    """Once, though its Job may be there too; what is not planned any more counts towards the bytes alone."""
    session = a_session()
    minute = 60 * NANOSECONDS
    session.remember(
        {
            "a": Outcome(succeeded=True, failed_attempts=0, duration=2 * minute, size=1000),
            "b": Outcome(succeeded=False, failed_attempts=1),
            "gone": Outcome(succeeded=True, failed_attempts=0, duration=9 * minute, size=500),
        }
    )
    found = standing(session, object_job("a"), pod("a", "Succeeded", seconds=120))
    assert (session.measured, session.planned, session.size) == (2 * minute, minute, 1500)
    assert session.factor == 2
    assert (session.progress(found).done, session.progress(found).released) == (2, 3)


def test_what_a_stand_in_has_seen_stays_known_when_the_plan_is():
    """Its history may be gone: nothing runs twice, and no count sinks. The forecast is the plan's."""
    whole = a_session(retries=2)
    session = a_session("", retries=0)
    session.stand_in = True
    index = RunIndex()
    for each in (object_job("a"), pod("a", "Succeeded", seconds=90), object_job("b", **ended("Failed"))):
        index.put_job(each) if isinstance(each, ObservedJob) else index.put_pod(each)
    for run in index.of_session("uid-weekly-1"):
        session.standing([run], NIGHT)
        session.note(run)
    recorded = {"a": Outcome(False, 1), "b": Outcome(False, 0)}
    session.become_whole(session.job, whole.policy, whole.plan, recorded)
    found = standing(session)
    assert (found.done, found.waiting, found.tries) == ({"a"}, {"b", "c"}, {"a": 1, "b": 1})
    assert session.settled == {"a-1", "b-1"}
    assert (session.measured, session.planned, session.size) == (90 * NANOSECONDS, 60 * NANOSECONDS, 1000)
    assert not session.stand_in


def test_a_recorded_run_is_known_without_its_job():
    """A failed try after a recorded one is counted from there."""
    session = a_session(retries=2)
    index = RunIndex()
    index.put_job(object_job("a", attempt=2, **ended("Failed")))
    (run,) = index.of_session("uid-weekly-1")
    session.note(run)
    assert session.recorded["a"] == Outcome(succeeded=False, failed_attempts=2)
    assert session.settled == {"a-2"}
    assert standing(session).tries["a"] == 2


def test_a_run_is_measured_as_its_container_was():
    """For the history: from its start to its end."""
    index = RunIndex()
    index.put_job(object_job("a"))
    index.put_pod(pod("a", "Succeeded", seconds=75))
    (run,) = index.of_session("uid-weekly-1")
    found = measured_run(run, "weekly-1")
    assert (found.backup_set, found.obj, found.start) == ("fleet", "a", NIGHT)
    assert (found.duration, found.size, found.succeeded) == (75 * NANOSECONDS, 1000, True)


def test_sessions_rank_by_priority_and_then_by_start():
    """And by name, so that any two operators rank them alike."""
    late, early, high = a_session(), a_session(), a_session(priority=5)
    late.started = NIGHT + HOUR
    assert sorted([late, early, high], key=lambda each: each.rank) == [high, early, late]


def test_what_is_among_the_jobs_need_not_be_created():
    """Nor what was, and has been deleted since: else it would run twice."""
    session, index = a_session(), RunIndex()
    for name in "abc":
        manifest = {"metadata": {"namespace": "backup", "name": f"{name}-1"}}
        session.creating[name] = Creation(session.jobs[name], session.plan.drives[0], manifest)
    index.put_job(object_job("a"))
    session.settled.add("b-1")
    session.heed(index)
    assert set(session.creating) == {"c"}
