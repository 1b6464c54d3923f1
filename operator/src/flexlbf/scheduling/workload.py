"""A workload made ready once for the many simulations of a tuner or a search."""

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import NamedTuple

from flexlbf.scheduling.binding import ffi, lib
from flexlbf.scheduling.model import Job, longest_first, require_unique_names, slowed
from flexlbf.scheduling.units import RATE_TOLERANCE


class HostColumns(NamedTuple):
    """Hosts as the kernel takes them: for each job the index of its host or -1, for each host its streams."""

    host_of: "array[int]"
    max_streams: "array[int]"


def host_columns(jobs: Iterable[Job]) -> HostColumns | None:
    """The limited hosts of some jobs, None without any."""
    hosts = [job.host for job in jobs]
    if not any(hosts):
        return None
    index = {host: number for number, host in enumerate({host for host in hosts if host})}
    most = array("i", [min(host.max_streams, len(hosts)) for host in index])
    return HostColumns(array("i", [index[host] if host else -1 for host in hosts]), most)


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
        return cls._ordered(jobs)

    @classmethod
    def _ordered(cls, jobs: Sequence[Job]) -> "Workload":
        """The jobs, sorted by the kernel: numbers decide most of it, and names only among equals."""
        if lib is None or not jobs:
            return cls(longest_first(jobs))
        try:
            durations = array("q", [job.duration for job in jobs])
            rates = array("q", [job.rate for job in jobs])
        except OverflowError:
            return cls(longest_first(jobs))
        places, ties = (array("q", bytes(8 * len(jobs))) for _ in range(2))
        columns = (ffi.from_buffer("int64_t[]", each) for each in (durations, rates, places, ties))
        order = lib.order_jobs(len(jobs), *columns)
        if order.ties < 0:
            raise MemoryError
        # Told of jobs in the order that they have in memory: to read them in another takes ten times as long.
        limited = any(map(attrgetter("host"), jobs))
        # The quickest way to do that after all; of a single place it makes no list.
        ordered = list(itemgetter(*places)(jobs)) if len(jobs) > 1 else list(jobs)
        for run in range(0, 2 * order.ties, 2):
            tied = slice(ties[run], ties[run + 1])
            ordered[tied] = sorted(ordered[tied], key=attrgetter("name"))
        workload = cls(ordered)
        workload.durations, workload.rates, workload.fastest = durations, rates, order.fastest
        if not limited:
            workload.hosts = None
        return workload

    @cached_property
    def fastest(self) -> int:
        """The highest rate that a job asks for, in micro-bytes a second."""
        return max([job.rate for job in self], default=0)

    @cached_property
    def durations(self) -> "array[int]":
        """Nanoseconds of each job; OverflowError if one does not go into 64 bits."""
        return array("q", [job.duration for job in self])

    @cached_property
    def rates(self) -> "array[int]":
        """Micro-bytes a second of each job; OverflowError if one does not go into 64 bits."""
        return array("q", [job.rate for job in self])

    @cached_property
    def hosts(self) -> "HostColumns | None":
        """The limited hosts of the jobs, None without any."""
        return host_columns(self)

    def slowed_to(self, rate: int) -> "Workload":
        """The workload on drives of which the fastest has this rate: what asks for more is slowed to it."""
        if self.fastest <= rate + RATE_TOLERANCE:
            return self
        return Workload._ordered([slowed(job, rate) for job in self])
