"""The shortest session of few jobs, by branch and bound in the kernel: then that is the lower bound."""

from array import array
from collections.abc import Sequence

from flexlbf.scheduling.binding import ffi, lib
from flexlbf.scheduling.model import Drive
from flexlbf.scheduling.units import RATE_TOLERANCE
from flexlbf.scheduling.weighings import Weighing

FEW = lib.FEW_JOBS if lib else 0
"""Of more jobs than this nothing is tried; without the kernel, of none."""

SESSION_WORK = 60_000_000
"""How many entries may be looked at: about a tenth of a second."""

_FIRST_STRIDE = 2.5e-3
"""By what part more is to be proved at first; each time twice as much, which takes ever longer."""

_LARGEST = 1 << 62
"""The kernel counts in 64 bits."""


class Few:
    """Few jobs on a pool.

    Args:
        durations: of the jobs, at least one, and `FEW` at the most.
        rates: likewise, none faster than the fastest drive.
        drives: the pool; a session may exceed a drive's rate by the tolerance of comparisons.
        weighings: by which to tell early that what is left takes too long.
    """

    def __init__(
        self,
        durations: Sequence[int],
        rates: Sequence[int],
        drives: Sequence[Drive],
        weighings: Sequence[Weighing],
    ) -> None:
        self._rows = sorted(zip(durations, rates, strict=True), reverse=True)
        self._pool = sorted((drive.max_rate + RATE_TOLERANCE, drive.max_agents) for drive in drives)
        self._weights = [each.weigh(rate) / each.capacity for each in weighings for _, rate in self._rows]
        self._weighings = len(weighings)
        self._one_by_one = sum(durations)

    def no_session_under(self, step: int, proved: int, known: int | None, work: int) -> int:
        """Nanoseconds of the shortest session, or what can be proved with so much work.

        Args:
            step: every session ends at a multiple of it.
            proved: what is known to be proved, from which on more is tried.
            known: how long a session lasts that is known.
            work: how many entries may be looked at.
        """
        best = proved // step * step
        largest = max(2 * self._one_by_one, *(rate for rate, _ in self._pool))
        if len(self._pool) > lib.FEW_DRIVES or largest > _LARGEST:
            return best
        longest = self._one_by_one if known is None else min(known, self._one_by_one)
        columns = {
            "duration": array("q", [duration for duration, _ in self._rows]),
            "rate": array("q", [rate for _, rate in self._rows]),
            "max_rate": array("q", [rate for rate, _ in self._pool]),
        }
        agents, weights = array("i", [agents for _, agents in self._pool]), array("d", self._weights)
        few = ffi.new(
            "few_t *",
            {name: ffi.from_buffer("int64_t[]", column) for name, column in columns.items()}
            | {
                "jobs": len(self._rows),
                "drives": len(self._pool),
                "max_agents": ffi.from_buffer("int32_t[]", agents),
                "weighings": self._weighings,
                "weight": ffi.from_buffer("double[]", weights),
                "step": step,
                "work": work,
            },
        )
        stride = _FIRST_STRIDE
        while best + step <= longest:
            wanted = min(longest, int(best * (1 + stride)))
            few.below = max(wanted // step, best // step + 1) * step
            found = lib.shortest(few)
            if found == lib.SHORTEST_UNKNOWN:
                break
            best = found
            if found < few.below:
                break
            stride *= 2
        return best
