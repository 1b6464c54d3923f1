"""A workload made ready once for the many simulations of a tuner or a search."""

from array import array
from collections.abc import Iterable
from functools import cached_property
from operator import attrgetter

from flexlbf.scheduling.model import Job, longest_first, require_unique_names, slowed
from flexlbf.scheduling.units import RATE_TOLERANCE


class Workload(tuple[Job, ...]):  # noqa: SLOT001 - what is computed once is kept in it
    """Jobs of different names, the longest first: the paper's OrdObjList."""

    @classmethod
    def of(cls, jobs: Iterable[Job]) -> "Workload":
        """The jobs as a workload; one that is one already is given back.

        Raises:
            ValueError: two jobs have one name.
        """
        if isinstance(jobs, cls):
            return jobs
        jobs = tuple(jobs)
        require_unique_names(jobs)
        return cls(longest_first(jobs))

    @cached_property
    def fastest(self) -> int:
        """The highest rate that a job asks for, in micro-bytes a second."""
        return max(map(attrgetter("rate"), self), default=0)

    @cached_property
    def durations(self) -> "array[int]":
        """Nanoseconds of each job; OverflowError if one does not go into 64 bits."""
        return array("q", map(attrgetter("duration"), self))

    @cached_property
    def rates(self) -> "array[int]":
        """Micro-bytes a second of each job; OverflowError if one does not go into 64 bits."""
        return array("q", map(attrgetter("rate"), self))

    def slowed_to(self, rate: int) -> "Workload":
        """The workload on drives of which the fastest has this rate: what asks for more is slowed to it."""
        if self.fastest <= rate + RATE_TOLERANCE:
            return self
        return Workload(longest_first(slowed(job, rate) for job in self))
