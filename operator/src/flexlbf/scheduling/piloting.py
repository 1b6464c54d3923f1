"""Continues a rule's session in many ways, piece by piece, and keeps those that the rule completes best.

What comes out is a session, as a column of drives and one of starts, which `polishing` begins with: see
`pilot.c`.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace

from flexlbf.scheduling.binding import ffi, lib
from flexlbf.scheduling.bounds import LowerBound
from flexlbf.scheduling.filling import Filling
from flexlbf.scheduling.model import Drive
from flexlbf.scheduling.searched import describe
from flexlbf.scheduling.workload import Workload

_WIDTH = 32
"""So many partial sessions are kept."""

_TRIES = 64
"""Each is continued in so many ways, but of more than about 50 objects in as many as there is work for."""

_PIECES = 40
"""At the end of so many pieces of the session's time."""

_SPREAD = 1.0
"""Between the highest and the lowest random bias of an object, at the most."""

_LEAST_WASTE = 0.5
"""Where the rule does not look at what a second object leaves of the room, it does so for less than this."""


@dataclass(frozen=True)
class Piloting:
    """A workload on a pool, a rule, and how hard to try.

    Attributes:
        jobs: in the rule's order, none faster than every drive, and of no host that limits its streams.
        drives: the pool.
        grid: nanoseconds; jobs start at multiples of it.
        rule: what continues and completes sessions.
        bound: at which to stop.
        seed: the same seed and work give the same.
        work: in steps of the kernel; none is done without any.
    """

    jobs: Workload
    drives: Sequence[Drive]
    grid: int
    rule: Filling
    bound: LowerBound
    seed: int
    work: int

    def shortened(self, makespan: int, drive_of: "array[int]", starts: "array[int]") -> tuple[int, int]:
        """The makespan of the best session found and the work that was done.

        Args:
            makespan: of the session to begin with.
            drive_of: of each object, the place of its drive; changed in place if a shorter session is found.
            starts: of each object, in nanoseconds; likewise.
        """
        view = ffi.from_buffer
        bias = array("d", [self.rule.bias.get(job.name, 0.0) for job in self.jobs])
        rule = replace(self.rule, waste=max(self.rule.waste, _LEAST_WASTE))
        of = ffi.new("pilot_t *")
        views = describe(of, self.jobs, self.drives, self.grid, self.bound)
        of.seed, of.budget = self.seed % (1 << 64), self.work
        of.bias = bias_view = view("double[]", bias)
        of.target, of.urgency, of.even, of.waste = rule.target, rule.urgency, rule.even, rule.waste
        of.makespan = makespan
        of.width, of.tries, of.pieces, of.spread = _WIDTH, _TRIES, _PIECES, _SPREAD
        found = int(lib.pilot(of, view("int32_t[]", drive_of), view("int64_t[]", starts)))
        del views, bias_view  # until here the kernel read them
        if found < 0:
            raise MemoryError
        return found, int(of.work)
