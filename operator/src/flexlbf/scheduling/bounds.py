"""Lower bounds of a session's duration: no schedule of any kind is shorter."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from flexlbf.scheduling.model import Drive, Host, Job, within_rate_of
from flexlbf.scheduling.units import RATE_TOLERANCE


class BoundBy(StrEnum):
    """Which of the bounds is the largest, and so what a shorter session would have to change."""

    LONGEST_OBJECT = "LongestObject"
    THROUGHPUT = "Throughput"
    AGENTS = "Agents"
    HOST = "Host"


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A lower bound in nanoseconds and the reason for it, with the host if it is one."""

    duration: int
    bound_by: BoundBy
    host: Host | None = None


def lower_bound(jobs: Sequence[Job], drives: Sequence[Drive]) -> LowerBound:
    """The largest of: the longest job, a host's time, the bytes over the rate, agent time over agents.

    A host's time is that of its jobs over the streams that it may send. Ties go to the first of these: a
    tuner takes drives and agents away until they bind as well. Rounded down to whole nanoseconds. Where sums
    of the rates can come within the tolerance that comparisons of rates allow, a schedule may exceed a
    drive's rate by it; then the drives' rate is widened by as much, so that no valid schedule is ever under
    its bound.
    """
    slowed = within_rate_of(drives, jobs)
    rates = [drive.max_rate for drive in drives]
    coarse = math.gcd(*rates, *(job.rate for job in slowed)) > RATE_TOLERANCE
    rate = sum(rates) + (0 if coarse else RATE_TOLERANCE * len(rates))
    bounds = (
        LowerBound(max((job.duration for job in slowed), default=0), BoundBy.LONGEST_OBJECT),
        *_of_hosts(slowed),
        LowerBound(sum(job.duration * job.rate for job in slowed) // rate, BoundBy.THROUGHPUT),
        LowerBound(
            sum(job.duration for job in slowed) // sum(drive.max_agents for drive in drives), BoundBy.AGENTS
        ),
    )
    return max(bounds, key=lambda bound: bound.duration)


def _of_hosts(jobs: Sequence[Job]) -> Iterator[LowerBound]:
    """For each host that limits its streams, the first by name first."""
    time: dict[Host, int] = {}
    for job in jobs:
        if job.host:
            time[job.host] = time.get(job.host, 0) + job.duration
    for host in sorted(time):
        yield LowerBound(time[host] // host.max_streams, BoundBy.HOST, host)
