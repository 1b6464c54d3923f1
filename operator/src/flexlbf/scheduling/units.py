"""Exact units of the scheduler: time in whole nanoseconds, rates in whole micro-bytes a second.

Floating point would let rounding decide whether ten streams of 8.0 MB/s fit a drive of 80 MB/s, or
whether two completions fall on one instant. Integers of these sizes add and subtract without error, and
what rounding is left (a rate that is a third of something) lies far inside `RATE_TOLERANCE`.
"""

NANOSECONDS = 1_000_000_000
"""Nanoseconds in a second."""

NANOSECONDS_PER_MILLISECOND = 1_000_000
"""Nanoseconds in a millisecond, in which the API counts."""

MINUTE = 60 * NANOSECONDS
"""Nanoseconds in a minute, the grid that cron keeps."""

MICROBYTES_PER_MB = 1_000_000_000_000
"""Micro-bytes in a megabyte (10^6 bytes), so a rate resolves 1e-12 MB/s."""

MICROBYTES_PER_BYTE = 1_000_000

RATE_TOLERANCE = MICROBYTES_PER_MB // 1_000_000_000
"""Two rates that differ by at most 1e-9 MB/s are the same rate."""


def to_nanoseconds(seconds: float) -> int:
    """Seconds as whole nanoseconds, to the nearest."""
    return round(seconds * NANOSECONDS)


def to_seconds(nanoseconds: int) -> float:
    """Nanoseconds as seconds."""
    return nanoseconds / NANOSECONDS


def to_microbytes(megabytes_per_second: float) -> int:
    """A rate in MB/s (10^6 bytes a second) as whole micro-bytes a second, to the nearest."""
    return round(megabytes_per_second * MICROBYTES_PER_MB)


def to_megabytes(microbytes_per_second: int) -> float:
    """A rate in micro-bytes a second as MB/s."""
    return microbytes_per_second / MICROBYTES_PER_MB
