"""The price of interleaving: how much more than its own data a restore of an object reads.

The streams of a drive are interleaved on its tape. From an object's first block to its last the tape holds
whatever all streams of the drive wrote while its backup ran, and a restore has to pass all of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, median

from flexlbf.scheduling.simulator import Schedule
from flexlbf.scheduling.units import RATE_TOLERANCE


@dataclass(frozen=True, slots=True)
class Stretch:
    """The stretch of a session's restores: 1 is a stream that was alone on its drive.

    Attributes:
        median: over the objects, each counting as one: it is an object that is restored, however large.
        worst: the most that any object is stretched.
        worst_object: which one that is, of several the first by name; None in a mean over sessions.
    """

    median: float
    worst: float
    worst_object: str | None


def restore_stretch(schedule: Schedule) -> Stretch | None:
    """The stretch of a session's restores, None where no object has any bytes."""
    stretches = restore_stretches(schedule)
    if not stretches:
        return None
    worst = max(stretches.values())
    first = min(name for name, stretch in stretches.items() if stretch == worst)
    return Stretch(median(stretches.values()), worst, first)


def mean_stretch(stretches: Iterable[Stretch | None]) -> Stretch | None:
    """The means of the medians and of the worst over several sessions of one workload."""
    found = [each for each in stretches if each]
    if not found:
        return None
    return Stretch(fmean(each.median for each in found), fmean(each.worst for each in found), None)


def restore_stretches(schedule: Schedule) -> dict[str, float]:
    """For each object the bytes on its span of the tape over its own.

    One sweep over all starts and ends keeps for each drive the integral of what it has written; an object's
    span is the difference between its end and its start. An object of 0 bytes has no span and no stretch.
    """
    passed = _passed(schedule)
    # Where streams share a drive their ends are rounded to nanoseconds, so a lone one might be under 1.
    return {
        job.name: max(1.0, span / (job.duration * job.rate))
        for job, span in zip(schedule.jobs, passed, strict=True)
        if job.rate
    }


def _passed(schedule: Schedule) -> list[int]:
    """For each job what its drive wrote while it ran, in micro-bytes a second times nanoseconds."""
    moments = [(at, index) for index, at in enumerate(schedule.starts)]
    moments += sorted((at, ~index) for index, at in enumerate(schedule.ends))
    moments.sort()
    limits = [drive.max_rate for drive in schedule.drives]
    asked, writing, written, since = ([0] * len(limits) for _ in range(4))
    passed = [0] * len(schedule)
    jobs, drive_of = schedule.jobs, schedule.drive_of
    for at, event in moments:
        index = event if event >= 0 else ~event
        drive = drive_of[index]
        total = written[drive] = written[drive] + writing[drive] * (at - since[drive])
        since[drive] = at
        if event >= 0:
            asked[drive] += jobs[index].rate
            passed[index] -= total
        else:
            asked[drive] -= jobs[index].rate
            passed[index] += total
        # Streams that ask more than their drive sustains share what there is.
        limit = limits[drive]
        writing[drive] = asked[drive] if asked[drive] <= limit + RATE_TOLERANCE else limit
    return passed
