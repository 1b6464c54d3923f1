"""Sessions as the oracle has them, and what is true of every session."""

import random
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flexlbf.scheduling import (
    LBF,
    Drive,
    FlexLBF,
    Job,
    Schedule,
    Scheduler,
    Traditional,
    equal_drives,
    lower_bound,
    simulate,
)
from flexlbf.scheduling.units import MINUTE, NANOSECONDS
from support import oracle
from support.builders import a_session, placements
from support.strategies import examples, pools, workloads

SCHEDULERS = st.sampled_from([FlexLBF(), LBF(), Traditional(1)])
GRIDS = st.sampled_from([1, 7 * NANOSECONDS, MINUTE])
ALLOWANCE = 1000
"""Micro-bytes a second (1e-9 MB/s) by which rounding may exceed a drive's rate."""

TEN_OF_EIGHT = a_session().with_objects("a b c d e f g h i j k", 10, 8.0).on_drives(1, 80, 10)
TIED_SHARES = (
    a_session()
    .with_objects("a b c", 10, 80)
    .with_object("d", 3, 53.7)
    .with_objects("e f", 20 / 3, 160)
    .on_drives(2, 80, 2)
)


@examples(250)
@given(workloads(), pools(), GRIDS)
@example(list(TEN_OF_EIGHT.jobs), list(TEN_OF_EIGHT.drives), 1)
def test_every_assignment_of_flexlbf_is_the_oracles(jobs: list[Job], drives: list[Drive], grid: int) -> None:
    """Object, drive, start and end, to the nanosecond."""
    assert placements(simulate(jobs, drives, FlexLBF(), start_grid=grid)) == oracle.flexlbf(
        jobs, drives, grid
    )


@examples(200)
@given(workloads(), pools(), GRIDS)
@example(list(TIED_SHARES.jobs), list(TIED_SHARES.drives), 1)
@example([Job.of("a", 1, 100 / 3), Job.of("b", 1, 1e-5)], [Drive.of("d", 100 / 3, 2)], 1)
def test_every_assignment_of_lbf_is_the_oracles(jobs: list[Job], drives: list[Drive], grid: int) -> None:
    """Shares of a drive are exact fractions there, so no rounding may move an end or part two."""
    assert placements(simulate(jobs, drives, LBF(), start_grid=grid)) == oracle.lbf(jobs, drives, grid)


@pytest.mark.parametrize("seed", [140, 1116, 2524, 7, 8, 9])
def test_long_sessions_that_share_are_the_oracles_too(seed: int) -> None:
    """Rounding that added up over many starts and ends once gave other assignments here."""
    draw = random.Random(seed)
    jobs = [
        Job.of(f"object-{n}", draw.choice([1, 2, 3, 10, 20 / 3]), draw.choice([8, 53.7, 100 / 3, 80]))
        for n in range(60)
    ]
    drives = equal_drives(draw.randint(1, 4), 80, draw.randint(2, 5))
    assert placements(simulate(jobs, drives, LBF())) == oracle.lbf(jobs, drives)


@examples(80)
@given(workloads(), pools(), SCHEDULERS, GRIDS)
def test_every_object_runs_once_within_its_session(
    jobs: list[Job], drives: list[Drive], scheduler: Scheduler, grid: int
) -> None:
    """None is dropped, none is doubled, none is cut short, and the session ends with the last."""
    schedule = simulate(jobs, drives, scheduler, start_grid=grid)
    assert sorted(each.job.name for each in schedule) == sorted(job.name for job in jobs)
    assert len(schedule) == len(jobs)
    for each in schedule:
        assert 0 <= each.start <= each.start + each.job.duration <= each.end <= schedule.makespan
    assert schedule.makespan == max((each.end for each in schedule), default=0)


@examples(80)
@given(workloads(), pools())
def test_flexlbf_never_asks_too_much_of_a_drive(jobs: list[Job], drives: list[Drive]) -> None:
    """Neither agents nor rate, at any moment: it is enough to look whenever something starts."""
    schedule = simulate(jobs, drives, FlexLBF())
    for moment in schedule.starts:
        assert_within_limits(schedule, moment, moment + 1)


@examples(80)
@given(workloads(), pools())
def test_on_a_grid_starts_are_on_it_and_no_cell_of_it_is_overloaded(
    jobs: list[Job], drives: list[Drive]
) -> None:
    """Cron's minutes: whatever runs in any part of a minute counts for all of it."""
    schedule = simulate(jobs, drives, FlexLBF(), start_grid=MINUTE)
    for start in schedule.starts:
        assert start % MINUTE == 0
        assert_within_limits(schedule, start, start + MINUTE)


def assert_within_limits(schedule: Schedule, since: int, until: int) -> None:
    """All that runs in any part of this stretch of time fits its drives."""
    for index, drive in enumerate(schedule.drives):
        active = [
            each for each in schedule if each.drive == index and each.start < until and each.end > since
        ]
        assert len(active) <= drive.max_agents
        assert sum(each.job.rate for each in active) <= drive.max_rate + ALLOWANCE


@examples(80)
@given(workloads(), pools(), st.sampled_from([LBF(), Traditional(2)]))
def test_a_fixed_number_of_agents_is_never_exceeded(
    jobs: list[Job], drives: list[Drive], scheduler: Scheduler
) -> None:
    """K agents a drive, at any moment."""
    schedule = simulate(jobs, drives, scheduler)
    for moment in schedule.starts:
        for index, drive in enumerate(schedule.drives):
            running = [each for each in schedule if each.drive == index and each.start <= moment < each.end]
            assert len(running) <= drive.max_agents


@examples(80)
@given(workloads(min_jobs=1), pools())
def test_sharing_conserves_bytes(jobs: list[Job], drives: list[Drive]) -> None:
    """What the streams get, added up between all starts and ends, is what the objects have."""
    schedule = simulate(jobs, drives, LBF())
    instants = sorted({*schedule.starts, *schedule.ends})
    got = dict.fromkeys((job.name for job in schedule.jobs), 0.0)
    for since, until in pairwise(instants):
        for index, drive in enumerate(schedule.drives):
            running = [each for each in schedule if each.drive == index and each.start <= since < each.end]
            asked = sum(each.job.rate for each in running)
            for each in running:
                got[each.job.name] += each.job.rate * (until - since) * min(1, drive.max_rate / (asked or 1))
    for job in schedule.jobs:
        assert got[job.name] == pytest.approx(job.rate * job.duration, rel=1e-6)


@examples(80)
@given(workloads(), pools(), SCHEDULERS, GRIDS)
def test_no_session_is_under_its_lower_bound(
    jobs: list[Job], drives: list[Drive], scheduler: Scheduler, grid: int
) -> None:
    """On a grid as well."""
    schedule = simulate(jobs, drives, scheduler, start_grid=grid)
    bound = lower_bound(jobs, drives, shares_rate=scheduler.shares_rate, start_grid=grid)
    assert schedule.makespan >= bound.duration


@examples(100)
@given(workloads(), pools(), SCHEDULERS, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_nothing(
    jobs: list[Job], drives: list[Drive], scheduler: Scheduler, shuffler: random.Random
) -> None:
    """The same workload gives the same schedule."""
    others = list(jobs)
    shuffler.shuffle(others)
    assert simulate(others, drives, scheduler) == simulate(jobs, drives, scheduler)


@examples(60)
@given(workloads(), pools(), SCHEDULERS, GRIDS)
def test_a_session_that_goes_as_planned_is_the_plan(
    jobs: list[Job], drives: list[Drive], scheduler: Scheduler, grid: int
) -> None:
    """True durations that are the planned ones change nothing."""
    durations = {job.name: job.duration for job in jobs}
    assert simulate(jobs, drives, scheduler, start_grid=grid, true_durations=durations) == simulate(
        jobs, drives, scheduler, start_grid=grid
    )


@examples(80)
@given(workloads(hosts=False), pools(), GRIDS, st.randoms(use_true_random=False))
def test_a_live_session_keeps_the_planned_order_and_overloads_no_drive(
    jobs: list[Job], drives: list[Drive], grid: int, nature: random.Random
) -> None:
    """However long the objects turn out to be; each takes its true time at the rate that was planned.

    Without hosts: an object that waits for its host lets others pass, and when it does is up to the night.
    """
    plan = simulate(jobs, drives, FlexLBF())
    durations = {job.name: max(1, round(job.duration * nature.uniform(0.3, 3))) for job in jobs}
    live = simulate(jobs, drives, FlexLBF(), start_grid=grid, true_durations=durations)
    assert [job.name for job in live.jobs] == [job.name for job in plan.jobs]
    assert [job.rate for job in live.jobs] == [job.rate for job in plan.jobs]
    fastest = max(drive.max_rate for drive in drives)
    asked = {job.name: job.rate for job in jobs}
    for each in live:
        slowed = asked[each.job.name] > fastest + ALLOWANCE
        true = durations[each.job.name]
        assert each.end - each.start == each.job.duration
        assert each.job.duration == (-(-true * asked[each.job.name] // fastest) if slowed else true)
    for moment in live.starts:
        assert_within_limits(live, moment, moment + 1)


def test_live_an_early_end_is_used_at_once() -> None:
    """The order is the planned one: b before c, though c turns out to be the longer."""
    plan = a_session().with_object("a", 10, 80).with_object("b", 5, 40).with_object("c", 4, 40)
    plan = plan.on_drive(80, 2)
    durations = {"a": 3 * NANOSECONDS, "c": 9 * NANOSECONDS}
    live = simulate(plan.jobs, plan.drives, FlexLBF(), true_durations=durations)
    assert [(each.job.name, each.start, each.end) for each in live] == [
        ("a", 0, 3 * NANOSECONDS),
        ("b", 3 * NANOSECONDS, 8 * NANOSECONDS),
        ("c", 3 * NANOSECONDS, 12 * NANOSECONDS),
    ]


def test_the_minute_of_an_end_is_used_up() -> None:
    """An object of 61 s keeps its agent for two minutes, one of 60 s for one."""
    session = a_session().with_object("a", 61, 80).with_object("b", 60, 80).with_object("c", 1, 80)
    session = session.on_drives(1, 80, 2).starting_every(MINUTE)
    assert session.timetable() == ["a on 0: 0-61", "b on 0: 120-180", "c on 0: 180-181"]


def test_assignments_tell_jobs_drives_and_times() -> None:
    """In the order of starts, with the rate and the duration that an object really has."""
    schedule = a_session().with_object("a", 10, 160).on_drives(1, 80, 1).run()
    (only,) = schedule
    assert (only.job.name, only.job.duration_s, only.job.throughput_mbps) == ("a", 20, 80)
    assert (only.drive, only.start, only.end) == (0, 0, 20 * NANOSECONDS)


@pytest.mark.parametrize(
    ("jobs", "drives", "message"),
    [
        pytest.param([Job.of("a", 1, 1)], (), "at least one drive", id="no drive"),
        pytest.param(
            [Job.of("a", 1, 1), Job.of("a", 2, 2)],
            equal_drives(1, 80, 1),
            "object 'a' is there twice: names must be unique in a workload",
            id="two objects of one name",
        ),
    ],
)
def test_what_can_not_be_simulated_says_why(jobs: list[Job], drives: tuple[Drive, ...], message: str) -> None:
    """With what to change."""
    with pytest.raises(ValueError, match=message):
        simulate(jobs, drives, FlexLBF())


class _Never(FlexLBF):
    """A scheduler that finds no drive good enough."""

    native_rule = None

    def choose(self, waiting: object, loads: object, now: int) -> None:  # noqa: ARG002
        return None


def test_a_scheduler_that_never_starts_an_object_is_told_so() -> None:
    """An object that fits nowhere is an error, never left out in silence."""
    with pytest.raises(ValueError, match="object 'a' fits no drive, not even an idle one"):
        a_session().with_object("a", 1, 1).on_drives(1, 80, 1).under(_Never()).run()
