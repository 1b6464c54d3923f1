"""Lower bounds of a session's duration: no schedule of any kind is shorter."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from flexlbf.scheduling.model import Drive, Host, Job, within_rate_of
from flexlbf.scheduling.patterns import WORTH_IT, best_weighing
from flexlbf.scheduling.shortest import FEW, SESSION_WORK, Few
from flexlbf.scheduling.units import RATE_TOLERANCE
from flexlbf.scheduling.weighings import Weighings, rounds_bound, work_bound

MANY = 20_000
"""Of more jobs than this only the simple bounds are computed: that many fill up whatever there is."""

_FEW_DURATIONS = 12
"""Of more different durations than this, no steps that some of them share are tried."""

_MOST_STEPS = 6
_MOST_IN_STEPS = 1_000
"""Longer steps are tried up to so many, the longest, and of no more jobs: each is a bound by itself."""

_MOST_PROGRAMS = 4
"""So many pools have the linear program: all drives, then those for the fast jobs only."""

_NOT_MANY = 40
"""Of no more jobs than this, those of most bytes are searched for their shortest session."""

_OF_MOST_BYTES = 12
"""So many of them."""

_NEAR = 1.001
"""A schedule within this of what is proved is not worth the linear program, nor longer steps."""

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

    def on_grid(self, start_grid: int) -> int:
        """The end of the grid's step that it is in, before which no session that starts on the grid ends."""
        return -(-self.duration // start_grid) * start_grid

    def met_by(self, makespan: int, start_grid: int = 1) -> bool:
        """Whether a session is optimal: none that starts jobs on the grid ends on an earlier step of it."""
        return makespan <= self.on_grid(start_grid)


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
    split; see `weighings`. The shortest session of few jobs is searched for; see `shortest`.

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
    for number, pool in enumerate(_nested(slowed, drives)):
        known = makespan if number < _MOST_PROGRAMS else WITHOUT_PROGRAM
        best = max(best, pool.improved(best, start_grid, known), key=_duration)
        if makespan is not None and best.met_by(makespan, start_grid):
            continue
        near = makespan is not None and makespan <= best.duration * _NEAR
        for coarser in () if near else pool.in_longer_steps(start_grid):
            # Less work is left of the jobs; what may prove more is only that it is rounded up to whole steps.
            if (best.duration + start_grid - 1) % coarser.step(start_grid):
                best = max(best, coarser.improved(best, start_grid, known, 1 / _MOST_STEPS), key=_duration)
        # What is so near may still be shown to be optimal, by all jobs if they are few.
        few = [each for each in pool.few() if each is pool or not near]
        for each in few:
            exact = each.exact(best, start_grid, makespan, SESSION_WORK // len(few))
            best = max(best, exact, key=_duration)
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
class Pool:
    """Drives, and the jobs that run on no others, the longest first."""

    jobs: Sequence[Job]
    drives: Sequence[Drive]

    def improved(self, best: LowerBound, grid: int, makespan: int | None, share: float = 1.0) -> LowerBound:
        """The largest bound that is larger than what is proved already, or that; by a share of the work."""
        durations = self._durations(grid)
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
        step = self.step(grid)
        best = max(best, _on_grid(proved, step, grid, by), key=_duration)
        if makespan is not None and makespan <= best.duration * _NEAR:
            return best
        to_beat = max(best.duration, proved)
        if step > to_beat * WORTH_IT:  # whatever is more than so many steps proves one more
            to_beat = int((best.duration + grid - 1) // step * step / (1 + WORTH_IT))
        pattern = best_weighing(durations, rates, self.drives, known[1], to_beat, share)
        if pattern is None:
            return best
        proved = max(bound(durations, rates, pattern) for bound in (work_bound, rounds_bound))
        return max(best, _on_grid(proved, step, grid, self._by), key=_duration)

    def few(self) -> Iterator["Pool"]:
        """The jobs of most bytes, which may take longer than is proved of all, and all if they are few."""
        if not FEW or len(self.jobs) > _NOT_MANY:
            return
        if len(self.jobs) > _OF_MOST_BYTES:
            most = sorted(self.jobs, key=lambda job: job.duration * job.rate)[-_OF_MOST_BYTES:]
            yield Pool(sorted(most, key=lambda job: job.duration, reverse=True), self.drives)
        if len(self.jobs) <= FEW:
            yield self

    def exact(self, best: LowerBound, grid: int, makespan: int | None, work: int) -> LowerBound:
        """Of few jobs, what the shortest session lasts, or that no session is shorter than some other."""
        durations, rates = self._durations(grid), [job.rate for job in self.jobs]
        weighings = Weighings(durations, rates, self.drives)
        simple = [weighings.by_rate(), weighings.by_agents()]
        known = max(((work_bound(durations, rates, each), each) for each in simple), key=lambda each: each[0])
        known = max((known, *weighings), key=lambda each: each[0])
        pattern = best_weighing(durations, rates, self.drives, known[1], 0)
        few = Few(durations, rates, self.drives, [*simple, known[1], *([pattern] if pattern else [])])
        session = None if makespan is None else -(-makespan // grid) * grid
        step = self.step(grid)
        proved = few.no_session_under(step, best.duration, session, work)
        return max(best, _on_grid(proved, step, grid, self._by), key=_duration)

    @property
    def _by(self) -> BoundBy:
        _, by_rate, by_agents = simple_bounds(self.jobs, self.drives)
        return BoundBy.AGENTS if by_agents.duration > by_rate.duration else BoundBy.THROUGHPUT

    def in_longer_steps(self, grid: int) -> Iterator["Pool"]:
        """What the jobs take at every instant of a step, for steps that some of them fill.

        Of the last instants of so many steps a job runs at as many as whole steps fit its duration, and what
        runs at them is a session by itself, of as many steps as the whole one has.
        """
        durations = self._durations(grid)
        steps = _shared_steps(durations) if len(durations) <= _MOST_IN_STEPS else []
        for step in steps[:_MOST_STEPS]:
            left = [
                replace(job, duration=duration // step * step)
                for job, duration in zip(self.jobs, durations, strict=True)
                if duration >= step
            ]
            yield Pool(left, self.drives)

    def step(self, grid: int) -> int:
        """Where nothing starts later than it could, every instant is a sum of durations."""
        return math.gcd(*self._durations(grid))

    def _durations(self, grid: int) -> list[int]:
        """A drive or an agent is free again at the next step of the grid only."""
        return [-(-job.duration // grid) * grid for job in self.jobs]


def _shared_steps(durations: Sequence[int]) -> list[int]:
    """What few different durations are multiples of, without the one that all are; the longest first."""
    different = set(durations)
    if len(different) > _FEW_DURATIONS:
        return []
    steps: set[int] = set()
    for duration in different:
        steps |= {math.gcd(duration, step) for step in steps} | {duration}
    return sorted(steps - {math.gcd(*different)}, reverse=True)


def _nested(jobs: Sequence[Job], drives: Sequence[Drive]) -> Iterator[Pool]:
    """All jobs on all drives, then those too fast for the slowest drives on the others, and so on."""
    yield Pool(jobs, drives)
    for rate in sorted({drive.max_rate for drive in drives})[:-1]:
        faster = [job for job in jobs if job.rate > rate + RATE_TOLERANCE]
        if faster:
            yield Pool(faster, [drive for drive in drives if drive.max_rate > rate])


def _on_grid(proved: int, step: int, grid: int, by: BoundBy) -> LowerBound:
    """What is proved of jobs that end at multiples of a step, and on the grid.

    The true end of the last may be a step of the grid earlier.
    """
    return LowerBound(-(-proved // step) * step - grid + 1, by)


def _duration(bound: LowerBound) -> int:
    return bound.duration
