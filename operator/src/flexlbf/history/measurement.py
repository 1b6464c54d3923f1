"""From an object's past backups to the job that is planned (section III.A and III.B of the paper)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from flexlbf.scheduling.model import Job
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE, NANOSECONDS

DEFAULT_WINDOW = 3
"""The paper's l: three weekly backups."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One full backup of an object as it was measured.

    Attributes:
        start: when it started, with a time zone.
        duration: nanoseconds that it took, more than 0.
        size: bytes that it wrote.
    """

    start: datetime
    duration: int
    size: int

    def __post_init__(self) -> None:
        if self.start.tzinfo is None:
            raise ValueError("a measurement's start needs a time zone: write 2026-01-31T22:00:00Z")
        if self.duration <= 0:
            raise ValueError("a measured backup ends after it starts")
        if self.size < 0:
            raise ValueError("a backup's bytes can't be negative")

    @property
    def rate(self) -> int:
        """The paper's job throughput, transferred bytes over processing time, in micro-bytes a second."""
        return _divide(self.size * MICROBYTES_PER_BYTE * NANOSECONDS, self.duration)


def estimate(name: str, measurements: Sequence[Measurement], window: int = DEFAULT_WINDOW) -> Job:
    """The job to plan: the latest backup's duration, the mean throughput of the last `window`.

    Args:
        name: the object's name.
        measurements: at least one, in any order.
        window: the paper's l.

    Raises:
        ValueError: no measurement, or a window of less than 1.
    """
    if window < 1:
        raise ValueError("the estimator's window is at least 1 measurement")
    if not measurements:
        raise ValueError(f"object {name!r} has no measured backup")
    latest_first = sorted(measurements, key=lambda each: (each.start, each.duration, each.size), reverse=True)
    last = latest_first[:window]
    return Job(name, latest_first[0].duration, _divide(sum(each.rate for each in last), len(last)))


def _divide(dividend: int, divisor: int) -> int:
    """The quotient to the nearest integer, halves up."""
    return (2 * dividend + divisor) // (2 * divisor)
