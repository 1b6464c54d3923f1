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

_LEVELS = 2400
"""Rates are rounded down to so many parts of the fastest drive's, a number with many divisors."""

_KINDS = 200
"""Jobs of nearly one rate are one kind, so that there are no more of them than this."""

_WORK = 100_000_000
"""How many entries of knapsacks and of the program's basis may be computed: less than a tenth of a second."""

WORTH_IT = 1e-3
"""By what part more must be proved than was before to be worth the work."""

_ENTRIES = 30_000_000
"""One knapsack has no more entries than this, a byte each; where it would, rates are less fine."""

_CLOSE_ENOUGH = 1e-4
"""By what part it may stay behind the best that these patterns prove."""

_STEADY = 0.8
"""What the best weights so far count beside the duals, which leap about (the smoothing of Wentges)."""


class Knapsacks:
    """What kinds of jobs may run at once on each drive of a pool.

    Args:
        rates: of the jobs, none faster than the fastest drive.
        drives: the pool.
    """

    def __init__(self, rates: Sequence[int], drives: Sequence[Drive]) -> None:
        self.kind_of = _kinds(rates)
        self.kinds = max(self.kind_of) + 1
        copies, slowest = [0] * self.kinds, [max(rates)] * self.kinds
        for rate, kind in zip(rates, self.kind_of, strict=True):
            copies[kind] += 1
            slowest[kind] = min(slowest[kind], rate)
        self._copies = array("i", copies)
        levels = 2 * _LEVELS
        self._entries = _ENTRIES + 1
        while self._entries > _ENTRIES and levels > 1:
            levels //= 2
            self._round(slowest, drives, max(1, max(drive.max_rate for drive in drives) // levels))

    def _round(self, slowest: Sequence[int], drives: Sequence[Drive], unit: int) -> None:
        """Round rates to whole units."""
        self._levels = array("i", [rate // unit for rate in slowest])
        sacks = Counter(
            self._sack(drive.max_agents, (drive.max_rate + RATE_TOLERANCE) // unit) for drive in drives
        )
        self._places, self._capacities, fit = (array("i", column) for column in zip(*sacks, strict=True))
        self._drives = array("i", sacks.values())
        self.at_once = max(fit)
        self._entries = max(
            (places + 1) * (capacity + 1) * sum(min(each, places or each) for each in self._copies)
            for places, capacity in zip(self._places, self._capacities, strict=True)
        )

    def _sack(self, agents: int, capacity: int) -> tuple[int, int, int]:
        """A drive's places, capacity, and how many jobs its rate alone lets run.

        No places, which is quicker, where its agents never run out.
        """
        fit, room = 0, capacity
        for level, copies in sorted(zip(self._levels, self._copies, strict=True)):
            more = min(copies, room // level if level else copies)
            fit, room = fit + more, room - more * level
        return (0 if fit <= agents else agents), capacity, max(1, fit)

    def heaviest(self, weights: Sequence[int]) -> int:
        """The most that can run on all drives at once."""
        view = ffi.from_buffer
        taken = array("i", bytes(4 * self.kinds))
        columns = [view("int32_t[]", each) for each in (array("i", weights), self._levels, self._copies)]
        capacity = 0
        for places, room, drives in zip(self._places, self._capacities, self._drives, strict=True):
            weighs = lib.heaviest(self.kinds, *columns, places, room, view("int32_t[]", taken))
            if weighs < 0:
                raise MemoryError
            capacity += drives * weighs
        return capacity

    def best_weights(
        self, time: Sequence[float], steady: Sequence[float], to_beat: int, work: int = _WORK
    ) -> list[int]:
        """Weights of the kinds that prove as much as so much work finds, all 0 if nothing was to be beaten.

        Args:
            time: of all jobs of a kind together.
            steady: good weights to begin with, of which what runs at once has 1 at the most.
            to_beat: what is proved already.
            work: in entries of knapsacks and of the program's basis.
        """
        view = ffi.from_buffer
        best = array("i", bytes(4 * self.kinds))
        times, begin = array("d", time), array("d", steady)
        columns = {
            "level": self._levels,
            "copies": self._copies,
            "places": self._places,
            "capacity": self._capacities,
            "drives": self._drives,
        }
        patterns = ffi.new(
            "patterns_t *",
            {name: view("int32_t[]", column) for name, column in columns.items()}
            | {
                "kinds": self.kinds,
                "time": view("double[]", times),
                "sacks": len(self._drives),
                "at_once": self.at_once,
                "to_beat": to_beat,
                "worth_it": WORTH_IT,
                "close_enough": _CLOSE_ENOUGH,
                "steady": _STEADY,
                "work": work,
            },
        )
        if lib.best_weights(patterns, view("double[]", begin), view("int32_t[]", best)):
            raise MemoryError
        return list(best)


def best_weighing(
    durations: Sequence[int],
    rates: Sequence[int],
    drives: Sequence[Drive],
    known: Weighing,
    to_beat: int,
    share: float = 1.0,
) -> Weighing | None:
    """The weighing that proves most by the work that it makes of the jobs.

    Args:
        durations: of the jobs, at least one.
        rates: likewise, none faster than the fastest drive.
        drives: the pool.
        known: a good weighing to begin with.
        to_beat: nanoseconds that are proved already.
        share: of the work that it may be at the most.

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
    found = sacks.best_weights(time, steady, to_beat, int(share * _WORK))
    capacity = sacks.heaviest(found)
    if not capacity:
        return None
    # In between, a weight holds for what is at least as fast as the slowest of the kind.
    by_rate = dict(zip(rates, (found[kind] for kind in sacks.kind_of), strict=True))
    return Weighing(by_rate.__getitem__, capacity)


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
