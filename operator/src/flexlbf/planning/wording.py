"""Figures and reasons as people read them, on the command line, in the status and on pages alike."""

from collections.abc import Iterable, Sequence

from flexlbf.api.durations import format_duration
from flexlbf.api.quantities import format_bytes
from flexlbf.scheduling import BoundBy, Drive, Job, LowerBound, Stretch, longest_first, within_rate_of
from flexlbf.scheduling.bounds import simple_bounds
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE, NANOSECONDS, to_megabytes


def duration(nanoseconds: float) -> str:
    """A simulated time as the status shows it."""
    return format_duration(nanoseconds / NANOSECONDS)


def bytes_of(job: Job) -> int:
    """The bytes that a job writes, as far as its rate tells."""
    return bytes_of_all([job])


def bytes_of_all(jobs: Iterable[Job]) -> int:
    """The bytes that jobs write, as far as their rates tell."""
    return sum(job.duration * job.rate for job in jobs) // (NANOSECONDS * MICROBYTES_PER_BYTE)


def amount(size: int) -> str:
    """Bytes as people read them: `4.52 TB`."""
    text = format_bytes(size)
    digits = text.rstrip("kMGTPE")
    return f"{digits} {text[len(digits) :]}B"


def bytes_told(text: str) -> str:
    """Bytes that a status tells, as people read them: `1.2 TB` for `1.2T`; `-` if it tells of none."""
    return f"{text.rstrip('kMGTPE')} {text.lstrip('0123456789.')}B" if text else "-"


def times_words(factor: float) -> str:
    """How many times as much: `3.4x`, `12x`."""
    return f"{factor:.1f}x" if factor < 9.95 else f"{factor:,.0f}x"


def stretch_words(stretch: Stretch | None) -> str:
    """How much of its data a restore reads: `3.4x, at worst 11x`."""
    return f"{times_words(stretch.median)}, at worst {times_words(stretch.worst)}" if stretch else "-"


def count_of(number: int, noun: str) -> str:
    """`1 drive`, `2 drives`, `1,000 drives`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(names: Sequence[str], shown: int = 3) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c and 7 more`."""
    parts = list(names if len(names) <= shown + 1 else [*names[:shown], f"{len(names) - shown:,} more"])
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def what_bounds(jobs: Sequence[Job], drives: Sequence[Drive], bound: LowerBound) -> str:
    """Why no session is shorter than its lower bound: a clause that begins with what takes that long."""
    slowed = within_rate_of(drives, jobs)
    if bound.bound_by is BoundBy.LONGEST_OBJECT:
        return f"{longest_first(slowed)[0].name} alone takes that long"
    if bound.host:
        at_a_time = f"{count_of(bound.host.max_streams, 'stream')} at a time"
        return f"the objects of host {bound.host.name} take that long at {at_a_time}"
    simple = max(each.duration for each in simple_bounds(slowed, drives))
    if bound.bound_by is BoundBy.THROUGHPUT:
        if bound.duration > simple:
            return "objects that ask so much of a drive have to wait for each other"
        size, rate = amount(bytes_of_all(jobs)), to_megabytes(sum(drive.max_rate for drive in drives))
        return f"{size} take that long at the {rate:,.6g} MB/s of {count_of(len(drives), 'drive')}"
    agents = count_of(sum(drive.max_agents for drive in drives), "agent")
    if bound.duration > simple:
        return f"with {agents} objects have to wait for each other"
    return f"the objects' time, added up, takes that long on {agents}"
