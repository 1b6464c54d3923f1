"""The compiled kernel finds what the Python loop finds, to the last assignment."""

import random
from array import array
from dataclasses import replace
from statistics import fmean

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
    filling,
    simulate,
)
from flexlbf.scheduling.filling import LOOK_AHEAD, Filling
from flexlbf.scheduling.model import Host
from flexlbf.scheduling.native import Columns
from flexlbf.scheduling.units import MINUTE, NANOSECONDS
from support.strategies import HOSTS, examples, pools, workloads
from support.unkernelled import InPython

pytestmark = pytest.mark.skipif(not binding.AVAILABLE, reason="there was no compiler for the kernel")


def _fillings(jobs: list[Job]) -> st.SearchStrategy[Filling]:
    longest = max(job.duration for job in jobs)
    return st.builds(
        Filling,
        target=st.integers(1, 4 * longest),
        urgency=st.sampled_from([0.0, 0.25, 1.0, 3.0]),
        even=st.sampled_from([0.0, 0.3, 2.0]),
        waste=st.sampled_from([0.0, 0.5, 3.0]),
        bias=st.dictionaries(st.sampled_from([job.name for job in jobs]), st.floats(-1, 1)),
    )


def _schedulers(jobs: list[Job]) -> st.SearchStrategy[Scheduler]:
    return st.one_of(st.just(FlexLBF()), st.just(FlexLBFBackfill()), _fillings(jobs))


@examples(300)
@given(workloads(min_jobs=1), pools(), st.data(), st.sampled_from([1, MINUTE]))
def test_kernel_and_python_agree_on_every_assignment(
    jobs: list[Job], drives: list[Drive], data: st.DataObject, grid: int
) -> None:
    """For every rule that the kernel knows, on any grid."""
    scheduler = data.draw(_schedulers(jobs))
    by_kernel = simulate(jobs, drives, scheduler, start_grid=grid)
    assert by_kernel == simulate(jobs, drives, InPython(scheduler), start_grid=grid)


@examples(25)
@given(st.permutations(range(60)), st.sampled_from([0.0, 0.5]))
def test_kernel_and_python_agree_where_many_objects_have_one_rate(order: list[int], waste: float) -> None:
    """Whichever of them the biases have start first."""
    jobs = [Job.of(f"object-{number}", 100 - number, 5 + number % 2) for number in range(60)]
    bias = {f"object-{number}": place / 60 for place, number in enumerate(order)}
    drives = [Drive.of("a", 40, 4), Drive.of("b", 26, 5)]
    rule = Filling(target=600 * NANOSECONDS, urgency=1.0, even=0.0, waste=waste, bias=bias)
    assert simulate(jobs, drives, rule) == simulate(jobs, drives, InPython(rule))


@examples(100)
@given(
    st.lists(
        st.tuples(st.integers(5, 120), st.integers(1, 50), st.sampled_from(HOSTS)), min_size=20, max_size=40
    ),
    st.integers(1, 8),
    st.integers(0, 2),
    st.integers(1, 6),
    st.integers(1, 4),
    st.data(),
)
def test_kernel_and_python_agree_where_more_fit_than_are_compared(
    rows: list[tuple[int, int, Host | None]],
    look_ahead: int,
    fastest: int,
    classes: int,
    passed: int,
    data: st.DataObject,
) -> None:
    """With limits as small as these workloads: a session begins with few of many and ends with all."""
    jobs = [replace(Job.of(f"o{place}", *row[:2]), host=row[2]) for place, row in enumerate(rows)]
    drives = [Drive.of("a", 80, 5), Drive.of("b", 60, 3)]
    rule = data.draw(_fillings(jobs))
    limits = {"LOOK_AHEAD": look_ahead, "FASTEST": fastest, "CLASSES": classes, "PASSED": passed}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(filling, name, value)
        assert simulate(jobs, drives, rule) == simulate(jobs, drives, InPython(rule))


@pytest.mark.parametrize("even", [0.0, 0.5, 1.5])
def test_kernel_and_python_agree_on_a_thousand_objects(even: float) -> None:
    """With the limits as they are, also where some wait for their hosts."""
    drawn = random.Random(2026)
    hosts = [Host("alone", 1), Host("both", 2), None, None]
    jobs = [
        Job.of(f"object-{number}", drawn.randint(5, 120), drawn.randint(1, 400) / 10)
        for number in range(2 * LOOK_AHEAD)
    ]
    jobs += [replace(job, name=f"{job.name}-of-a-host", host=drawn.choice(hosts)) for job in jobs]
    drives = [Drive.of("a", 80, 10), Drive.of("b", 60, 6)]
    bias = {job.name: drawn.random() / 5 for job in jobs[::7]}
    rule = Filling(target=3000 * NANOSECONDS, urgency=1.0, even=even, waste=0.3, bias=bias)
    assert simulate(jobs, drives, rule) == simulate(jobs, drives, InPython(rule))


def test_biases_are_drawn_around_others():
    """Within half a spread of them, evenly, and the same for the same seed."""
    jobs, pool = [Job.of(f"o{place}", 60, 8) for place in range(1000)], equal_drives(1, 80, 4)
    columns = Columns(jobs, pool)
    around, shape = (array("d", (value * place for place in range(1000))) for value in (0.001, 1.0))

    def drawn(spread: float, lean: float, seed: int) -> list[float]:
        columns.draw_bias(around, spread, shape, lean, seed)
        return list(columns.bias)

    assert drawn(0.0, 2.0, 7) == [base + 2.0 * leans for base, leans in zip(around, shape, strict=True)]
    off = [value - base for value, base in zip(drawn(0.5, 0.0, 7), around, strict=True)]
    assert -0.25 < min(off) < -0.24
    assert 0.24 < max(off) < 0.25
    assert abs(fmean(off)) < 0.02
    assert drawn(0.5, 0.0, 7) != drawn(0.5, 0.0, 8)
    assert drawn(0.5, 0.0, 7) == drawn(0.5, 0.0, 7)


def test_numbers_too_large_for_the_kernel_are_simulated_all_the_same() -> None:
    """A century and more of backups does not wrap around."""
    for duration in (1 << 60, 1 << 62):
        jobs = [Job(f"object-{number}", duration, 1) for number in range(9)]
        assert simulate(jobs, [Drive("d", 1, 1)], FlexLBF()).makespan == 9 * duration
