"""The 64 cases of figure 8 under each scheduler: each backup set on one to four drives."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from flexlbf.evaluation.study import BackupSet, Study, drives, under_lbf
from flexlbf.scheduling import (
    Drive,
    FlexLBF,
    FlexLBFBackfill,
    Optimized,
    Schedule,
    Scheduler,
    lower_bound,
    simulate,
)
from flexlbf.scheduling.workload import Workload

COUNTS = (1, 2, 3, 4)


def drives_named(count: int) -> str:
    """A number of drives in words."""
    return "1 drive" if count == 1 else f"{count} drives"


@dataclass(frozen=True)
class Case:
    """A backup set on so many drives."""

    of: BackupSet
    drives: int

    @property
    def name(self) -> str:
        """What it is called in records."""
        return f"{self.of.size} objects, set {self.of.number}, {drives_named(self.drives)}"

    @cached_property
    def jobs(self) -> Workload:
        """The set, in order."""
        return Workload.of(self.of.jobs)

    @property
    def pool(self) -> tuple[Drive, ...]:
        """The drives."""
        return drives(self.drives)

    @cached_property
    def bound(self) -> int:
        """The lower bound, in nanoseconds."""
        return lower_bound(self.jobs, self.pool).duration

    def over_the_bound(self, makespan: int) -> float:
        """Per cent."""
        return 100 * (makespan / self.bound - 1)


@dataclass(frozen=True)
class Result:
    """A case under the schedulers.

    Attributes:
        case: which.
        makespans: nanoseconds, by the scheduler's name.
        optimized: the scheduler that `Optimized` found, to be run live.
        search_s: the processor time in which it found it.
    """

    case: Case
    makespans: Mapping[str, int]
    optimized: Scheduler
    search_s: float


def all_cases(sample: int | None = None) -> list[Case]:
    """The cases by drives, then by set; or so many of them, spread evenly."""
    cases = [Case(of, count) for count in COUNTS for of in Study().sets]
    wanted = len(cases) if sample is None else min(max(sample, 1), len(cases))
    return [cases[(2 * place + 1) * len(cases) // (2 * wanted)] for place in range(wanted)]


def result(case: Case, search_s: float) -> Result:
    """Simulate a case under every scheduler; seconds are the budget of `Optimized`."""
    began = time.process_time()
    optimized: Schedule = simulate(case.jobs, case.pool, Optimized(budget_s=search_s))
    took = time.process_time() - began
    makespans = {
        "LBF": under_lbf(case.of.jobs, case.drives).makespan,
        "FlexLBF": simulate(case.jobs, case.pool, FlexLBF()).makespan,
        "FlexLBFBackfill": simulate(case.jobs, case.pool, FlexLBFBackfill()).makespan,
        "Optimized": optimized.makespan,
    }
    return Result(case, makespans, optimized.scheduler, took)
