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
        size: bytes that it wrote; None if nobody said, and then it tells no throughput.
    """

    start: datetime
    duration: int
    size: int | None

    def __post_init__(self) -> None:
        if self.start.tzinfo is None:
            raise ValueError("a measurement's start needs a time zone: write 2026-01-31T22:00:00Z")
        if self.duration <= 0:
            raise ValueError("a measured backup ends after it starts")
        if self.size is not None and self.size < 0:
            raise ValueError("a backup's bytes can't be negative")

    @property
    def rate(self) -> int | None:
        """The paper's job throughput, transferred bytes over processing time, in micro-bytes a second."""
        if self.size is None:
            return None
        return _divide(self.size * MICROBYTES_PER_BYTE * NANOSECONDS, self.duration)


def estimate(
    name: str, measurements: Sequence[Measurement], window: int = DEFAULT_WINDOW, *, unknown_rate: int = 0
) -> Job:
    """The job to plan: the latest backup's duration, the mean throughput of the last `window`.

    A backup that does not tell its bytes counts for the duration only: the throughput is then what the last
    `window` say that do.

    Args:
        name: the object's name.
        measurements: at least one, in any order.
        window: the paper's l.
        unknown_rate: the throughput if no backup tells its bytes, in micro-bytes a second.

    Raises:
        ValueError: no measurement, or a window of less than 1.
    """
    if window < 1:
        raise ValueError("the estimator's window is at least 1 measurement")
    if not measurements:
        raise ValueError(f"object {name!r} has no measured backup")
    latest_first = sorted(measurements, key=lateness, reverse=True)
    rates = [each.rate for each in latest_first if each.rate is not None][:window]
    mean = _divide(sum(rates), len(rates)) if rates else unknown_rate
    return Job(name, latest_first[0].duration, mean)


def lateness(measurement: Measurement) -> tuple[datetime, int, int]:
    """By what measurements are ordered."""
    return measurement.start, measurement.duration, measurement.size or 0


def _divide(dividend: int, divisor: int) -> int:
    """The quotient to the nearest integer, halves up."""
    return (2 * dividend + divisor) // (2 * divisor)
