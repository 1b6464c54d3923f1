"""Lower bounds of a session's duration: no schedule of any kind is shorter."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from flexlbf.scheduling.model import Drive, Host, Job, within_rate_of
from flexlbf.scheduling.patterns import best_weighing
from flexlbf.scheduling.units import RATE_TOLERANCE
from flexlbf.scheduling.weighings import Weighings, rounds_bound, work_bound

MANY = 20_000
"""Of more jobs than this only the simple bounds are computed: that many fill up whatever there is."""

_NEAR = 1.001
"""A schedule within this of what is proved is not worth the linear program."""

WITHOUT_PROGRAM = 0
"""As the makespan of a schedule: leave the linear program out, whose time is most of it all."""


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

    def met_by(self, makespan: int, start_grid: int = 1) -> bool:
        """Whether a session is optimal: none that starts jobs on the grid ends on an earlier step of it."""
        return -(-makespan // start_grid) <= -(-self.duration // start_grid)


def lower_bound(
    jobs: Sequence[Job],
    drives: Sequence[Drive],
    *,
    shares_rate: bool = False,
    start_grid: int = 1,
    makespan: int | None = None,
) -> LowerBound:
    """The largest of what can be proved; ties go to the simpler proof. In whole nanoseconds, rounded down.

    Simple are the longest job, a host's time (that of its jobs over the streams that it may send), the bytes
    over the drives' rate and the agent time over the agents: a tuner takes drives and agents away until they
    bind as well. Where no drive is overloaded there are better ones: jobs exclude each other, and none is
    split; see `weighings`.

    Args:
        jobs: the workload.
        drives: the pool.
        shares_rate: whether streams may ask more than their drive sustains; then the simple bounds hold only.
        start_grid: nanoseconds; jobs start at multiples of it only.
        makespan: of a schedule, if one is known: a bound that is near it is not improved any more.
    """
    slowed = sorted(within_rate_of(drives, jobs), key=lambda job: job.duration, reverse=True)
    longest, by_rate, by_agents = simple_bounds(slowed, drives)
    best = max((longest, *_of_hosts(slowed), by_rate, by_agents), key=_duration)
    if shares_rate or not slowed or len(slowed) > MANY:
        return best
    for pool in _nested(slowed, drives):
        better = pool.improved(best, start_grid, makespan)
        best = max(best, better, key=_duration)
    return best


def _of_hosts(jobs: Sequence[Job]) -> Iterator[LowerBound]:
    """For each host that limits its streams, the first by name first."""
    time: dict[Host, int] = {}
    for job in jobs:
        if job.host:
            time[job.host] = time.get(job.host, 0) + job.duration
    for host in sorted(time):
        yield LowerBound(time[host] // host.max_streams, BoundBy.HOST, host)


def simple_bounds(jobs: Sequence[Job], drives: Sequence[Drive]) -> tuple[LowerBound, LowerBound, LowerBound]:
    """The three that hold for every scheduler; no job is faster than the fastest drive.

    Where sums of the rates can come within the tolerance that comparisons of rates allow, a schedule may
    exceed a drive's rate by it; then the drives' rate is widened by as much, so that no valid schedule is
    under its bound.
    """
    rates = [drive.max_rate for drive in drives]
    coarse = math.gcd(*rates, *(job.rate for job in jobs)) > RATE_TOLERANCE
    rate = sum(rates) + (0 if coarse else RATE_TOLERANCE * len(rates))
    return (
        LowerBound(max((job.duration for job in jobs), default=0), BoundBy.LONGEST_OBJECT),
        LowerBound(sum(job.duration * job.rate for job in jobs) // rate, BoundBy.THROUGHPUT),
        LowerBound(
            sum(job.duration for job in jobs) // sum(drive.max_agents for drive in drives), BoundBy.AGENTS
        ),
    )


@dataclass(frozen=True)
class _Pool:
    """Drives, and the jobs that run on no others, the longest first."""

    jobs: Sequence[Job]
    drives: Sequence[Drive]

    def improved(self, best: LowerBound, grid: int, makespan: int | None) -> LowerBound:
        """The largest bound that is larger than what is proved already, or that."""
        # A drive or an agent is free again at the next step of the grid only.
        durations = [-(-job.duration // grid) * grid for job in self.jobs]
        rates = [job.rate for job in self.jobs]
        _, by_rate, by_agents = simple_bounds(self.jobs, self.drives)
        weighings = Weighings(durations, rates, self.drives)
        agents = weighings.by_agents()
        found = [
            (by_rate.duration, BoundBy.THROUGHPUT),
            (by_agents.duration, BoundBy.AGENTS),
            (rounds_bound(durations, rates, agents), BoundBy.AGENTS),
            (rounds_bound(durations, rates, weighings.by_rate()), BoundBy.THROUGHPUT),
        ]
        known = (sum(durations) // agents.capacity, agents)
        for proved, weighing in weighings:
            known = max(known, (proved, weighing), key=lambda each: each[0])
            found.append((max(proved, rounds_bound(durations, rates, weighing)), BoundBy.THROUGHPUT))
        proved, by = max(found, key=lambda each: each[0])
        # Where nothing starts later than it could, every instant is a sum of durations.
        step = math.gcd(*durations)
        best = max(best, _on_grid(proved, step, grid, by), key=_duration)
        if makespan is not None and makespan <= best.duration * _NEAR:
            return best
        pattern = best_weighing(durations, rates, self.drives, known[1], max(best.duration, proved))
        if pattern is None:
            return best
        proved = max(bound(durations, rates, pattern) for bound in (work_bound, rounds_bound))
        by = BoundBy.AGENTS if by_agents.duration > by_rate.duration else BoundBy.THROUGHPUT
        return max(best, _on_grid(proved, step, grid, by), key=_duration)


def _nested(jobs: Sequence[Job], drives: Sequence[Drive]) -> Iterator[_Pool]:
    """All jobs on all drives, then those too fast for the slowest drives on the others, and so on."""
    yield _Pool(jobs, drives)
    for rate in sorted({drive.max_rate for drive in drives})[:-1]:
        faster = [job for job in jobs if job.rate > rate + RATE_TOLERANCE]
        if faster:
            yield _Pool(faster, [drive for drive in drives if drive.max_rate > rate])


def _on_grid(proved: int, step: int, grid: int, by: BoundBy) -> LowerBound:
    """What is proved of jobs that end at multiples of a step, and on the grid.

    The true end of the last may be a step of the grid earlier.
    """
    return LowerBound(-(-proved // step) * step - grid + 1, by)


def _duration(bound: LowerBound) -> int:
    return bound.duration
