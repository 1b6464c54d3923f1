"""Weighings of jobs, each of which leads to two lower bounds of a session that overloads no drive.

A weighing gives each rate a weight and each drive a capacity so that what may run on the drive at once never
weighs more. So much for the work: a session lasts at least the sum of duration times weight over the pool's
capacity. And a job does not run twice at a time: let the pool be as many tracks as its capacity is, of which
a job takes as many as it weighs; if the longest jobs weigh more than k times the capacity, k + 1 of them
follow each other on one track. The functions that weigh rates are the dual feasible functions of Fekete and
Schepers; docs/decisions/2026-11-21-bounds.md has the proofs.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from flexlbf.scheduling.model import Drive
from flexlbf.scheduling.units import RATE_TOLERANCE

_PARTS = 24
"""Rates are counted in whole parts of a drive's: halves, thirds, and so on up to this."""

_CANDIDATES = 48
"""At most so many rates are tried as the limit of what is too slow to count."""

_LONGEST = 1024
"""So many of the longest jobs are looked at for what follows each other."""


class Weighing(NamedTuple):
    """What a rate weighs, and the capacity of the pool."""

    weigh: Callable[[int], int]
    capacity: int


def work_bound(durations: Sequence[int], rates: Sequence[int], weighing: Weighing) -> int:
    """Nanoseconds that the pool takes for all work."""
    work = sum(map(int.__mul__, durations, map(weighing.weigh, rates)))
    return work // weighing.capacity


def rounds_bound(durations: Sequence[int], rates: Sequence[int], weighing: Weighing) -> int:
    """Nanoseconds of the jobs that follow each other on one track; `durations` descend."""
    best, rounds, total = 0, 1, 0
    ends = [0]
    for duration, rate in zip(durations[:_LONGEST], rates, strict=False):
        weight = weighing.weigh(rate)
        if not weight:
            continue
        total += weight
        ends.append(ends[-1] + duration)
        if total > rounds * weighing.capacity:
            rounds = -(-total // weighing.capacity)
            best = max(best, ends[-1] - ends[-1 - rounds])
    return best


class Weighings:
    """The weighings to try, each with what it proves by work.

    Args:
        durations: of the jobs, at least one.
        rates: likewise, none faster than the fastest drive.
        drives: the pool; a schedule may exceed a drive's rate by the tolerance of comparisons.
    """

    def __init__(self, durations: Sequence[int], rates: Sequence[int], drives: Sequence[Drive]) -> None:
        self._limits = [drive.max_rate + RATE_TOLERANCE for drive in drives]
        self._agents = [drive.max_agents for drive in drives]
        by_rate = sorted(zip(rates, durations, strict=True))
        self._rates = [rate for rate, _ in by_rate]
        self._time = list(accumulate((duration for _, duration in by_rate), initial=0))
        self._bytes = list(accumulate((rate * duration for rate, duration in by_rate), initial=0))

    def __iter__(self) -> Iterator[tuple[int, Weighing]]:
        yield from self._by_parts()
        yield from self._by_exclusion()
        yield from self._by_idle_agents()
        yield from self._by_cap()

    def by_rate(self) -> Weighing:
        """Each job weighs what it asks of a drive."""
        return Weighing(int, sum(self._limits))

    def by_agents(self) -> Weighing:
        """Each job weighs an agent, whatever its rate is."""
        return Weighing(lambda _: 1, sum(self._agents))

    def _by_parts(self) -> Iterator[tuple[int, Weighing]]:
        """Each job weighs the whole parts of a rate that it fills, each drive those that it has."""
        # A part is as small as leaves the drive as many: that counts the most jobs.
        parts = {limit // (count + 1) + 1 for limit in set(self._limits) for count in range(1, _PARTS)}
        fastest = self._rates[-1]
        for part in sorted(part for part in parts if part <= fastest):
            most = fastest // part
            pool = zip(self._limits, self._agents, strict=True)
            capacity = sum(min(limit // part, agents * most) for limit, agents in pool)
            work = sum(self._time_from(part * count) for count in range(1, most + 1))
            yield work // capacity, Weighing(part.__rfloordiv__, capacity)

    def _by_exclusion(self) -> Iterator[tuple[int, Weighing]]:
        """A job weighs a whole drive if beside it there is only room for those too slow to count."""
        limit = max(self._limits)
        for slow in self._slow_rates(limit):
            capacity = sum(limit if each > limit - slow else each for each in self._limits)
            between = self._bytes_below(limit - slow + 1) - self._bytes_below(slow)
            work = between + limit * self._time_from(limit - slow + 1)
            yield work // capacity, Weighing(_exclusion(limit, slow), capacity)

    def _by_idle_agents(self) -> Iterator[tuple[int, Weighing]]:
        """The same in agents: beside a job that leaves hardly any rate all agents of the drive are idle."""
        limit, capacity = max(self._limits), sum(self._agents)
        pool = list(zip(self._limits, self._agents, strict=True))
        for slow in self._slow_rates(limit):
            idle = min(agents for each, agents in pool if each > limit - slow)
            fast = self._time_from(limit - slow + 1)
            work = self._time_from(slow) + (idle - 1) * fast
            yield work // capacity, Weighing(_idling(limit - slow, slow, idle), capacity)

    def _by_cap(self) -> Iterator[tuple[int, Weighing]]:
        """No job weighs more than an agent's part of some drive: few agents may not use all of its rate."""
        pool = list(zip(self._limits, self._agents, strict=True))
        for cap in sorted({limit // agents for limit, agents in pool}):
            capacity = sum(min(limit, agents * cap) for limit, agents in pool)
            if capacity:
                work = self._bytes_below(cap) + cap * self._time_from(cap)
                yield work // capacity, Weighing(_capped(cap), capacity)

    def _slow_rates(self, limit: int) -> list[int]:
        """The rates from which a job may count, at most half a drive's."""
        half = bisect_left(self._rates, limit // 2 + 1)
        slow = {rate for rate in _some(self._rates[:half]) if rate}
        slow.update(limit - rate + 1 for rate in _some(self._rates[half:]))
        return sorted(each for each in slow if each <= limit // 2)

    def _time_from(self, rate: int) -> int:
        return self._time[-1] - self._time[bisect_left(self._rates, rate)]

    def _bytes_below(self, rate: int) -> int:
        return self._bytes[bisect_left(self._rates, rate)]


def _exclusion(limit: int, slow: int) -> Callable[[int], int]:
    def weigh(rate: int) -> int:
        if rate < slow:
            return 0
        return limit if rate > limit - slow else rate

    return weigh


def _idling(fast: int, slow: int, idle: int) -> Callable[[int], int]:
    def weigh(rate: int) -> int:
        if rate < slow:
            return 0
        return idle if rate > fast else 1

    return weigh


def _capped(cap: int) -> Callable[[int], int]:
    return lambda rate: min(rate, cap)


def _some(rates: Sequence[int]) -> Sequence[int]:
    return rates[:: max(1, -(-len(rates) // _CANDIDATES))]
