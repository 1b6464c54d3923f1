"""What a scheduler is: an order of the jobs and a rule that picks a drive for the first of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from flexlbf.scheduling.model import Drive, Job

NO_AGENT = -(1 << 62)
"""The free rate of a drive on which no agent is free: less than any rate a job may ask."""


@dataclass(slots=True)
class DriveLoads:
    """The paper's running counters, one entry a drive, in the pool's order.

    Attributes:
        free_agents: maxDA less ActDA.
        free_rate: maxTput less TapeAggTput, in micro-bytes a second.
        room: `free_rate` where an agent is free, else `NO_AGENT`; kept beside the other two since the
            search for a drive reads it once an assignment.
        active: ActDA, the streams running.
        assigned_time: the paper's TapeProcTime, nanoseconds of all jobs assigned in the session.
    """

    free_agents: list[int]
    free_rate: list[int]
    room: list[int] = field(init=False)
    active: list[int] = field(init=False)
    assigned_time: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.room = list(self.free_rate)
        self.active = [0] * len(self.free_rate)
        self.assigned_time = [0] * len(self.free_rate)

    @classmethod
    def idle(cls, drives: Sequence[Drive]) -> "DriveLoads":
        """The counters before anything is assigned."""
        return cls([drive.max_agents for drive in drives], [drive.max_rate for drive in drives])

    def assign(self, drive: int, job: Job) -> None:
        """Take an agent and the job's rate of a drive."""
        self.free_agents[drive] -= 1
        self.active[drive] += 1
        self.assigned_time[drive] += job.duration
        free = self.free_rate[drive] = self.free_rate[drive] - job.rate
        self.room[drive] = free if self.free_agents[drive] else NO_AGENT

    def release(self, drive: int, job: Job) -> None:
        """Give back what `assign` took."""
        self.free_agents[drive] += 1
        self.active[drive] -= 1
        self.room[drive] = self.free_rate[drive] = self.free_rate[drive] + job.rate


class Scheduler(Protocol):
    """Decides what starts next and where; the simulator and the live dispatcher both ask it."""

    @property
    def shares_rate(self) -> bool:
        """Whether streams may ask more than their drive sustains, and then share it."""

    def order(self, jobs: Sequence[Job]) -> list[Job]:
        """The jobs in the order in which they are considered, whatever order they come in."""

    def choose(self, job: Job, loads: DriveLoads) -> int | None:
        """The drive for the first job that waits, or None while it is blocked."""
