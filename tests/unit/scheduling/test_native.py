"""The compiled kernel finds what the Python loop finds, to the last assignment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import Drive, FlexLBF, FlexLBFBackfill, Job, Scheduler, binding, simulate
from flexlbf.scheduling.filling import Filling
from flexlbf.scheduling.protocol import NativeRule
from flexlbf.scheduling.units import MINUTE, NANOSECONDS
from support.strategies import examples, pools, workloads

pytestmark = pytest.mark.skipif(not binding.AVAILABLE, reason="there was no compiler for the kernel")


class _InPython:
    """A scheduler whose rule the kernel does not know."""

    native_rule: NativeRule | None = None
    shares_rate = False

    def __init__(self, scheduler: Scheduler) -> None:
        self.order = scheduler.order
        self.choose = scheduler.choose

    def fitted(self, *_: object) -> "_InPython":
        return self


def _schedulers(jobs: list[Job]) -> st.SearchStrategy[Scheduler]:
    longest = max(job.duration for job in jobs)
    filling = st.builds(
        Filling,
        target=st.integers(1, 4 * longest),
        urgency=st.sampled_from([0.0, 0.25, 1.0, 3.0]),
        even=st.sampled_from([0.0, 0.3, 2.0]),
        waste=st.sampled_from([0.0, 0.5, 3.0]),
        bias=st.dictionaries(st.sampled_from([job.name for job in jobs]), st.floats(-1, 1)),
    )
    return st.one_of(st.just(FlexLBF()), st.just(FlexLBFBackfill()), filling)


@examples(300)
@given(workloads(min_jobs=1), pools(), st.data(), st.sampled_from([1, MINUTE]))
def test_kernel_and_python_agree_on_every_assignment(
    jobs: list[Job], drives: list[Drive], data: st.DataObject, grid: int
) -> None:
    """For every rule that the kernel knows, on any grid."""
    scheduler = data.draw(_schedulers(jobs))
    by_kernel = simulate(jobs, drives, scheduler, start_grid=grid)
    assert by_kernel == simulate(jobs, drives, _InPython(scheduler), start_grid=grid)


@examples(25)
@given(st.permutations(range(60)), st.sampled_from([0.0, 0.5]))
def test_kernel_and_python_agree_where_many_objects_have_one_rate(order: list[int], waste: float) -> None:
    """Whichever of them the biases have start first."""
    jobs = [Job.of(f"object-{number}", 100 - number, 5 + number % 2) for number in range(60)]
    bias = {f"object-{number}": place / 60 for place, number in enumerate(order)}
    drives = [Drive.of("a", 40, 4), Drive.of("b", 26, 5)]
    rule = Filling(target=600 * NANOSECONDS, urgency=1.0, even=0.0, waste=waste, bias=bias)
    assert simulate(jobs, drives, rule) == simulate(jobs, drives, _InPython(rule))


def test_numbers_too_large_for_the_kernel_are_simulated_all_the_same() -> None:
    """A century and more of backups does not wrap around."""
    for duration in (1 << 60, 1 << 62):
        jobs = [Job(f"object-{number}", duration, 1) for number in range(9)]
        assert simulate(jobs, [Drive("d", 1, 1)], FlexLBF()).makespan == 9 * duration
