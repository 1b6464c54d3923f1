"""Lower bounds of a session's duration: no schedule of any kind is shorter."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from flexlbf.scheduling.model import Drive, Job, within_rate_of
from flexlbf.scheduling.units import RATE_TOLERANCE


class BoundBy(StrEnum):
    """Which of the bounds is the largest, and so what a shorter session would have to change."""

    LONGEST_OBJECT = "LongestObject"
    THROUGHPUT = "Throughput"
    AGENTS = "Agents"


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A lower bound in nanoseconds and the reason for it."""

    duration: int
    bound_by: BoundBy


def lower_bound(jobs: Sequence[Job], drives: Sequence[Drive]) -> LowerBound:
    """The largest of: the longest job, the bytes over the drives' rate, the agent time over the agents.

    Ties go to the first of these. Rounded down to whole nanoseconds, and the drives' rate widened by the
    tolerance that schedulers are allowed, so that no valid schedule is ever under its bound.
    """
    slowed = within_rate_of(drives, jobs)
    rate = sum(drive.max_rate + RATE_TOLERANCE for drive in drives)
    bounds = (
        LowerBound(max((job.duration for job in slowed), default=0), BoundBy.LONGEST_OBJECT),
        LowerBound(sum(job.duration * job.rate for job in slowed) // rate, BoundBy.THROUGHPUT),
        LowerBound(
            sum(job.duration for job in slowed) // sum(drive.max_agents for drive in drives), BoundBy.AGENTS
        ),
    )
    return max(bounds, key=lambda bound: bound.duration)
