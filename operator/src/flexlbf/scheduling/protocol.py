"""What a scheduler is: an order of the jobs and a rule that picks the next one and its drive."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol, Self

from flexlbf.scheduling.model import Drive, Job
from flexlbf.scheduling.units import RATE_TOLERANCE

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


class Waiting:
    """The jobs that wait, in the scheduler's order; any of them can be taken out at once.

    Jobs are known by their place in the whole list, which never changes.
    """

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.jobs = jobs
        self._next = list(range(1, len(jobs) + 1))
        self._previous = list(range(-1, len(jobs)))
        self._first = 0

    def __bool__(self) -> bool:
        return self._first < len(self.jobs)

    def __iter__(self) -> Iterator[int]:
        """The places of all that wait."""
        place = self._first
        while place < len(self.jobs):
            yield place
            place = self._next[place]

    @property
    def first(self) -> int:
        """The place of the first that waits."""
        return self._first

    def take(self, place: int) -> Job:
        """Take a job out."""
        after, before = self._next[place], self._previous[place]
        if place == self._first:
            self._first = after
        else:
            self._next[before] = after
        self._previous[after] = before
        return self.jobs[place]


class Choice(NamedTuple):
    """What starts next: the place of a job in the list, and the index of its drive."""

    place: int
    drive: int


@dataclass(frozen=True, slots=True)
class NativeRule:
    """A scheduler's rule in the words of the compiled kernel; see `native`.

    Attributes:
        kind: one of the kernel's rules.
        target: nanoseconds by which the session is to end.
        urgency: what a job's share of the time that is left weighs.
        bias: of each job, by name.
        look_ahead: how many waiting jobs that fit are compared.
        even: what it weighs that a job asks no more and no less than an agent's part of the room.
    """

    kind: Literal["blocking", "searching", "filling"]
    target: int = 0
    urgency: float = 0.0
    bias: Mapping[str, float] = field(default_factory=dict)
    look_ahead: int = 0
    even: float = 0.0


class Scheduler(Protocol):
    """Decides what starts next and where; the simulator and the live dispatcher both ask it."""

    @property
    def shares_rate(self) -> bool:
        """Whether streams may ask more than their drive sustains, and then share it."""

    @property
    def native_rule(self) -> NativeRule | None:
        """The same rule for the compiled kernel, None if the kernel has none like it."""

    def order(self, jobs: Sequence[Job]) -> Sequence[Job]:
        """The jobs in the order in which they are considered, whatever order they come in."""

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:
        """What starts at an instant (nanoseconds), None while everything that waits is blocked."""

    def fitted(self, jobs: Sequence[Job], drives: Sequence[Drive], start_grid: int) -> "Scheduler":
        """The scheduler to use for a workload on a pool: itself, or what it finds to be best there."""


class Ready:
    """A scheduler that is used as it is: there is nothing to fit."""

    def fitted(self, jobs: Sequence[Job], drives: Sequence[Drive], start_grid: int) -> Self:  # noqa: ARG002
        """Itself."""
        return self


def roomiest_drive(loads: DriveLoads) -> int | None:
    """The drive with a free agent and the most free rate, ties by the pool's order; None without one."""
    floor = max(loads.room) - RATE_TOLERANCE
    if floor < NO_AGENT + RATE_TOLERANCE:
        return None
    return next(drive for drive, free in enumerate(loads.room) if free >= floor)
