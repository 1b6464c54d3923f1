"""A planned order is kept to the last assignment while all goes as planned, and left where it does not."""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import (
    Drive,
    FlexLBF,
    FlexLBFBackfill,
    Job,
    Scheduler,
    binding,
    equal_drives,
    simulate,
)
from flexlbf.scheduling.dispatch import ActiveStream, LiveSession, PoolUse, releases, why_waiting
from flexlbf.scheduling.filling import Filling
from flexlbf.scheduling.model import within_rate_of
from flexlbf.scheduling.planned import PlannedOrder, slack_of
from flexlbf.scheduling.units import MINUTE, NANOSECONDS, RATE_TOLERANCE
from flexlbf.scheduling.workload import Workload
from support.builders import a_session
from support.strategies import examples, pools, workloads
from support.unkernelled import InPython

needs_kernel = pytest.mark.skipif(not binding.AVAILABLE, reason="there was no compiler for the kernel")
RULES: tuple[Scheduler, ...] = (
    FlexLBF(),
    FlexLBFBackfill(),
    Filling(target=900 * NANOSECONDS, urgency=0.5, waste=0.5),
)


def _one_after_another(
    jobs: Sequence[Job], order: Sequence[int], wanted: Sequence[int], drives: Sequence[Drive], grid: int
) -> tuple[list[int], list[int]]:
    """Drives and starts where each job waits for the one before it on its drive, even if it fits."""
    drive_of, starts = [0] * len(jobs), [0] * len(jobs)
    clocks, running = [0] * len(drives), [list[tuple[int, int]]() for _ in drives]
    for place in order:
        fitting = [d for d, drive in enumerate(drives) if jobs[place].rate <= drive.max_rate + RATE_TOLERANCE]
        at = fitting[wanted[place] % len(fitting)]
        there = running[at]
        while (
            len(there) == drives[at].max_agents
            or sum(rate for _, rate in there) + jobs[place].rate > drives[at].max_rate + RATE_TOLERANCE
        ):
            clocks[at] = -(-there[0][0] // grid) * grid
            while there and there[0][0] <= clocks[at]:
                heapq.heappop(there)
        drive_of[place], starts[place] = at, clocks[at]
        heapq.heappush(there, (clocks[at] + jobs[place].duration, jobs[place].rate))
    return drive_of, starts


@st.composite
def _plans(draw: st.DrawFn) -> tuple[Workload, list[Drive], PlannedOrder, int]:
    """Any order of any workload, on any drives."""
    drives = draw(pools(max_drives=3))
    jobs = Workload.of(within_rate_of(drives, draw(workloads(min_jobs=1, max_jobs=10, hosts=False))))
    order = draw(st.permutations(range(len(jobs))))
    wanted = draw(st.lists(st.integers(0, 5), min_size=len(jobs), max_size=len(jobs)))
    grid = draw(st.sampled_from([1, MINUTE]))
    found = _one_after_another(jobs, order, wanted, drives, grid)
    return jobs, drives, PlannedOrder.of(jobs, drives, order, *found, draw(st.sampled_from(RULES))), grid


@examples(200)
@given(_plans())
def test_a_night_as_planned_is_the_plan(plan: tuple[Workload, list[Drive], PlannedOrder, int]) -> None:
    """To the last drive and nanosecond, also where an object is held back that would fit."""
    jobs, drives, order, grid = plan
    for scheduler in (order, InPython(order)):
        session = simulate(jobs, drives, scheduler, start_grid=grid)
        starts = {each.job.name: (each.drive, each.start, each.end) for each in session}
        assert starts == {name: (each.drive, each.start, each.end) for name, each in order.plan.items()}


@needs_kernel
@examples(200)
@given(_plans(), st.data(), st.sampled_from([0.0, 0.01, 0.2]))
def test_kernel_and_python_leave_the_plan_at_the_same_time(
    plan: tuple[Workload, list[Drive], PlannedOrder, int], data: st.DataObject, slack: float
) -> None:
    """Whatever takes another time than planned, and however much of that is allowed."""
    jobs, drives, order, grid = plan
    order = replace(order, slack=int(slack * max(each.end for each in order.plan.values())))
    factors = st.sampled_from([0.3, 0.98, 1.0, 1.02, 2.0])
    true = {job.name: max(1, int(job.duration * data.draw(factors))) for job in jobs}
    by_kernel, in_python = (
        simulate(jobs, drives, each, start_grid=grid, true_durations=true)
        for each in (order, InPython(order))
    )
    assert by_kernel == in_python


@pytest.mark.parametrize(("session_s", "slack_s"), [(100, 5), (1200, 60), (3000, 60), (10_000, 200)])
def test_the_slack_is_a_fiftieth_of_the_session_or_a_minute_but_no_more_than_a_twentieth(
    session_s: int, slack_s: int
) -> None:
    """A minute since pods take their time to start."""
    assert slack_of(session_s * NANOSECONDS) == slack_s * NANOSECONDS


def test_the_slack_of_a_plan_is_that_of_its_whole_session() -> None:
    """Of which the last to start is not the last to end."""
    jobs = Workload.of(
        a_session().with_object("a", 100, 50).with_object("b", 90, 30).with_object("c", 8, 60).jobs
    )
    starts = [at * NANOSECONDS for at in (0, 110, 180)]
    planned = PlannedOrder.of(jobs, equal_drives(1, 80, 4), range(3), [0, 0, 0], starts, FlexLBF())
    assert planned.slack == 10 * NANOSECONDS


def _held_back() -> tuple[list[Job], tuple[Drive, ...], PlannedOrder]:
    """`b` would fit beside `a`, but is to leave its room to `c`, as soon as `a` is over."""
    session = a_session().with_object("a", 100, 50).with_object("b", 90, 30).with_object("c", 80, 60)
    jobs, drives = Workload.of(session.jobs), equal_drives(1, 80, 4)
    plan = PlannedOrder.of(
        jobs, drives, range(3), [0, 0, 0], [at * NANOSECONDS for at in (0, 180, 100)], FlexLBFBackfill()
    )
    return list(jobs), drives, replace(plan, slack=5 * NANOSECONDS)


def _timetable(true: Mapping[str, float]) -> list[str]:
    jobs, drives, order = _held_back()
    durations = {name: int(each * NANOSECONDS) for name, each in true.items()}
    found = simulate(jobs, drives, order, true_durations=durations)
    return [f"{each.job.name}: {each.start / NANOSECONDS:g}-{each.end / NANOSECONDS:g}" for each in found]


def test_an_object_is_held_back_though_it_fits() -> None:
    """The rule would start it at once."""
    assert _timetable({}) == ["a: 0-100", "c: 100-180", "b: 180-270"]


def test_what_is_a_little_late_or_early_changes_the_times_and_not_the_order() -> None:
    """Within the slack."""
    assert _timetable({"a": 104}) == ["a: 0-104", "c: 104-184", "b: 184-274"]
    assert _timetable({"a": 97}) == ["a: 0-97", "c: 97-177", "b: 177-267"]


def test_the_rule_decides_as_soon_as_the_night_goes_another_way() -> None:
    """It fills the room that would be left."""
    assert _timetable({"a": 90}) == ["a: 0-90", "b: 90-180", "c: 180-260"]
    assert _timetable({"a": 90, "b": 20}) == ["a: 0-90", "b: 90-110", "c: 110-190"]


def test_the_rule_decides_as_soon_as_what_is_due_has_not_come() -> None:
    """And not at the next end only, until when a drive might idle: `c` was to start five seconds ago."""
    assert _timetable({"a": 106}) == ["a: 0-106", "b: 105-195", "c: 195-275"]
    assert _timetable({"a": 900}) == ["a: 0-900", "b: 105-195", "c: 900-980"]


def _released(running: Sequence[ActiveStream], now_s: float, waiting: Sequence[str]) -> list[str]:
    jobs, drives, order = _held_back()
    session = LiveSession(jobs, order, drives, waiting)
    session.now = int(now_s * NANOSECONDS)
    return [each.job.name for each in releases(PoolUse.of(drives, running), session)]


def test_live_the_order_is_kept_while_what_runs_is_what_is_planned() -> None:
    """The dispatcher asks at every event, with the streams that there are."""
    a = ActiveStream("drive-0", 50_000_000 * 10**6)
    assert _released([], 0, "abc") == ["a"]
    assert _released([a], 40, "bc") == []
    assert _released([], 99, "bc") == ["c"]


def test_live_streams_of_others_and_objects_that_come_again_leave_the_plan() -> None:
    """What was planned does not fit what is there."""
    a, other = (ActiveStream("drive-0", rate * 10**12) for rate in (50, 0))
    assert _released([a, other], 40, "bc") == ["b"]  # not held back any more
    assert _released([], 150, "abc") == ["a", "b"]  # `a` failed


def test_a_plan_of_other_objects_is_none() -> None:
    """Both in the kernel and without."""
    jobs, drives, order = _held_back()
    fewer = jobs[:2]
    assert simulate(fewer, drives, order) == replace(
        simulate(fewer, drives, FlexLBFBackfill()), scheduler=order
    )
    assert simulate(fewer, drives, InPython(order)) == simulate(fewer, drives, order)


@pytest.mark.parametrize("renamed", [["b"], ["a", "b", "c"]])
def test_a_plan_of_as_many_objects_of_other_names_is_none(renamed: Sequence[str]) -> None:
    """Likewise, as there is nothing to look up for them."""
    jobs, drives, order = _held_back()
    others = [replace(job, name=f"other-{job.name}") if job.name in renamed else job for job in jobs]
    by_rule = replace(simulate(others, drives, FlexLBFBackfill()), scheduler=order)
    assert by_rule.makespan < simulate(jobs, drives, order).makespan
    assert simulate(others, drives, order) == by_rule
    assert simulate(others, drives, InPython(order)) == simulate(others, drives, order)


@needs_kernel
@pytest.mark.parametrize("drives", [equal_drives(1, 70, 4), equal_drives(1, 80, 3), equal_drives(2, 80, 4)])
def test_a_plan_for_another_pool_is_none(drives: tuple[Drive, ...]) -> None:
    """Its places would be of drives that are not there."""
    jobs, _, order = _held_back()
    assert list(simulate(jobs, drives, order)) == list(simulate(jobs, drives, FlexLBFBackfill()))


def test_who_asks_why_an_object_waits_that_would_fit_is_told_of_the_order() -> None:
    """`b` fits beside `a`, and is held back."""
    jobs, drives, order = _held_back()
    session = LiveSession(jobs, order, drives, "bc")
    pool = PoolUse.of(drives, [ActiveStream("drive-0", 50 * 10**12)])
    assert releases(pool, session) == []
    assert why_waiting(pool, session) == "as planned c is to start first, on drive-0"


def test_who_asks_why_the_next_of_the_order_waits_is_told_of_its_drive() -> None:
    """`b` would fit on the second drive."""
    session = a_session().with_object("a", 100, 50).with_object("b", 90, 60).with_object("c", 20, 10)
    jobs, drives = Workload.of(session.jobs), equal_drives(2, 80, 4)
    starts = [at * NANOSECONDS for at in (0, 100, 100)]
    plan = PlannedOrder.of(jobs, drives, range(3), [0, 0, 1], starts, FlexLBF())
    live = LiveSession(jobs, plan, drives, "bc")
    pool = PoolUse.of(drives, [ActiveStream("drive-0", 50 * 10**12)])
    assert releases(pool, live) == []
    assert why_waiting(pool, live) == "it is to start on drive-0, as planned, as soon as that has room for it"
