"""What the same drives would do without FlexLBF: the traditional order and LBF (tables I and II)."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from flexlbf.scheduling import (
    LBF,
    Drive,
    Job,
    Scheduler,
    Stretch,
    Traditional,
    mean_stretch,
    restore_stretch,
    simulate,
    with_agents,
)

TRADITIONAL_AGENTS = 4
"""Agents a drive of the paper's baselines (section IV), and a common product default."""

MAX_SEEDS = 30
JOBS_TO_SIMULATE = 30_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """The same workload on the same drives under other schedulers, the traditional order as means.

    Attributes:
        traditional: nanoseconds that the session takes.
        lbf: likewise.
        traditional_stretch: how much restores are stretched, None where no object has any bytes.
        lbf_stretch: likewise.
    """

    traditional: float
    lbf: float
    traditional_stretch: Stretch | None
    lbf_stretch: Stretch | None


def compare(
    jobs: Sequence[Job], drives: Sequence[Drive], *, agents: int = TRADITIONAL_AGENTS, start_grid: int = 1
) -> Comparison:
    """Simulate the baselines with a fixed number of agents, at most what each drive takes.

    The traditional order is random, so it is the mean over seeds: 30 up to 1,000 jobs, fewer for
    larger workloads, whose durations vary less, and never fewer than 3.
    """
    fixed = with_agents(drives, agents)
    seeds = min(MAX_SEEDS, max(3, JOBS_TO_SIMULATE // max(1, len(jobs))))

    def session(scheduler: Scheduler) -> tuple[int, Stretch | None]:
        schedule = simulate(jobs, fixed, scheduler, start_grid=start_grid)
        return schedule.makespan, restore_stretch(schedule)

    makespans, stretches = zip(*(session(Traditional(seed)) for seed in range(seeds)), strict=True)
    lbf, lbf_stretch = session(LBF())
    return Comparison(fmean(makespans), lbf, mean_stretch(stretches), lbf_stretch)


def saved_percent(duration: float, baseline: float) -> int:
    """Per cent of the baseline that a duration saves, to the nearest; negative if it is longer."""
    return round(100 * (1 - duration / baseline)) if baseline else 0
