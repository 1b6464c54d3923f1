"""Figures as people read them."""

from flexlbf.api.quantities import format_bytes
from flexlbf.scheduling import Job, Stretch
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE, NANOSECONDS


def bytes_of(job: Job) -> int:
    """The bytes that a job writes, as far as its rate tells."""
    return job.duration * job.rate // (NANOSECONDS * MICROBYTES_PER_BYTE)


def amount(size: int) -> str:
    """Bytes as people read them: `4.52 TB`."""
    text = format_bytes(size)
    digits = text.rstrip("kMGTPE")
    return f"{digits} {text[len(digits) :]}B"


def times_words(factor: float) -> str:
    """How many times as much: `3.4x`, `12x`."""
    return f"{factor:.1f}x" if factor < 9.95 else f"{factor:,.0f}x"


def stretch_words(stretch: Stretch | None) -> str:
    """How much of its data a restore reads: `3.4x, at worst 11x`."""
    return f"{times_words(stretch.median)}, at worst {times_words(stretch.worst)}" if stretch else "-"


def count_of(number: int, noun: str) -> str:
    """`1 drive`, `2 drives`, `1,000 drives`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
