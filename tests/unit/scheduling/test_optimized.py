"""The search: no plan longer than FlexLBF's, the same anywhere, and an order and a rule to be run live."""

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given

from flexlbf.samples import workload
from flexlbf.scheduling import (
    Drive,
    FlexLBF,
    FlexLBFBackfill,
    Job,
    Optimized,
    Scheduler,
    binding,
    equal_drives,
    lower_bound,
    simulate,
)
from flexlbf.scheduling.filling import Filling
from flexlbf.scheduling.hardening import Nights, around
from flexlbf.scheduling.native import NEVER
from flexlbf.scheduling.planned import PlannedOrder
from flexlbf.scheduling.rulesearch import RuleSearch
from flexlbf.scheduling.usage import host_overloads, overloads
from support.builders import a_session
from support.strategies import examples, pools, workloads

needs_kernel = pytest.mark.skipif(not binding.AVAILABLE, reason="the search needs the compiled kernel")
QUICK = Optimized(budget_s=0.02)


def test_the_first_object_that_fits_goes_before_a_longer_one_that_does_not() -> None:
    """FlexLBF would leave the drive half empty for the first 100 s."""
    session = a_session().with_object("a", 100, 50).with_object("b", 90, 40).with_object("c", 80, 30)
    assert session.on_drives(1, 80, 4).under(FlexLBFBackfill()).timetable() == [
        "a on 0: 0-100",
        "c on 0: 0-80",
        "b on 0: 100-190",
    ]


@needs_kernel
@examples(60)
@given(workloads(), pools())
def test_it_is_never_behind_flexlbf_and_overloads_nothing(jobs: list[Job], drives: list[Drive]) -> None:
    """Whatever the workload and the pool."""
    found = simulate(jobs, drives, QUICK)
    assert found.makespan <= simulate(jobs, drives, FlexLBF()).makespan
    assert overloads(found) == []
    assert host_overloads(found) == []
    assert sorted(job.name for job in found.jobs) == sorted(job.name for job in jobs)
    assert found.makespan >= lower_bound(jobs, drives).duration


@needs_kernel
@pytest.mark.parametrize(("seed", "drives"), [(101, 1), (102, 1), (103, 1), (104, 2), (105, 2)])
def test_it_comes_close_to_the_bound_where_flexlbf_does_not(seed: int, drives: int) -> None:
    """On workloads like the paper's, with a tenth of the usual budget."""
    jobs, pool = workload(200, seed), equal_drives(drives, 80, 10)
    bound = lower_bound(jobs, pool).duration
    assert simulate(jobs, pool, FlexLBF()).makespan > 1.03 * bound
    assert simulate(jobs, pool, Optimized(budget_s=0.1)).makespan <= 1.03 * bound


@needs_kernel
@pytest.mark.parametrize("drives", [2, 4])
def test_it_comes_close_to_the_bound_with_thousands_of_tiny_objects(drives: int) -> None:
    """Where agents are about as short as throughput, with a third of the usual budget."""
    drawn = random.Random(4)
    jobs = [
        Job.of(f"object-{number}", drawn.lognormvariate(3.5, 0.8), drawn.lognormvariate(1.8, 0.8))
        for number in range(5000)
    ]
    pool = equal_drives(drives, 80, 10)
    bound = lower_bound(jobs, pool).duration
    assert simulate(jobs, pool, Optimized(budget_s=0.3)).makespan <= 1.01 * bound


@needs_kernel
def test_the_same_seed_finds_the_same_whatever_the_order_of_the_rows() -> None:
    """The search counts sessions, not seconds."""
    jobs, pool = workload(200, 101), equal_drives(1, 80, 10)
    once = simulate(jobs, pool, QUICK)
    assert simulate(jobs[::-1], pool, QUICK) == once


@needs_kernel
@examples(30)
@given(workloads(), pools())
def test_a_search_is_done_again_to_the_last_bias(jobs: list[Job], drives: list[Drive]) -> None:
    """Whatever the shape of the workload."""
    once, again = (Optimized(seed=3, budget_s=0.01).fitted(jobs, drives, 1) for _ in range(2))
    assert once == again


@needs_kernel
@pytest.mark.parametrize("objects", [200, 2000])
def test_a_search_counts_what_it_does_and_not_its_sessions(objects: int) -> None:
    """A session of 2,000 objects is as much work as hundreds of small ones."""
    jobs, pool, work = workload(objects, 101), equal_drives(1, 80, 10), 10_000_000
    search, one = (RuleSearch(jobs, pool, 1, 0, each) for each in (work, 1))
    for each in (search, one):
        each.run(NEVER)
    assert one.done < work <= search.done + one.done
    assert search.done <= work + 2 * one.done


@needs_kernel
def test_a_second_object_fills_what_the_first_leaves() -> None:
    """Alone 50 fills more than 45 and no other has room beside it; 45 and 35 fill all."""
    session = a_session().with_object("a", 100, 50).with_object("b", 100, 45).with_object("c", 100, 35)
    session = session.on_drives(1, 80, 4)
    rule = Filling(target=300 * 10**9, urgency=0.1)
    assert session.under(rule).timetable()[0] == "a on 0: 0-100"
    assert session.under(replace(rule, waste=2.0)).timetable() == [
        "b on 0: 0-100",
        "c on 0: 0-100",
        "a on 0: 100-200",
    ]


def test_an_agent_that_stays_free_is_left_its_part_of_the_room() -> None:
    """What is asked beyond that fills nothing, so the longest goes first of those that fill theirs."""
    session = a_session().with_object("a", 90, 70).with_object("b", 100, 45).with_object("c", 80, 35)
    session = session.on_drives(1, 80, 2)
    rule = Filling(target=300 * 10**9, urgency=0.1)
    assert session.under(rule).timetable()[0] == "a on 0: 0-90"
    assert session.under(replace(rule, even=1.0)).timetable() == [
        "b on 0: 0-100",
        "c on 0: 0-80",
        "a on 0: 100-190",
    ]


@needs_kernel
def test_what_is_found_can_be_run_again_as_an_order_and_a_rule() -> None:
    """The live dispatcher gets a scheduler, not a table of times."""
    jobs, pool = workload(200, 101), equal_drives(1, 80, 10)
    found = simulate(jobs, pool, QUICK)
    assert isinstance(found.scheduler, PlannedOrder)
    assert simulate(jobs, pool, found.scheduler) == found


@needs_kernel
def test_off_the_plan_that_rule_decides_that_is_the_best_in_varied_nights(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of the one that was found, FlexLBF, and those that hurry and fill more or less."""
    tried, chosen = list[Scheduler](), Filling(target=12_345, urgency=0.25)

    def best_of(_: Nights, rules: Iterable[Scheduler], work: int) -> Scheduler:
        assert work > 0
        tried.extend(rules)
        return chosen

    monkeypatch.setattr(Nights, "best_of", best_of)
    order = QUICK.fitted(workload(200, 101), equal_drives(1, 80, 10), 1)
    assert isinstance(order, PlannedOrder)
    assert order.rule is chosen
    found = tried[0]
    assert isinstance(found, Filling)
    assert not found.bias
    assert tried[1:] == list[Scheduler]([FlexLBF(), *around(found)])


def test_it_stops_where_nothing_can_be_better() -> None:
    """FlexLBF itself is what it gives back when that meets the bound."""
    session = a_session().with_objects("a b", 100, 40).on_drives(1, 80, 2)
    assert isinstance(Optimized().fitted(session.jobs, session.drives, 1), FlexLBF)
