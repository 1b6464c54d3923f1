"""A rule that fills drives: what fits best goes first, unless an object has no more time to wait.

Blocking and first-fit rules leave gaps in a drive's rate: of the objects that fit, the longest seldom is the
one that fills. Yet filling alone leaves long objects to the end. So objects are scored by the share of the
room that they fill plus a share of the time that is left, and one that must start now to end by the target
starts now. It decides by rates, durations and the clock, so it is executed live as well as simulated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from flexlbf.scheduling.model import Job
from flexlbf.scheduling.protocol import Choice, DriveLoads, NativeRule, Ready, Waiting, roomiest_drive
from flexlbf.scheduling.units import RATE_TOLERANCE
from flexlbf.scheduling.workload import Workload

LOOK_AHEAD = 512
"""Of more objects than this the longest are compared: by then some of them fills any gap."""


@dataclass(frozen=True)
class Filling(Ready):
    """The rule with its parameters; `optimized` finds good ones.

    Attributes:
        target: nanoseconds by which the session is to end.
        urgency: what the share of the time left weighs against the share of the room.
        bias: added to the score of single objects, by name.
        even: what it weighs that a job asks just an agent's part of the room. Where agents are what is short,
            fast and slow objects are so mixed that no agent is left without rate.
    """

    target: int
    urgency: float
    bias: Mapping[str, float] = field(default_factory=dict)
    even: float = 0.0
    shares_rate = False

    @property
    def native_rule(self) -> NativeRule:
        """The same for the kernel."""
        return NativeRule("filling", self.target, self.urgency, self.bias, LOOK_AHEAD, self.even)

    def order(self, jobs: Sequence[Job]) -> Workload:
        """Longest first."""
        return Workload.of(jobs)

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:
        """The job with the best score on the drive with the most free rate."""
        drive = roomiest_drive(loads)
        if drive is None:
            return None
        room = loads.room[drive] + RATE_TOLERANCE
        agents = float(loads.free_agents[drive])
        best, chosen, compared = -1e300, -1, 0
        for place in waiting:
            job = waiting.jobs[place]
            if job.rate > room:
                continue
            if now + job.duration >= self.target:
                return Choice(place, drive)
            score = self._score(job, float(room), agents, float(self.target - now))
            if score > best:
                best, chosen = score, place
            compared += 1
            if compared == LOOK_AHEAD:
                break
        return Choice(chosen, drive) if chosen >= 0 else None

    def _score(self, job: Job, room: float, agents: float, left: float) -> float:
        """In the kernel's order of operations, so that both give the same to the last bit."""
        score = job.rate / room + self.urgency * job.duration / left + self.bias.get(job.name, 0.0)
        if self.even > 0:
            score -= self.even * abs(job.rate * agents / room - 1.0)
        return score
