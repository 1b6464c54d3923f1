"""The weighing of jobs that proves most: a linear program over what may run at once (Gilmore and Gomory).

A pattern is what may run on all drives at once. To run patterns, each for some time, until every job has had
its own is a relaxation of a session; the dual values of the least time are weights of the jobs. They are
found by column generation, whose pricing is a knapsack for each drive, in the kernel. Whatever comes of
floating point, the knapsack says in whole numbers what a drive holds at the most, so the bound is exact.
"""

from array import array
from collections import Counter
from collections.abc import Sequence

from flexlbf.scheduling.binding import ffi, lib
from flexlbf.scheduling.model import Drive
from flexlbf.scheduling.units import RATE_TOLERANCE
from flexlbf.scheduling.weighings import Weighing

_LEVELS = 240
"""Rates are rounded down to so many parts of the fastest drive's, a number with many divisors."""

_KINDS = 80
"""Jobs of nearly one rate are one kind, so that there are no more of them than this."""

_WORK = 60_000_000
"""How many entries of knapsacks and of the program's basis may be computed: a tenth of a second or less."""

_UNIT = 1 << 40
"""Weights are whole numbers; this is one that fills the pool."""

_CLOSE_ENOUGH = 1e-4
_ZERO = 1e-9

_STEADY = 0.8
"""What the best weights so far count beside the duals, which leap about (the smoothing of Wentges)."""


class Knapsacks:
    """What kinds of jobs may run at once on each drive of a pool.

    Args:
        rates: of the jobs, none faster than the fastest drive.
        drives: the pool.
    """

    def __init__(self, rates: Sequence[int], drives: Sequence[Drive]) -> None:
        unit = max(1, max(drive.max_rate for drive in drives) // _LEVELS)
        self.kind_of = _kinds(rates)
        self.kinds = max(self.kind_of) + 1
        copies, slowest = [0] * self.kinds, [max(rates)] * self.kinds
        for rate, kind in zip(rates, self.kind_of, strict=True):
            copies[kind] += 1
            slowest[kind] = min(slowest[kind], rate)
        self._copies = array("i", copies)
        self._levels = array("i", [rate // unit for rate in slowest])
        self._drives = Counter(
            self._sack(drive.max_agents, (drive.max_rate + RATE_TOLERANCE) // unit) for drive in drives
        )
        self._taken = array("i", [0] * self.kinds)
        entries = sum((places or 1) * capacity for places, capacity in self._drives)
        self.work = entries * sum(min(each, 4) for each in copies)

    def _sack(self, agents: int, capacity: int) -> tuple[int, int]:
        """A drive's places and capacity; no places, which is quicker, where its agents never run out."""
        fit, room = 0, capacity
        for level, copies in sorted(zip(self._levels, self._copies, strict=True)):
            more = min(copies, room // level if level else copies)
            fit, room = fit + more, room - more * level
        return (0 if fit <= agents else min(agents, len(self.kind_of))), capacity

    def heaviest(self, weights: Sequence[int]) -> tuple[int, list[int]]:
        """The most that can run on all drives at once, and how many jobs of each kind that are."""
        capacity, pattern = 0, [0] * self.kinds
        view = ffi.from_buffer
        columns = (view("int64_t[]", array("q", weights)), view("int32_t[]", self._levels))
        for (places, room), drives in self._drives.items():
            weighs = lib.heaviest(
                self.kinds,
                *columns,
                view("int32_t[]", self._copies),
                places,
                room,
                view("int32_t[]", self._taken),
            )
            if weighs < 0:
                raise MemoryError
            capacity += drives * weighs
            for kind, copies in enumerate(self._taken):
                pattern[kind] += drives * copies
        return capacity, pattern


class _Program:
    """The least time of patterns that give each kind its time: the simplex method on the basis' inverse."""

    def __init__(self, time: list[float], alone: list[int]) -> None:
        """Begin with each kind alone, as often as it fits."""
        kinds = range(len(time))
        self._inverse = [[1 / alone[row] if row == column else 0.0 for column in kinds] for row in kinds]
        self._time = [each / copies for each, copies in zip(time, alone, strict=True)]
        self._costs = [1.0] * len(time)
        self.duals = [1 / copies for copies in alone]

    @property
    def least(self) -> float:
        """The time of the patterns in the basis."""
        return sum(map(float.__mul__, self._costs, self._time))

    def enter(self, column: list[int], cost: float) -> bool:
        """Take a column into the basis; False if that brings nothing."""
        there = [kind for kind, copies in enumerate(column) if copies]
        gains = [sum(row[kind] * column[kind] for kind in there) for row in self._inverse]
        leaving, ratio = -1, float("inf")
        for place, gain in enumerate(gains):
            if gain > _ZERO and self._time[place] < ratio * gain:
                leaving, ratio = place, self._time[place] / gain
        reduced = cost - sum(self.duals[kind] * column[kind] for kind in there)
        if leaving < 0 or reduced > -_ZERO:
            return False
        pivot = gains[leaving]
        entered = [value / pivot for value in self._inverse[leaving]]
        for place, gain in enumerate(gains):
            if gain and place != leaving:
                old = self._inverse[place]
                self._inverse[place] = [a - gain * b for a, b in zip(old, entered, strict=True)]
                self._time[place] = max(0.0, self._time[place] - gain * ratio)
        self._inverse[leaving], self._time[leaving], self._costs[leaving] = entered, ratio, cost
        self.duals = [dual + reduced * value for dual, value in zip(self.duals, entered, strict=True)]
        return True


def best_weighing(
    durations: Sequence[int], rates: Sequence[int], drives: Sequence[Drive], known: Weighing, to_beat: int
) -> Weighing | None:
    """The weighing that proves most by the work that it makes of the jobs.

    Args:
        durations: of the jobs, at least one.
        rates: likewise, none faster than the fastest drive.
        drives: the pool.
        known: a good weighing to begin with.
        to_beat: nanoseconds that are proved already.

    Returns:
        None if it proves no more than is proved already, or where the kernel is missing.
    """
    if lib is None:
        return None
    sacks = Knapsacks(rates, drives)
    time, weights = [0.0] * sacks.kinds, [0.0] * sacks.kinds
    for duration, rate, kind in zip(durations, rates, sacks.kind_of, strict=True):
        time[kind] += duration
        weights[kind] += duration * (known.weigh(rate) / known.capacity)
    steady = [weight / each for weight, each in zip(weights, time, strict=True)]
    found = _generate(sacks, time, steady, to_beat)
    if found is None:
        return None
    # In between, a weight holds for what is at least as fast as the slowest of the kind.
    by_rate = dict(zip(rates, (found[0][kind] for kind in sacks.kind_of), strict=True))
    return Weighing(by_rate.__getitem__, found[1])


def _generate(
    sacks: Knapsacks, time: list[float], steady: list[float], to_beat: int
) -> tuple[list[int], int] | None:
    """Generate columns until nothing more can be proved, or for so much work: weights and the capacity."""
    alone = [
        sacks.heaviest([int(kind == each) for each in range(sacks.kinds)])[1] for kind in range(sacks.kinds)
    ]
    program = _Program(time, [pattern[kind] for kind, pattern in enumerate(alone)])
    found, proved, left, share = None, 0.0, _WORK, 1.0
    while left > 0 and program.least > max(proved, to_beat) * (1 + _CLOSE_ENOUGH):
        left -= sacks.work + 40 * sacks.kinds * sacks.kinds
        least = min(range(sacks.kinds), key=program.duals.__getitem__)
        if share < 1 and program.duals[least] < -_ZERO:
            # To run for longer than needed is no harm, so no job weighs less than nothing.
            if not program.enter([-(kind == least) for kind in range(sacks.kinds)], 0.0):
                break
            continue
        mixed = zip(steady, program.duals, strict=True)
        weights = [max(0, int((share * old + (1 - share) * dual) * _UNIT)) for old, dual in mixed]
        capacity, pattern = sacks.heaviest(weights)
        proves = sum(each * weight for each, weight in zip(time, weights, strict=True)) / max(1, capacity)
        if proves > proved:
            found, proved = (weights, capacity), proves
            steady = [weight / capacity for weight in weights]
        entered = program.enter(pattern, 1.0)
        if not entered and not share:
            break
        share = _STEADY if entered else 0.0
    return found if proved > to_beat else None


def _kinds(rates: Sequence[int]) -> list[int]:
    """The kind of each job: those of one rate are one, and of too many rates neighbours are.

    Never the fastest, of which it matters most what there is room for beside them.
    """
    different = sorted(set(rates), reverse=True)
    kinds = min(len(different), _KINDS)
    alone = kinds if len(different) == kinds else kinds // 2
    grouped = different[alone:]
    kind_of = {rate: place for place, rate in enumerate(different[:alone])}
    kind_of |= {rate: alone + place * (kinds - alone) // len(grouped) for place, rate in enumerate(grouped)}
    return [kind_of[rate] for rate in rates]
