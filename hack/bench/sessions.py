"""A session as a table of starts, which is what a solver finds, in the scheduler's own units."""

from collections.abc import Sequence
from dataclasses import dataclass

from flexlbf.scheduling import Drive, Job
from flexlbf.scheduling.units import RATE_TOLERANCE


@dataclass(frozen=True, slots=True)
class Placed:
    """A job on a drive (an index); nanoseconds from the start of the session."""

    job: Job
    drive: int
    start: int

    @property
    def end(self) -> int:
        """When it ends."""
        return self.start + self.job.duration


def as_early_as_possible(places: Sequence[Placed], drives: Sequence[Drive]) -> list[Placed]:
    """The same jobs on the same drives, one after the other at the earliest instant that has room.

    No job starts later than it did: those before it end no later, so that there is room where there was.
    """
    shifted: list[list[Placed]] = [[] for _ in drives]
    for each in places:
        others = shifted[each.drive]
        instants = sorted({0, *(other.end for other in others)})
        start = next(at for at in instants if _fits(each.job, at, others, drives[each.drive]))
        others.append(Placed(each.job, each.drive, start))
    return [each for others in shifted for each in others]


def _fits(job: Job, at: int, others: Sequence[Placed], drive: Drive) -> bool:
    """Whether a drive has an agent and the rate for a job from an instant on, until it ends."""
    until = at + job.duration
    near = [other for other in others if other.start < until and other.end > at]
    for instant in (at, *(other.start for other in near if other.start > at)):
        running = [other for other in near if other.start <= instant < other.end]
        if len(running) >= drive.max_agents:
            return False
        if sum(other.job.rate for other in running) + job.rate > drive.max_rate + RATE_TOLERANCE:
            return False
    return True
