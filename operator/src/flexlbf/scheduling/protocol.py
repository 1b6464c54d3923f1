"""What a scheduler is: an order of the jobs and a rule that picks the next one and its drive."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol, Self

from flexlbf.scheduling.model import Drive, Job
from flexlbf.scheduling.units import RATE_TOLERANCE
from flexlbf.scheduling.waiting import Waiting

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


class Choice(NamedTuple):
    """What starts next: the place of a job in the list, and the index of its drive."""

    place: int
    drive: int


@dataclass(frozen=True, slots=True)
class Start:
    """When and where a job is planned to start.

    Attributes:
        drive: its index in the pool.
        start: nanoseconds from the start of the session.
        end: nanoseconds.
        rate: what it asks of the drive, in micro-bytes a second.
    """

    drive: int
    start: int
    end: int
    rate: int


@dataclass(frozen=True, slots=True)
class NativeRule:
    """A scheduler's rule in the words of the compiled kernel; see `native`.

    Attributes:
        kind: one of the kernel's rules.
        target: nanoseconds by which the session is to end.
        urgency: what a job's share of the time that is left weighs.
        bias: of each job, by name.
        look_ahead: of how many waiting jobs that fit all are compared.
        fastest: of more, how many of the fastest are.
        classes: and by how many classes of rates the longest of each.
        passed: for each of these, how many are looked at where some are hidden.
        even: how much of its part of the room each other free agent is left.
        waste: what the share of the room weighs that a job and the best second one beside it leave.
        plan: the starts of all jobs by name, in their order, if there is one to keep to.
        pool: of each drive that the plan is for the most rate, in micro-bytes a second, and the agents.
        slack: nanoseconds by which a session may be off the plan and still keeps to it.
    """

    kind: Literal["blocking", "searching", "filling"]
    target: int = 0
    urgency: float = 0.0
    bias: Mapping[str, float] = field(default_factory=dict)
    look_ahead: int = 0
    fastest: int = 0
    classes: int = 0
    passed: int = 1
    even: float = 0.0
    waste: float = 0.0
    plan: Mapping[str, Start] = field(default_factory=dict)
    pool: tuple[tuple[int, int], ...] = ()
    slack: int = 0


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

    def ask_again(self, waiting: Waiting, now: int) -> int | None:
        """When to ask again where nothing may start now, though nothing ends; None: there is no need."""

    def fitted(self, jobs: Sequence[Job], drives: Sequence[Drive], start_grid: int) -> "Scheduler":
        """The scheduler to use for a workload on a pool: itself, or what it finds to be best there."""


class Ready:
    """A scheduler that is used as it is, there is nothing to fit, and whose answers change with what ends."""

    def fitted(self, jobs: Sequence[Job], drives: Sequence[Drive], start_grid: int) -> Self:  # noqa: ARG002
        """Itself."""
        return self

    def ask_again(self, waiting: Waiting, now: int) -> int | None:  # noqa: ARG002
        """Not before something ends."""
        return None


def roomiest_drive(loads: DriveLoads) -> int | None:
    """The drive with a free agent and the most free rate, ties by the pool's order; None without one."""
    floor = max(loads.room) - RATE_TOLERANCE
    if floor < NO_AGENT + RATE_TOLERANCE:
        return None
    return next(drive for drive, free in enumerate(loads.room) if free >= floor)
