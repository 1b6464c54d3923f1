"""When a session will be over."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import Assignment, Drive, FlexLBF, Host, Job, equal_drives, simulate, within_rate_of
from flexlbf.scheduling.dispatch import ActiveStream
from flexlbf.scheduling.forecast import Outlook, RunningStream, forecast_end, remaining, slowness
from flexlbf.scheduling.units import NANOSECONDS
from support.strategies import examples, pools, workloads


def outlook(jobs: list[Job], drives: list[Drive], waiting: set[str], running: list[RunningStream], now: int):
    """A session under FlexLBF."""
    ordered = FlexLBF().order(within_rate_of(drives, jobs))
    return Outlook(ordered, FlexLBF(), drives, waiting, running, now, factor=1.0)


def stream_of(each: Assignment, drives: list[Drive]) -> ActiveStream:
    """What an assignment holds."""
    return ActiveStream(drives[each.drive].name, each.job.rate)


@examples(80)
@given(workloads(), pools(), st.floats(0, 1))
def test_at_any_moment_of_a_night_as_planned_it_is_the_planned_end(
    jobs: list[Job], drives: list[Drive], part: float
) -> None:
    """Of what runs the rest, and of what waits everything."""
    schedule = simulate(jobs, drives, FlexLBF())
    now = int(schedule.makespan * part)
    waiting = {each.job.name for each in schedule if each.start > now}
    running = [
        RunningStream(
            ActiveStream(drives[each.drive].name, each.job.rate), each.end - now, True, each.job.host
        )
        for each in schedule
        if each.start <= now < each.end
    ]
    expected = schedule.makespan if running or waiting else now
    assert forecast_end(outlook(jobs, drives, waiting, running, now)) == expected


def test_the_streams_of_others_are_waited_for_but_do_not_count():
    """They hold the agent, and what they do after that is not this session's."""
    drives = list(equal_drives(1, 80, 1))
    other = RunningStream(ActiveStream("drive-0", 0), 10 * NANOSECONDS, own=False)
    jobs = [Job.of("a", 5, 1)]
    assert forecast_end(outlook(jobs, drives, {"a"}, [other], 0)) == 15 * NANOSECONDS
    assert forecast_end(outlook(jobs, drives, set(), [other], 3)) == 3


def test_a_host_that_streams_to_another_pool_is_waited_for():
    """It holds nothing of this pool's drives."""
    host, drives = Host("fs1", 1), list(equal_drives(1, 80, 1))
    elsewhere = RunningStream(None, 10 * NANOSECONDS, own=False, host=host)
    mine, free = replace(Job.of("a", 5, 1), host=host), Job.of("b", 4, 80)
    assert forecast_end(outlook([mine], drives, {"a"}, [elsewhere], 0)) == 15 * NANOSECONDS
    assert forecast_end(outlook([free], drives, {"b"}, [elsewhere], 0)) == 4 * NANOSECONDS


def test_what_fits_nowhere_has_no_end():
    """Nothing that can be said."""
    drives = list(equal_drives(1, 80, 1))
    whole = Outlook([Job.of("a", 5, 90)], FlexLBF(), drives, {"a"}, [], 0, 1.0)
    assert forecast_end(whole) is None


def test_slow_objects_make_the_rest_expected_to_be_slow():
    """In proportion."""
    drives = list(equal_drives(1, 80, 1))
    whole = Outlook([Job.of("a", 5, 1), Job.of("b", 4, 1)], FlexLBF(), drives, {"a", "b"}, [], 0, 1.5)
    assert forecast_end(whole) == 13.5 * NANOSECONDS


@pytest.mark.parametrize(
    ("planned", "measured", "factor"),
    [(0, 0, 1.0), (10, 15, 1.5), (10, 5, 0.5), (1, 1000, 10.0), (1000, 1, 0.1)],
)
def test_slowness_is_within_reason(planned: int, measured: int, factor: float):
    """One object that took hours instead of seconds says little of the others."""
    assert slowness(planned, measured) == factor


@pytest.mark.parametrize(
    ("planned", "elapsed", "factor", "left"),
    [(100, 30, 1.0, 70), (100, 30, 2.0, 170), (100, 100, 1.0, 10), (100, 500, 1.0, 10), (100, 99, 1.0, 9)],
)
def test_what_is_over_its_time_is_expected_to_end_soon(planned: int, elapsed: int, factor: float, left: int):
    """It can't be told better."""
    assert remaining(planned, elapsed, factor) == left
