"""Polishing: a session that is no longer and overloads nothing; of few objects the shortest there is."""

import math
import random
import statistics
from array import array
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.samples import workload
from flexlbf.scheduling import (
    Drive,
    FlexLBF,
    FlexLBFBackfill,
    Job,
    Optimized,
    Schedule,
    Scheduler,
    binding,
    equal_drives,
    hardening,
    lower_bound,
    polishing,
    simulate,
)
from flexlbf.scheduling.bounds import BoundBy, LowerBound
from flexlbf.scheduling.filling import Filling
from flexlbf.scheduling.hardening import Nights, around
from flexlbf.scheduling.planned import PlannedOrder
from flexlbf.scheduling.polishing import Polishing
from flexlbf.scheduling.protocol import Start
from flexlbf.scheduling.rulesearch import RuleSearch
from flexlbf.scheduling.units import MINUTE, NANOSECONDS
from flexlbf.scheduling.usage import overloads
from flexlbf.scheduling.workload import Workload
from support import oracle
from support.strategies import examples, pools, workloads

pytestmark = pytest.mark.skipif(not binding.AVAILABLE, reason="polishing needs the compiled kernel")
RULES: tuple[Scheduler, ...] = (FlexLBF(), FlexLBFBackfill(), Filling(600 * NANOSECONDS, 0.5))
NO_BOUND = LowerBound(0, BoundBy.THROUGHPUT)
WORK = 6_000_000


class Annealing(NamedTuple):
    """What the kernel is told, and the work that it takes."""

    seed: int
    budget: int
    work: int


@pytest.fixture
def annealings(monkeypatch: pytest.MonkeyPatch) -> list[Annealing]:
    """All that are done."""
    done = list[Annealing]()

    def polish(of: Any, *columns: Any) -> int:
        makespan = int(binding.lib.polish(of, *columns))
        done.append(Annealing(of.seed, of.budget, of.work))
        return makespan

    monkeypatch.setattr(polishing, "lib", SimpleNamespace(polish=polish))
    return done


def _forty(seed: int) -> list[Job]:
    """Objects of which some fit beside each other."""
    drawn = random.Random(seed)
    rows = [(drawn.lognormvariate(7.3, 0.8), min(79.0, drawn.lognormvariate(2.7, 0.8))) for _ in range(40)]
    return [Job.of(f"object-{number}", *row) for number, row in enumerate(rows)]


def _polished(
    session: Schedule,
    drives: Sequence[Drive],
    bound: LowerBound,
    grid: int = 1,
    work: int = 100_000,
    seed: int = 0,
) -> tuple[int, PlannedOrder]:
    """The makespan that is told, and the order."""
    jobs = Workload.of(session.jobs)
    found = {each.job.name: each for each in session}
    order, drive_of = array("i", range(len(jobs))), array("i", [found[job.name].drive for job in jobs])
    starts = array("q", [found[job.name].start for job in jobs])
    makespan = Polishing(jobs, drives, grid, bound, seed, work).shortened(order, drive_of, starts)
    return makespan, PlannedOrder.of(jobs, drives, order, drive_of, starts, FlexLBF())


@examples(60)
@given(
    workloads(min_jobs=1, hosts=False),
    pools(),
    st.sampled_from(RULES),
    st.sampled_from([1, MINUTE]),
    st.sampled_from([0, 1_000, 100_000]),
)
def test_a_polished_session_is_one_and_no_longer(
    jobs: list[Job], drives: list[Drive], rule: Scheduler, grid: int, work: int
) -> None:
    """Whatever it begins with."""
    before = simulate(jobs, drives, rule, start_grid=grid)
    makespan, order = _polished(before, drives, lower_bound(jobs, drives, start_grid=grid), grid, work)
    after = simulate(jobs, drives, order, start_grid=grid)
    assert after.makespan == makespan <= before.makespan
    assert overloads(after) == []
    assert all(start % grid == 0 for start in after.starts)
    assert {each.job.name: each.start for each in after} == {name: s.start for name, s in order.plan.items()}


@examples(50)
@given(workloads(min_jobs=1, hosts=False), pools())
def test_the_same_seed_polishes_to_the_same(jobs: list[Job], drives: list[Drive]) -> None:
    """To the last start."""
    before, bound = simulate(jobs, drives, FlexLBF()), lower_bound(jobs, drives)
    assert _polished(before, drives, bound, work=20_000) == _polished(before, drives, bound, work=20_000)


@pytest.mark.parametrize("seed", range(12))
def test_few_objects_end_as_early_as_they_can(seed: int) -> None:
    """By every order on every drive."""
    drawn = random.Random(seed)
    jobs = [Job.of(f"object-{number}", drawn.randint(50, 200), drawn.randint(5, 60)) for number in range(5)]
    drives = [Drive.of("a", 80, 3), *([Drive.of("b", 60, 2)] if seed % 2 else [])]
    found = simulate(jobs, drives, Optimized(budget_s=0.05)).makespan
    assert found == oracle.shortest(jobs, drives)


def test_polishing_finds_shorter_sessions_than_a_search_for_rules() -> None:
    """Of forty objects on four agents, in the same work."""
    ratios = []
    for seed in range(5):
        jobs, drives = _forty(seed), equal_drives(1, 80, 4)
        search = RuleSearch(jobs, drives, 1, 0, work=40_000_000)
        search.run(search.baseline(FlexLBF()))
        ratios.append(simulate(jobs, drives, Optimized(budget_s=0.16)).makespan / search.best.makespan)
    assert sum(ratios) / len(ratios) < 0.995


def test_another_seed_polishes_to_another_session() -> None:
    """So the seed is not left unread."""
    drives = equal_drives(1, 80, 4)
    before = simulate(_forty(0), drives, FlexLBF())
    once, again = (_polished(before, drives, NO_BOUND, seed=seed) for seed in (0, 1000))
    assert once != again


@pytest.mark.parametrize("grid", [1, MINUTE])
def test_polishing_stops_at_the_bound(annealings: list[Annealing], grid: int) -> None:
    """In the middle of the first annealing, where the bound is half way to what all the work finds."""
    drives = equal_drives(1, 80, 4)
    before = simulate(_forty(0), drives, FlexLBF(), start_grid=grid)
    best, _ = _polished(before, drives, NO_BOUND, grid, WORK)
    assert all(each.work >= each.budget for each in annealings)
    annealings.clear()
    bound = LowerBound((best + before.makespan) // 2, BoundBy.THROUGHPUT)
    makespan, _ = _polished(before, drives, bound, grid, WORK)
    assert not bound.met_by(before.makespan, grid)
    assert bound.met_by(makespan, grid)
    assert [each.work < each.budget for each in annealings] == [True]


@pytest.mark.parametrize("grid", [1, MINUTE])
def test_a_session_at_the_bound_is_not_polished(annealings: list[Annealing], grid: int) -> None:
    """On a grid it is as soon as none can end a step earlier."""
    drives = equal_drives(1, 80, 4)
    before = simulate(_forty(0), drives, FlexLBF(), start_grid=grid)
    bound = LowerBound((before.makespan - 1) // grid * grid + 1, BoundBy.THROUGHPUT)
    makespan, order = _polished(before, drives, bound, grid, WORK)
    assert makespan == before.makespan
    assert {each.job.name: each.start for each in before} == {n: s.start for n, s in order.plan.items()}
    assert [each.work < each.budget / 100 for each in annealings] == [True]


@pytest.mark.parametrize(("objects", "times"), [(20, 10), (100, 3), (150, 2), (151, 1)])
def test_few_objects_are_polished_several_times(
    monkeypatch: pytest.MonkeyPatch, objects: int, times: int
) -> None:
    """Each time what there was at first, with other draws and a part of the work; the best is kept."""
    jobs, drives = Workload.of(workload(objects, 101)), equal_drives(1, 80, 10)
    asked, best = list[tuple[int, int]](), 0

    def polish(of: Any, *columns: Any) -> int:
        assert [column[0] for column in columns] == [0, 0, 0]
        asked.append((of.seed, of.budget))
        for column in columns:
            column[0] = len(asked)
        return 100 if len(asked) == best else 200

    monkeypatch.setattr(polishing, "lib", SimpleNamespace(polish=polish))
    for best in range(1, times + 1):
        asked.clear()
        columns = (
            array("i", bytes(4 * objects)),
            array("i", bytes(4 * objects)),
            array("q", bytes(8 * objects)),
        )
        assert Polishing(jobs, drives, 1, NO_BOUND, seed=5, work=WORK).shortened(*columns) == 100
        assert [column[0] for column in columns] == [best, best, best]
        assert len({seed for seed, _ in asked}) == len(asked) == times
        assert sum(budget for _, budget in asked) == WORK


def test_of_objects_that_start_together_the_one_that_others_waited_for_is_the_first() -> None:
    """`slow` fits at once; it started later as it waited behind `fast`, and is to do so live."""
    jobs = Workload.of([Job.of("slow", 20, 1), Job.of("first", 10, 80), Job.of("fast", 5, 70)])
    places = {job.name: place for place, job in enumerate(jobs)}
    order = array("i", [places[name] for name in ("first", "fast", "slow")])
    starts = [0 if job.name == "first" else 10 * NANOSECONDS for job in jobs]
    planned = PlannedOrder.of(jobs, equal_drives(1, 80, 4), order, [0, 0, 0], starts, FlexLBF())
    assert list(planned.plan) == ["first", "fast", "slow"]
    second = 10 * NANOSECONDS
    assert planned.plan["fast"] == Start(0, second, second + 5 * NANOSECONDS, 70 * 10**12)


def test_nights_that_vary_are_shorter_under_a_rule_that_is_chosen_for_them() -> None:
    """One that has all the time in the world leaves long objects to the end."""
    jobs, drives = Workload.of(workload(200, 101)), equal_drives(2, 80, 10)
    bound = lower_bound(jobs, drives).duration
    lazy, usual = Filling(target=100 * bound, urgency=0.0), Filling(target=bound, urgency=0.5)
    nights = Nights(jobs, drives, 1, seed=1)
    found = nights.best_of((lazy, *around(usual)), 1 << 40)
    assert found != lazy
    assert Nights(jobs, drives, 1, seed=1).best_of((lazy, *around(usual)), 1 << 40) == found
    assert Nights(jobs, drives, 1, seed=1).best_of((lazy, *around(usual)), 0) == lazy


def test_every_night_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects last about a fifth more or less than planned, on average as long; nothing else changes."""
    jobs, nights = Workload.of(workload(200, 101)), list[list[Job]]()
    monkeypatch.setattr(hardening, "Columns", lambda _jobs, _drives, true: nights.append(list(true)))
    Nights(jobs, equal_drives(2, 80, 10), 1, seed=1)
    factors = [
        [true.duration / job.duration for job, true in zip(jobs, night, strict=True)] for night in nights
    ]
    assert len({tuple(night) for night in factors}) == len(nights) > 1
    assert statistics.fmean(by for night in factors for by in night) == pytest.approx(1, abs=0.03)
    assert statistics.stdev(math.log(by) for night in factors for by in night) == pytest.approx(0.2, abs=0.02)
    for night in nights:
        for job, true in zip(jobs, night, strict=True):
            assert replace(true, duration=job.duration) == job
