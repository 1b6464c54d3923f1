"""The pilot method: what it finds is a session, never longer than the one that it begins with."""

import random
from array import array
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import Drive, Job, binding, equal_drives, lower_bound, piloting
from flexlbf.scheduling.bounds import BoundBy, LowerBound
from flexlbf.scheduling.filling import Filling
from flexlbf.scheduling.native import Session, run_native
from flexlbf.scheduling.piloting import Piloting
from flexlbf.scheduling.units import MINUTE, NANOSECONDS, RATE_TOLERANCE
from flexlbf.scheduling.workload import Workload
from support.strategies import examples, pools, workloads

pytestmark = pytest.mark.skipif(not binding.AVAILABLE, reason="there was no compiler for the kernel")

NO_BOUND = LowerBound(0, BoundBy.THROUGHPUT)
WORK = 300_000


class Found(NamedTuple):
    """A session and what it took to find it."""

    makespan: int
    drive_of: list[int]
    starts: list[int]
    work: int


def _many(objects: int, seed: int) -> Workload:
    """So many that the rule alone does not find the shortest session."""
    drawn = random.Random(seed)
    return Workload.of(
        Job.of(f"object-{number}", drawn.randint(100, 2000) / 10, drawn.randint(10, 400) / 10)
        for number in range(objects)
    )


def _slowed(jobs: list[Job], drives: list[Drive]) -> Workload:
    return Workload.of(jobs).slowed_to(max(drive.max_rate for drive in drives))


def _by_rule(jobs: Workload, drives: list[Drive], rule: Filling, grid: int) -> Session:
    session = run_native(jobs, jobs, drives, rule.native_rule, grid)
    assert session is not None
    return session


def _piloted(pilot: Piloting, session: Session) -> Found:
    drive_of, starts = array("i", session.drive_of), array("q", session.starts)
    makespan, work = pilot.shortened(session.makespan, drive_of, starts)
    return Found(makespan, list(drive_of), list(starts), work)


def _assert_valid(jobs: Workload, drives: list[Drive], found: Found, grid: int) -> None:
    """No drive runs more than it may at any start; between two starts only ends happen."""
    ends = [start + job.duration for start, job in zip(found.starts, jobs, strict=True)]
    assert found.makespan == max(ends)
    assert all(start >= 0 and start % grid == 0 for start in found.starts)
    for now in set(found.starts):
        for index, drive in enumerate(drives):
            running = [
                job.rate
                for job, on, start, end in zip(jobs, found.drive_of, found.starts, ends, strict=True)
                if on == index and start <= now < end
            ]
            assert len(running) <= drive.max_agents
            assert sum(running) <= drive.max_rate + RATE_TOLERANCE
    assert set(found.drive_of) <= set(range(len(drives)))


def _fillings(jobs: Workload) -> st.SearchStrategy[Filling]:
    return st.builds(
        Filling,
        target=st.integers(1, 4 * jobs[0].duration),
        urgency=st.sampled_from([0.0, 0.25, 1.0, 3.0]),
        even=st.sampled_from([0.0, 0.3, 2.0]),
        waste=st.sampled_from([0.0, 0.5]),
        bias=st.dictionaries(st.sampled_from([job.name for job in jobs]), st.floats(-1, 1)),
    )


@pytest.mark.slow
@examples(100)
@given(workloads(min_jobs=1, hosts=False), pools(), st.data(), st.sampled_from([1, MINUTE]))
def test_what_is_found_is_a_session_no_longer_than_the_rules(
    jobs: list[Job], drives: list[Drive], data: st.DataObject, grid: int
) -> None:
    """On any pool and grid, and nothing is touched where nothing is found."""
    slowed = _slowed(jobs, drives)
    rule = data.draw(_fillings(slowed))
    session = _by_rule(slowed, drives, rule, grid)
    pilot = Piloting(slowed, drives, grid, rule, NO_BOUND, data.draw(st.integers(0, 9)), WORK)
    found = _piloted(pilot, session)
    _assert_valid(slowed, drives, found, grid)
    assert found.makespan <= session.makespan
    if found.makespan == session.makespan:
        assert (found.drive_of, found.starts) == (list(session.drive_of), list(session.starts))
    assert lower_bound(jobs, drives, start_grid=grid).duration <= found.makespan
    assert _piloted(pilot, session) == found


@examples(150)
@given(workloads(min_jobs=1, hosts=False), pools(), st.data(), st.sampled_from([1, MINUTE]))
def test_the_rule_that_continues_is_the_kernels(
    jobs: list[Job], drives: list[Drive], data: st.DataObject, grid: int
) -> None:
    """What it makes of the empty session is the rule's session, to the last assignment."""
    slowed = _slowed(jobs, drives)
    rule = data.draw(_fillings(slowed))
    session = _by_rule(slowed, drives, rule, grid)
    worse = session._replace(
        makespan=session.makespan + 1, drive_of=[0] * len(slowed), starts=[0] * len(slowed)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(piloting, "_LEAST_WASTE", 0.0)
        found = _piloted(Piloting(slowed, drives, grid, rule, NO_BOUND, 0, 1), worse)
    assert found[:3] == (session.makespan, list(session.drive_of), list(session.starts))


@pytest.mark.parametrize("objects", [60, 200])
def test_a_session_of_many_objects_becomes_shorter(objects: int) -> None:
    """Also where the drives differ, and more than a word of jobs waits."""
    drives = [Drive.of("a", 80, 10), Drive.of("b", 120, 6)]
    jobs = _many(objects, 3)
    rule = Filling(lower_bound(jobs, drives).duration, 0.5)
    session = _by_rule(jobs, drives, rule, 1)
    found = _piloted(Piloting(jobs, drives, 1, rule, NO_BOUND, 1, 100 * WORK), session)
    _assert_valid(jobs, drives, found, 1)
    assert found.makespan < session.makespan


def test_another_seed_finds_another_session() -> None:
    """So the seed is not left unread."""
    jobs, drives = _many(60, 5), list(equal_drives(1, 80, 10))
    rule = Filling(lower_bound(jobs, drives).duration, 0.5)
    session = _by_rule(jobs, drives, rule, 1)
    found = [_piloted(Piloting(jobs, drives, 1, rule, NO_BOUND, seed, 10 * WORK), session) for seed in (1, 2)]
    assert found[0].starts != found[1].starts


def test_it_stops_at_the_bound() -> None:
    """As soon as it has a session that is no longer, and at once if that is the rule's."""
    jobs, drives = _many(60, 5), list(equal_drives(1, 80, 10))
    rule = Filling(lower_bound(jobs, drives).duration, 0.5)
    session = _by_rule(jobs, drives, rule, 1)
    best = _piloted(Piloting(jobs, drives, 1, rule, NO_BOUND, 1, 100 * WORK), session)
    bound = LowerBound((best.makespan + session.makespan) // 2, BoundBy.THROUGHPUT)
    early = _piloted(Piloting(jobs, drives, 1, rule, bound, 1, 100 * WORK), session)
    assert early.makespan <= bound.duration
    assert early.work < best.work
    met = LowerBound(session.makespan, BoundBy.THROUGHPUT)
    assert _piloted(Piloting(jobs, drives, 1, rule, met, 1, WORK), session).work == 0


def test_without_work_nothing_is_done() -> None:
    """Nor anything changed."""
    jobs, drives = _many(60, 5), list(equal_drives(1, 80, 10))
    rule = Filling(600 * NANOSECONDS, 0.5)
    session = _by_rule(jobs, drives, rule, 1)
    found = _piloted(Piloting(jobs, drives, 1, rule, NO_BOUND, 1, 0), session)
    assert found == (session.makespan, list(session.drive_of), list(session.starts), 0)


def test_more_work_is_used_and_little_work_is_not_exceeded_by_much() -> None:
    """The work is what bounds the search, and not the number of objects alone."""
    jobs, drives = _many(200, 5), list(equal_drives(2, 80, 10))
    rule = Filling(lower_bound(jobs, drives).duration, 0.5)
    session = _by_rule(jobs, drives, rule, 1)
    little, more = (
        _piloted(Piloting(jobs, drives, 1, rule, NO_BOUND, 1, work), session)
        for work in (10 * WORK, 20 * WORK)
    )
    assert 5 * WORK < little.work < 12 * WORK < more.work < 24 * WORK
