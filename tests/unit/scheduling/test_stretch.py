"""The price of interleaving: what a restore reads over what it wants."""

from fractions import Fraction
from itertools import pairwise
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import (
    LBF,
    Drive,
    FlexLBF,
    Job,
    Schedule,
    Scheduler,
    Stretch,
    Traditional,
    mean_stretch,
    restore_stretch,
    restore_stretches,
    simulate,
)
from flexlbf.scheduling.units import MINUTE
from support.builders import a_session
from support.strategies import examples, pools, workloads

SCHEDULERS = st.sampled_from([FlexLBF(), LBF(), Traditional(3)])
GRIDS = st.sampled_from([1, MINUTE])
ALLOWANCE = 1000
"""Rates closer than 1e-9 MB/s are one rate."""


def integral(schedule: Schedule, drive: int, since: int, until: int) -> int:
    """What a drive writes in a stretch of time, added up between all instants at which anything changes."""
    instants = sorted({since, until, *schedule.starts, *schedule.ends})
    limit, total = schedule.drives[drive].max_rate, 0
    for begin, end in pairwise(instant for instant in instants if since <= instant <= until):
        running = [each for each in schedule if each.drive == drive and each.start <= begin < each.end]
        asked = sum(each.job.rate for each in running)
        total += (end - begin) * (asked if asked <= limit + ALLOWANCE else limit)
    return total


@examples(120)
@given(workloads(), pools(), SCHEDULERS, GRIDS)
def test_an_objects_stretch_is_what_its_drive_wrote_meanwhile_over_its_own_bytes(
    jobs: list[Job], drives: list[Drive], scheduler: Scheduler, grid: int
) -> None:
    """The sweep against an integral written down from the definition."""
    schedule = simulate(jobs, drives, scheduler, start_grid=grid)
    found = restore_stretches(schedule)
    assert set(found) == {job.name for job in schedule.jobs if job.rate}
    for each in schedule:
        if each.job.rate:
            wrote = integral(schedule, each.drive, each.start, each.end)
            assert found[each.job.name] == max(1, float(Fraction(wrote, each.job.duration * each.job.rate)))


@examples(60)
@given(workloads(max_jobs=1, min_jobs=1), pools(), SCHEDULERS)
def test_a_lone_stream_is_not_stretched(jobs: list[Job], drives: list[Drive], scheduler: Scheduler) -> None:
    """A restore reads just its data; what a shared drive's ends are rounded to is no more than that."""
    schedule = simulate(jobs, drives, scheduler)
    for stretch in restore_stretches(schedule).values():
        assert stretch == (pytest.approx(1) if scheduler.shares_rate else 1)


@examples(60)
@given(workloads(), pools(max_agents=1), SCHEDULERS)
def test_one_agent_a_drive_interleaves_nothing(
    jobs: list[Job], drives: list[Drive], scheduler: Scheduler
) -> None:
    """Whatever the scheduler, one object follows the other."""
    schedule = simulate(jobs, drives, scheduler)
    assert all(stretch == pytest.approx(1) for stretch in restore_stretches(schedule).values())


@examples(80)
@given(workloads(), pools())
def test_the_median_is_among_the_objects_and_the_worst_is_one_of_them(
    jobs: list[Job], drives: list[Drive]
) -> None:
    """1 ≤ median ≤ worst, and the object named has it."""
    schedule = simulate(jobs, drives, FlexLBF())
    found, summary = restore_stretches(schedule), restore_stretch(schedule)
    if summary is None:
        assert not found
        return
    assert 1 <= summary.median <= summary.worst
    assert summary.median == median(found.values())
    assert summary.worst_object
    assert found[summary.worst_object] == summary.worst == max(found.values())


@examples(80)
@given(workloads(min_jobs=1), pools())
def test_spans_added_up_are_each_pair_of_streams_counted_for_both(
    jobs: list[Job], drives: list[Drive]
) -> None:
    """Own bytes once, and for every two streams of a drive what either writes while both run."""
    schedule = simulate(jobs, drives, FlexLBF())
    found = restore_stretches(schedule)
    spans = sum(Fraction(found[job.name]) * job.duration * job.rate for job in schedule.jobs if job.rate)
    own = sum(job.duration * job.rate for job in schedule.jobs)
    both = sum(
        max(0, min(one.end, other.end) - max(one.start, other.start)) * other.job.rate
        for one in schedule
        for other in schedule
        if one.job.rate and one.drive == other.drive and one.job.name != other.job.name
    )
    assert float(spans) == pytest.approx(own + both)


def test_two_streams_stretch_each_other_by_what_they_write_together() -> None:
    """Each lies among half as much again."""
    schedule = a_session().with_object("long", 100, 20).with_object("short", 25, 40).on_drive(80, 4).run()
    assert restore_stretches(schedule) == {"long": 1.5, "short": 1.5}
    assert restore_stretch(schedule) == Stretch(1.5, 1.5, "long")


def test_a_small_stream_beside_a_fast_one_is_the_worst() -> None:
    """It is the slow objects that interleaving costs most."""
    schedule = a_session().with_object("fast", 50, 60).with_object("slow", 50, 2).on_drive(80, 4).run()
    assert restore_stretch(schedule) == Stretch((62 / 60 + 31) / 2, 31, "slow")


def test_streams_that_share_a_drive_write_no_more_than_it_takes() -> None:
    """Two that ask for 80 MB/s each get half of it, for twice as long."""
    schedule = a_session().with_objects("a b", 10, 80).on_drive(80, 2).under(LBF()).run()
    assert restore_stretches(schedule) == {"a": 2, "b": 2}


def test_an_object_of_no_bytes_has_no_stretch() -> None:
    """And a session of such objects none at all."""
    nothing = a_session().with_object("empty", 10, 0).on_drive(80, 2)
    assert restore_stretch(nothing.run()) is None
    assert restore_stretches(nothing.with_object("full", 10, 5).run()) == {"full": 1}


def test_the_mean_over_sessions_names_no_object() -> None:
    """Each session has a worst of its own."""
    assert mean_stretch([Stretch(2, 4, "a"), None, Stretch(4, 10, "b")]) == Stretch(3, 7, None)
    assert mean_stretch([None]) is None
