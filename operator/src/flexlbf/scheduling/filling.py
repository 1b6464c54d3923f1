"""A rule that fills drives: what fits best goes first, unless an object has no more time to wait.

Blocking and first-fit rules leave gaps in a drive's rate: of the objects that fit, the longest seldom is the
one that fills. Yet filling alone leaves long objects to the end. So objects are scored by the share of the
room that they fill plus a share of the time that is left, and one that must start now to end by the target
starts now. It decides by rates, durations and the clock, so it is executed live as well as simulated.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from flexlbf.scheduling.model import Job
from flexlbf.scheduling.protocol import Choice, DriveLoads, NativeRule, Ready, roomiest_drive
from flexlbf.scheduling.units import RATE_TOLERANCE
from flexlbf.scheduling.waiting import Waiting
from flexlbf.scheduling.workload import Workload

LOOK_AHEAD = 256
"""So many objects that fit are all compared; of more only some, as any gap is filled by several."""

FASTEST = 8
"""Of more, so many of the fastest are compared."""

CLASSES = 32
"""And the longest of each so manieth part of all objects by rate, if the whole part fits."""


PASSED = 8
"""For each of these so many are looked at until one is not hidden, and not the thousands of a busy host."""


@dataclass(frozen=True)
class Filling(Ready):
    """The rule with its parameters; `optimized` finds good ones.

    Attributes:
        target: nanoseconds by which the session is to end.
        urgency: what the share of the time left weighs against the share of the room.
        bias: added to the score of single objects, by name.
        even: how much of its part of the room each other free agent is left; what an object asks beyond that
            fills nothing. Where agents are what is short, none is left without rate so.
        waste: what the share of the room weighs that an object and the best second one beside it leave. Where
            few objects run at once, no single one fills the room, but two mostly do.
    """

    target: int
    urgency: float
    bias: Mapping[str, float] = field(default_factory=dict)
    even: float = 0.0
    waste: float = 0.0
    shares_rate = False

    @property
    def native_rule(self) -> NativeRule:
        """The same for the kernel."""
        parameters = self.target, self.urgency, self.bias
        compared = LOOK_AHEAD, FASTEST, CLASSES, PASSED
        return NativeRule("filling", *parameters, *compared, self.even, self.waste)

    def order(self, jobs: Sequence[Job]) -> Workload:
        """Longest first."""
        return Workload.of(jobs)

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:
        """On the drive with the most free rate the longest job if its time has come, else the best score."""
        drive = roomiest_drive(loads)
        if drive is None:
            return None
        room, agents = loads.room[drive] + RATE_TOLERANCE, loads.free_agents[drive]
        fitting = (place for place in waiting if waiting.jobs[place].rate <= room)
        longest = next(fitting, None)  # the longest is the first
        if longest is None:
            return None
        left = self.target - now
        if waiting.jobs[longest].duration >= left:
            return Choice(longest, drive)
        by_rate = waiting.by_rate(CLASSES) if len(waiting) > LOOK_AHEAD else None
        few = True
        if by_rate is not None and by_rate.count_within(room) > LOOK_AHEAD:
            few, fit = False, sorted({longest, *by_rate.some_within(room, FASTEST, waiting.hidden, PASSED)})
        else:
            fit = [longest, *fitting]
        jobs = [waiting.jobs[place] for place in fit]
        gaps = _gaps([job.rate for job in jobs], room, agents) if self.waste > 0 and few else None
        scores = self._scores(jobs, room, agents, left, gaps)
        return Choice(fit[scores.index(max(scores))], drive)

    def _scores(
        self, jobs: Sequence[Job], room: int, agents: int, left: int, gaps: Sequence[int] | None
    ) -> list[float]:
        """In the kernel's order of operations, so that both give the same to the last bit."""
        of_room, of_time = 1.0 / float(room or 1), self.urgency / float(left)
        most = float(room) * (1.0 - self.even * float(agents - 1) / float(agents))
        of_gap = self.waste * of_room
        scores = []
        for place, job in enumerate(jobs):
            filled = min(float(job.rate), most) * of_room
            score = filled + job.duration * of_time + self.bias.get(job.name, 0.0)
            if gaps:
                score -= gaps[place] * of_gap
            scores.append(score)
        return scores


def _gaps(rates: Sequence[int], room: int, agents: int) -> list[int]:
    """What of the room is left by each object that fits and the best second one beside it."""
    ascending = sorted(rates)
    gaps = []
    for rate in rates:
        left = room - rate
        fit = bisect_right(ascending, left) if agents > 1 else 0
        if fit and ascending[fit - 1] == rate:
            fit -= 1  # not beside itself
        gaps.append(left - (ascending[fit - 1] if fit else 0))
    return gaps
