"""What bounds a session, in words, and the objects that no drive is fast enough for."""

from collections.abc import Sequence

from flexlbf.planning.wording import count_of, duration, listed, times_words, what_bounds
from flexlbf.scheduling import Drive, Job, LowerBound, Stretch


def why_no_shorter(jobs: Sequence[Job], drives: Sequence[Drive], bound: LowerBound, makespan: int) -> str:
    """Why no schedule on these drives is shorter than the bound."""
    reason = what_bounds(jobs, drives, bound)
    if bound.met_by(makespan):
        return f"No schedule is shorter: {reason}."
    return f"No schedule on these drives and agents takes less than {duration(bound.duration)}: {reason}."


def restores(stretch: Stretch | None) -> str:
    """How much of its data a restore reads, in a table: `3.4x (worst 11x)`."""
    return f"{times_words(stretch.median)} (worst {times_words(stretch.worst)})" if stretch else "-"


def what_restores_read(stretch: Stretch) -> str:
    """How much of its data a restore reads, in a sentence."""
    if stretch.worst < 1.05:
        return "Restores read nothing but their data: hardly any streams are interleaved."
    return (
        f"Restores read {times_words(stretch.median)} their data (worst {times_words(stretch.worst)}, "
        f"{stretch.worst_object}), as streams are interleaved on the tapes."
    )


def per_host(jobs: Sequence[Job]) -> str:
    """How many streams hosts may send, in a sentence; empty without a limit."""
    hosts = {job.host for job in jobs if job.host}
    if not hosts:
        return ""
    streams = count_of(max(host.max_streams for host in hosts), "stream")
    return f"A host sends at most {streams} at a time, of the {count_of(len(hosts), 'host')} that are named."


def too_fast(names: Sequence[str], max_throughput: float) -> str:
    """That objects are slowed to what a drive takes."""
    verb = "is" if len(names) == 1 else "are"
    return f"{listed(list(names))} {verb} faster than a drive, so planned at {max_throughput:g} MB/s."
