"""Makes the session that a rule gives shorter, object by object: see `polish.c`.

What comes out is an order with a drive and a time for each object, which is kept while the night goes as
planned.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from flexlbf.scheduling.binding import ffi, lib
from flexlbf.scheduling.bounds import LowerBound
from flexlbf.scheduling.model import Drive
from flexlbf.scheduling.native import NEVER
from flexlbf.scheduling.searched import describe
from flexlbf.scheduling.workload import Workload

_HEAT = 0.01
"""What all jobs together may cost at first, as a part of the session."""

_HEAT_OF_MANY = 0.04
"""Likewise, where the annealing is done several times."""

_MOST_TIMES = 10
_OBJECTS_ANNEALED = 300
"""It is done as often as there are objects for in this, and once of more."""

_Session = tuple["array[int]", "array[int]", "array[int]"]
"""The order, the drives and the starts."""


@dataclass(frozen=True)
class Polishing:
    """A workload on a pool, and how hard to try.

    Attributes:
        jobs: in the rule's order, none faster than every drive, and of no host that limits its streams.
        drives: the pool.
        grid: nanoseconds; jobs start at multiples of it.
        bound: at which to stop.
        seed: the same seed and work give the same.
        work: in steps of the kernel.
    """

    jobs: Workload
    drives: Sequence[Drive]
    grid: int
    bound: LowerBound
    seed: int
    work: int

    def shortened(self, order: "array[int]", drive_of: "array[int]", starts: "array[int]") -> int:
        """The makespan of the best session found; the columns become those of it.

        Few objects are soon as good as the annealing makes them, so it is done anew with other draws.

        Args:
            order: becomes the places of the objects, so that of those that start on a drive at one instant
                the first is the one that others wait for.
            drive_of: of each object, the place of its drive.
            starts: of each object, in nanoseconds; nothing starts later than it could.
        """
        times = max(1, min(_MOST_TIMES, _OBJECTS_ANNEALED // len(self.jobs)))
        best, session = NEVER, (order, drive_of, starts)
        for time in range(times):
            columns = order[:], drive_of[:], starts[:]
            makespan = self._annealed(columns, self.seed + time, self.work // times, times > 1)
            if makespan < best:
                best, session = makespan, columns
            if self.bound.met_by(best, self.grid):
                break
        order[:], drive_of[:], starts[:] = session
        return best

    def _annealed(self, columns: _Session, seed: int, work: int, hot: bool) -> int:
        view = ffi.from_buffer
        of = ffi.new("polish_t *")
        views = describe(of, self.jobs, self.drives, self.grid, self.bound)
        of.heat, of.seed, of.budget = _HEAT_OF_MANY if hot else _HEAT, seed % (1 << 64), work
        order, drive_of, starts = columns
        found = view("int32_t[]", order), view("int32_t[]", drive_of), view("int64_t[]", starts)
        makespan = int(lib.polish(of, *found))
        del views  # until here the kernel read them
        if makespan < 0:
            raise MemoryError
        return makespan
