"""The search: never behind FlexLBF, the same anywhere, and an order and a rule that can be run live."""

import pytest
from hypothesis import given

from flexlbf.samples import workload
from flexlbf.scheduling import (
    Drive,
    FlexLBF,
    FlexLBFBackfill,
    Job,
    Optimized,
    binding,
    equal_drives,
    lower_bound,
    simulate,
)
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
@pytest.mark.parametrize("seed", [101, 102, 103])
@pytest.mark.parametrize("drives", [1, 2])
def test_it_comes_close_to_the_bound_where_flexlbf_does_not(seed: int, drives: int) -> None:
    """On workloads like the paper's, with a tenth of the usual budget."""
    jobs, pool = workload(200, seed), equal_drives(drives, 80, 10)
    bound = lower_bound(jobs, pool).duration
    assert simulate(jobs, pool, Optimized(budget_s=0.1)).makespan <= 1.03 * bound


@needs_kernel
def test_the_same_seed_finds_the_same_whatever_the_order_of_the_rows() -> None:
    """The search counts sessions, not seconds."""
    jobs, pool = workload(100, 7), equal_drives(1, 80, 10)
    once = simulate(jobs, pool, QUICK)
    assert simulate(jobs[::-1], pool, QUICK) == once


@needs_kernel
def test_what_is_found_can_be_run_again_as_an_order_and_a_rule() -> None:
    """The live dispatcher gets a scheduler, not a table of times."""
    jobs, pool = workload(100, 7), equal_drives(1, 80, 10)
    found = simulate(jobs, pool, QUICK)
    assert found.scheduler != QUICK
    assert simulate(jobs, pool, found.scheduler) == found


def test_it_stops_where_nothing_can_be_better() -> None:
    """FlexLBF itself is what it gives back when that meets the bound."""
    session = a_session().with_objects("a b", 100, 40).on_drives(1, 80, 2)
    assert isinstance(Optimized().fitted(session.jobs, session.drives, 1), FlexLBF)
