"""Workloads whose hours are seconds: what is declared, and what the played pods really take."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Self

from flexlbf.samples import workload
from flexlbf.scheduling import (
    Drive,
    FlexLBF,
    Job,
    Scheduler,
    equal_drives,
    longest_first,
    simulate,
    within_rate_of,
)
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE
from support.resources import Set, a_set
from support.streamcheck import Limits

MILLISECOND = 1_000_000
OBJECTS_A_SET = 1000
GROUP = "lto"


@dataclass(frozen=True)
class Library:
    """Equal drives, called as a pool with the group `lto` calls them."""

    count: int
    mbps: int
    max_agents: int = 10

    @property
    def drives(self) -> tuple[Drive, ...]:
        """As the simulator takes them."""
        equal = equal_drives(self.count, self.mbps, self.max_agents)
        return tuple(replace(each, name=f"{GROUP}-{index}") for index, each in enumerate(equal))

    @property
    def limits(self) -> dict[str, Limits]:
        """As the checker takes them."""
        limit = Limits(self.max_agents, Decimal(self.mbps * 1_000_000))
        return {each.name: limit for each in self.drives}


@dataclass(frozen=True)
class Workload:
    """Objects as they are declared, and how long each really takes.

    Attributes:
        jobs: what the sets say; whole milliseconds and whole kilobytes a second.
        truth: nanoseconds that each object's pod runs.
        failing: how many attempts of an object fail.
        hosts: the machine of each object that is on one.
    """

    jobs: tuple[Job, ...]
    truth: dict[str, int]
    failing: dict[str, int]
    hosts: dict[str, str] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        """The objects."""
        return {each.name for each in self.jobs}

    @property
    def size(self) -> int:
        """How many bytes the objects say to have written."""
        return sum(map(_size, self.jobs))

    def disturbed(self, share: float, seed: int) -> Self:
        """The same declaration; each object really takes up to this share more or less."""
        chance = random.Random(seed)
        truth = {
            name: round(length * chance.uniform(1 - share, 1 + share)) for name, length in self.truth.items()
        }
        return replace(self, truth=truth)

    def failing_at_first(self, *names: str) -> Self:
        """The first attempt of these fails."""
        return replace(self, failing=dict.fromkeys(names, 1))

    def on_hosts(self, *hosts: str) -> Self:
        """The same, with the objects spread over these machines, the longest first."""
        ordered = longest_first(self.jobs)
        placed = {each.name: hosts[place % len(hosts)] for place, each in enumerate(ordered)}
        return replace(self, hosts=placed)

    def really(self) -> list[Job]:
        """The jobs as they will be."""
        return [replace(each, duration=self.truth[each.name]) for each in self.jobs]

    def makespan(
        self, drives: Sequence[Drive], scheduler: Scheduler, held: Mapping[str, int] | None = None
    ) -> float:
        """Seconds that the session takes in the simulator, ordered by what is declared.

        Args:
            drives: where to.
            scheduler: the policy's.
            held: nanoseconds that each object holds its drive; what it really takes if left out.
        """
        durations = self.truth if held is None else held
        return simulate(self.jobs, drives, scheduler, true_durations=durations).makespan / 1e9

    def sets(self, prefix: str = "fleet") -> list[Set]:
        """Sets of at most 1000 objects."""
        parts = [self.jobs[at : at + OBJECTS_A_SET] for at in range(0, len(self.jobs), OBJECTS_A_SET)]
        return [
            a_set(f"{prefix}-{number}").setting(objects=[self._declared(each) for each in part])
            for number, part in enumerate(parts)
        ]

    def _declared(self, job: Job) -> dict[str, object]:
        rate = job.rate // MICROBYTES_PER_BYTE
        script = f"{self.truth[job.name] / 1e9:.3f}s bytes={_size(job)}"
        if job.name in self.failing:
            script += f" fail={self.failing[job.name]}"
        host = {"host": self.hosts[job.name]} if job.name in self.hosts else {}
        return {
            "name": job.name,
            **host,
            "source": {"value": script},
            "estimate": {"duration": f"{job.duration / 1e9:.3f}s", "throughput": f"{rate // 1000}k"},
        }


def lasting(seconds: float, objects: int, library: Library, seed: int = 7, prefix: str = "") -> Workload:
    """A sample of so many objects, scaled so that FlexLBF takes so many seconds for it on these drives."""
    drawn = [replace(job, name=prefix + job.name) for job in workload(objects, seed)]
    return _scaled(within_rate_of(library.drives, drawn), seconds, library)


def of_a_kind(seconds: float, objects: int, library: Library, seed: int = 7) -> Workload:
    """Objects of which none takes more than three times as long as another, scaled likewise.

    They come one after the other all through the session. Of a sample's objects two in three are so short
    that the last of its minutes would see most of them, more than a cluster of one machine can start.
    """
    chance = random.Random(seed)
    fair = library.mbps * 1e12 / library.max_agents
    drawn = [
        Job(f"fs{index}:/data", round(1e9 * 3 ** chance.random()), round(fair * chance.uniform(0.5, 1.2)))
        for index in range(objects)
    ]
    return _scaled(drawn, seconds, library)


def _scaled(jobs: Sequence[Job], seconds: float, library: Library) -> Workload:
    scale = seconds * 1e9 / simulate(jobs, library.drives, FlexLBF()).makespan
    scaled = tuple(
        Job(each.name, max(_rounded(each.duration * scale, MILLISECOND), MILLISECOND), _whole_rate(each.rate))
        for each in jobs
    )
    return Workload(scaled, {each.name: each.duration for each in scaled}, {})


def _size(job: Job) -> int:
    return job.duration * (job.rate // MICROBYTES_PER_BYTE) // 1_000_000_000


def _rounded(value: float, step: int) -> int:
    return round(value / step) * step


def _whole_rate(rate: int) -> int:
    """Down to whole kilobytes a second, so that what fits a drive still fits."""
    step = 1000 * MICROBYTES_PER_BYTE
    return max(rate // step * step, step)
