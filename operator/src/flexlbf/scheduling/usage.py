"""What a schedule asks of its drives over time: agents and rate, checked and summed up."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from flexlbf.scheduling.model import Host
from flexlbf.scheduling.simulator import Assignment, Schedule
from flexlbf.scheduling.units import RATE_TOLERANCE, to_megabytes, to_seconds


@dataclass(frozen=True, slots=True)
class Peak:
    """The most that is asked at one moment: streams, and micro-bytes a second."""

    agents: int
    rate: int


@dataclass(frozen=True, slots=True)
class Moment:
    """What is asked from `at` (nanoseconds) until the next moment: streams, and micro-bytes a second."""

    at: int
    agents: int
    rate: int


@dataclass(frozen=True, slots=True)
class Overload:
    """A moment at which a drive is asked more than it takes."""

    drive: str
    at: int
    agents: int
    rate: int

    def __str__(self) -> str:
        return (
            f"drive {self.drive} is asked {self.agents} agents and "
            f"{to_megabytes(self.rate):g} MB/s at {to_seconds(self.at):g} s"
        )


@dataclass(frozen=True, slots=True)
class HostOverload:
    """A moment at which a host sends more streams than it may."""

    host: str
    at: int
    streams: int

    def __str__(self) -> str:
        return f"host {self.host} sends {self.streams} streams at {to_seconds(self.at):g} s"


def peak(assignments: Iterable[Assignment]) -> Peak:
    """The peak of agents and the peak of the rate over all drives together."""
    moments = timeline(assignments)
    return Peak(
        max((each.agents for each in moments), default=0), max((each.rate for each in moments), default=0)
    )


def timeline(assignments: Iterable[Assignment]) -> list[Moment]:
    """What is asked over time, all drives together: a moment for each instant at which it changes."""
    moments: list[Moment] = []
    agents = rate = 0
    for at, changes in groupby(_changes(assignments), key=itemgetter(0)):
        for _, change, job_rate in changes:
            agents += change
            rate += change * job_rate
        moments.append(Moment(at, agents, rate))
    return moments


def overloads(schedule: Schedule) -> list[Overload]:
    """Every moment at which the schedule overloads a drive: none, unless its scheduler shares rates."""
    by_drive: dict[int, list[Assignment]] = {}
    for assignment in schedule:
        by_drive.setdefault(assignment.drive, []).append(assignment)
    found = []
    for index, assignments in sorted(by_drive.items()):
        drive = schedule.drives[index]
        agents = rate = 0
        for at, change, job_rate in _changes(assignments):
            agents += change
            rate += change * job_rate
            if agents > drive.max_agents or rate > drive.max_rate + RATE_TOLERANCE:
                found.append(Overload(drive.name, at, agents, rate))
    return found


def host_overloads(schedule: Schedule) -> list[HostOverload]:
    """Every moment at which a host sends more streams than it may: none, whatever the scheduler."""
    by_host: dict[Host, list[Assignment]] = {}
    for assignment in schedule:
        if assignment.job.host:
            by_host.setdefault(assignment.job.host, []).append(assignment)
    return [
        HostOverload(host.name, moment.at, moment.agents)
        for host, assignments in sorted(by_host.items())
        for moment in timeline(assignments)
        if moment.agents > host.max_streams
    ]


def _changes(assignments: Iterable[Assignment]) -> list[tuple[int, int, int]]:
    """Starts and ends in order of time, at one instant the ends first."""
    changes = [(each.start, 1, each.job.rate) for each in assignments]
    changes += [(each.end, -1, each.job.rate) for each in assignments]
    return sorted(changes)
