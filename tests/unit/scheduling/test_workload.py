"""A workload is the paper's ordered list, whoever sorts it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import Job, longest_first
from flexlbf.scheduling.workload import Workload
from support.strategies import examples, workloads


@examples(300)
@given(workloads() | st.lists(st.builds(Job, st.text(min_size=1), st.integers(1, 3), st.integers(0, 2))))
def test_the_kernel_sorts_as_the_order_says(jobs: list[Job]) -> None:
    """Names decide among equals, whatever they are made of, and all that is kept beside the jobs agrees."""
    jobs = list({job.name: job for job in jobs}.values())
    workload = Workload.of(jobs)
    assert list(workload) == longest_first(jobs)
    assert list(workload.durations) == [job.duration for job in workload]
    assert list(workload.rates) == [job.rate for job in workload]
    assert workload.fastest == max((job.rate for job in jobs), default=0)


def test_a_large_workload_of_equals_is_in_order() -> None:
    """Runs of equals lie between others, at the beginning and at the end."""
    jobs = [Job(f"object-{number * 7 % 3000}", 1 + number % 3, 1) for number in range(3000)]
    assert list(Workload.of(jobs)) == longest_first(jobs)


def test_numbers_too_large_for_the_kernel_are_sorted_all_the_same() -> None:
    """Nothing wraps around."""
    jobs = [Job("short", 1, 1), Job("long", 1 << 70, 1), Job("longer", 1 << 71, 1 << 70)]
    assert [job.name for job in Workload.of(jobs)] == ["longer", "long", "short"]
    assert Workload.of(jobs).fastest == 1 << 70


def test_two_jobs_of_one_name_are_refused() -> None:
    """A plan could not tell them apart."""
    with pytest.raises(ValueError, match="object 'a' is there twice"):
        Workload.of([Job("a", 1, 1), Job("b", 1, 1), Job("a", 2, 1)])
