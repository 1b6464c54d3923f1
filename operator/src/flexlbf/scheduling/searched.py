"""What every search in the kernel that shortens sessions is told of the workload and the pool."""

from array import array
from collections.abc import Sequence
from typing import Any

from flexlbf.scheduling.binding import ffi
from flexlbf.scheduling.bounds import LowerBound
from flexlbf.scheduling.model import Drive
from flexlbf.scheduling.units import RATE_TOLERANCE
from flexlbf.scheduling.workload import Workload


def describe(of: Any, jobs: Workload, drives: Sequence[Drive], grid: int, bound: LowerBound) -> list[Any]:
    """Fill it into a `pilot_t` or `polish_t`; gives what is to be kept as long as the kernel reads it.

    Args:
        of: what is filled in.
        jobs: none faster than every drive.
        drives: the pool.
        grid: nanoseconds; jobs start at multiples of it.
        bound: at which to stop.
    """
    view = ffi.from_buffer
    rates = array("q", [drive.max_rate for drive in drives])
    agents = array("i", [drive.max_agents for drive in drives])
    kept = [view("int64_t[]", column) for column in (jobs.durations, jobs.rates, rates)]
    of.jobs, of.drives = len(jobs), len(drives)
    of.duration, of.rate, of.max_rate = kept
    of.max_agents = in_agents = view("int32_t[]", agents)
    of.tolerance, of.grid, of.enough = RATE_TOLERANCE, grid, bound.on_grid(grid)
    return [*kept, in_agents]
