"""Durations that vary: the planned order and settings, run live many times over (seeded Monte Carlo)."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flexlbf.scheduling import Drive, Job, Scheduler, simulate
from flexlbf.scheduling.hardening import disturbed


@dataclass(frozen=True, slots=True)
class Variation:
    """How durations vary and how often that is tried.

    Each duration is multiplied by a log-normal factor of mean 1, so that sessions are neither larger nor
    smaller on average: growth is a question of its own.

    Attributes:
        sigma: the standard deviation of the factor's logarithm.
        runs: how many sessions are run.
        seed: the same seed gives the same sessions, whatever order the jobs come in.
    """

    sigma: float = 0.2
    runs: int = 200
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.sigma < math.inf:
            raise ValueError("sigma is a number of 0 or more: 0.2 lets durations vary by about a fifth")
        if self.runs < 1:
            raise ValueError("it takes at least 1 run to see how durations vary")


@dataclass(frozen=True, slots=True)
class Spread:
    """How long the sessions took: nanoseconds, the shortest first."""

    variation: Variation
    makespans: tuple[int, ...]

    def percentile(self, percent: float) -> int:
        """The shortest time within which so many per cent of the sessions ended."""
        return self.makespans[max(0, math.ceil(len(self.makespans) * percent / 100) - 1)]

    def chance_within(self, window: int) -> float:
        """The share of sessions that took no longer than a window."""
        return sum(makespan <= window for makespan in self.makespans) / len(self.makespans)


def live_makespans(
    jobs: Sequence[Job],
    drives: Sequence[Drive],
    scheduler: Scheduler,
    variation: Variation,
    *,
    start_grid: int = 1,
) -> Iterator[int]:
    """The durations of sessions, one after the other, in which the objects take other times than planned.

    The scheduler orders by what was planned and starts an object when a drive really has room.
    """
    by_name = sorted(jobs, key=lambda job: job.name)
    # Only `random()` and seeding by an integer are promised to be the same in every version of Python.
    uniform = random.Random(variation.seed).random  # noqa: S311 - a simulation, no secret
    for _ in range(variation.runs):
        durations = {job.name: disturbed(job.duration, variation.sigma, uniform()) for job in by_name}
        yield simulate(jobs, drives, scheduler, start_grid=start_grid, true_durations=durations).makespan
