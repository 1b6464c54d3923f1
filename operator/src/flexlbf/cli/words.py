"""What bounds a session, in words, and the objects that no drive is fast enough for."""

from collections.abc import Sequence

from flexlbf.cli.output import amount, bytes_of, count, duration, listed
from flexlbf.scheduling import BoundBy, Drive, Job, LowerBound, Stretch, longest_first, within_rate_of
from flexlbf.scheduling.bounds import simple_bounds
from flexlbf.scheduling.units import to_megabytes


def why_no_shorter(jobs: Sequence[Job], drives: Sequence[Drive], bound: LowerBound, makespan: int) -> str:
    """Why no schedule on these drives is shorter than the bound."""
    reason = _reason(jobs, drives, bound)
    if bound.met_by(makespan):
        return f"No schedule is shorter: {reason}."
    return f"No schedule on these drives and agents takes less than {duration(bound.duration)}: {reason}."


def _reason(jobs: Sequence[Job], drives: Sequence[Drive], bound: LowerBound) -> str:
    slowed = within_rate_of(drives, jobs)
    if bound.bound_by is BoundBy.LONGEST_OBJECT:
        return f"{longest_first(slowed)[0].name} alone takes that long"
    if bound.host:
        at_a_time = count(bound.host.max_streams, "stream")
        return f"the objects of host {bound.host.name} take that long at {at_a_time} at a time"
    simple = max(each.duration for each in simple_bounds(slowed, drives))
    if bound.bound_by is BoundBy.THROUGHPUT:
        if bound.duration > simple:
            return "objects that ask so much of a drive have to wait for each other"
        size, rate = amount(bytes_of(jobs)), to_megabytes(sum(drive.max_rate for drive in drives))
        return f"{size} take that long at the {rate:,.6g} MB/s of {count(len(drives), 'drive')}"
    agents = count(sum(drive.max_agents for drive in drives), "agent")
    if bound.duration > simple:
        return f"with {agents} objects have to wait for each other"
    return f"the objects' time, added up, takes that long on {agents}"


def times(factor: float) -> str:
    """How many times as much, as people read it: `3.4x`, `12x`."""
    return f"{factor:.1f}x" if factor < 9.95 else f"{factor:,.0f}x"


def restores(stretch: Stretch | None) -> str:
    """How much of its data a restore reads, in a table: `3.4x (worst 11x)`."""
    return f"{times(stretch.median)} (worst {times(stretch.worst)})" if stretch else "-"


def what_restores_read(stretch: Stretch) -> str:
    """How much of its data a restore reads, in a sentence."""
    if stretch.worst < 1.05:
        return "Restores read nothing but their data: hardly any streams are interleaved."
    return (
        f"Restores read {times(stretch.median)} their data (worst {times(stretch.worst)}, "
        f"{stretch.worst_object}), as streams are interleaved on the tapes."
    )


def per_host(jobs: Sequence[Job]) -> str:
    """How many streams hosts may send, in a sentence; empty without a limit."""
    hosts = {job.host for job in jobs if job.host}
    if not hosts:
        return ""
    streams = count(max(host.max_streams for host in hosts), "stream")
    return f"A host sends at most {streams} at a time, of the {count(len(hosts), 'host')} that are named."


def too_fast(names: Sequence[str], max_throughput: float) -> str:
    """That objects are slowed to what a drive takes."""
    verb = "is" if len(names) == 1 else "are"
    return f"{listed(list(names))} {verb} faster than a drive, so planned at {max_throughput:g} MB/s."
