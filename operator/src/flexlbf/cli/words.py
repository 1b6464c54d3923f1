"""What bounds a session, in words, and the objects that no drive is fast enough for."""

from collections.abc import Sequence

from flexlbf.cli.output import amount, bytes_of, count, duration, listed
from flexlbf.scheduling import BoundBy, Drive, Job, LowerBound, longest_first, within_rate_of
from flexlbf.scheduling.units import to_megabytes


def why_no_shorter(jobs: Sequence[Job], drives: Sequence[Drive], bound: LowerBound, makespan: int) -> str:
    """Why no schedule on these drives is shorter than the bound."""
    if bound.bound_by is BoundBy.LONGEST_OBJECT:
        longest = longest_first(within_rate_of(drives, jobs))[0].name
        if makespan == bound.duration:
            return f"No schedule is shorter: {longest} alone takes that long."
        reason = f"{longest} alone takes that long"
    elif bound.bound_by is BoundBy.THROUGHPUT:
        size, rate = amount(bytes_of(jobs)), to_megabytes(sum(drive.max_rate for drive in drives))
        reason = f"{size} take that long at the {rate:,.6g} MB/s of {count(len(drives), 'drive')}"
    else:
        agents = sum(drive.max_agents for drive in drives)
        reason = f"the objects' time, added up, takes that long on {count(agents, 'agent')}"
    return f"No schedule on these drives and agents takes less than {duration(bound.duration)}: {reason}."


def too_fast(names: Sequence[str], max_throughput: float) -> str:
    """That objects are slowed to what a drive takes."""
    verb = "is" if len(names) == 1 else "are"
    return f"{listed(list(names))} {verb} faster than a drive, so planned at {max_throughput:g} MB/s."
