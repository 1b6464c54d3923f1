"""The tuner: the fewest drives, then the fewest agents, that still meet the objective (figures 11, 12)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flexlbf.scheduling import (
    Drive,
    FlexLBF,
    Job,
    LowerBound,
    Schedule,
    Scheduler,
    Stretch,
    lower_bound,
    restore_stretch,
    simulate,
    with_agents,
)
from flexlbf.scheduling.workload import Workload
from flexlbf.tuning.objective import Objective, WithinPercent

STANDARD_ALTERNATIVE = WithinPercent(15)
"""The second half of the paper's table III; computed for every workload."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A configuration that the tuner chose and the session that it gives.

    Attributes:
        objective: what it was chosen for.
        drives: the drives to use, in the pool's order, with their agents capped at `max_agents`.
        max_agents: the cap on agents (maxDA) of every drive.
        schedule: the simulated session on these drives.
        bound: the lower bound of a session on these drives with these agents.
        optimal: whether it is proved that no session on these drives with these agents is shorter.
        meets_target: False if not even all drives with all agents meet the objective; the setting then
            is all drives with all agents.
    """

    objective: Objective
    drives: tuple[Drive, ...]
    max_agents: int
    schedule: Schedule
    bound: LowerBound
    optimal: bool
    meets_target: bool

    @property
    def makespan(self) -> int:
        """Nanoseconds that the session takes."""
        return self.schedule.makespan

    @property
    def stretch(self) -> Stretch | None:
        """The price of so many agents, to be held against their duration; reckoned at each call."""
        return restore_stretch(self.schedule)


@dataclass(frozen=True, slots=True)
class Tuning:
    """The setting for the objective, the alternatives, and the reference both are measured against."""

    reference: Schedule
    chosen: Setting
    alternatives: tuple[Setting, ...]


def by_removal(drives: Sequence[Drive]) -> list[int]:
    """Indices of the drives in the order in which the tuner gives them up: slowest first, ties the last."""
    return sorted(range(len(drives)), key=lambda index: (drives[index].max_rate, -index))


def allowed_drives(pool: Sequence[Drive], drives: int | None, max_agents: int | None) -> tuple[Drive, ...]:
    """The pool within the user's limits: the fastest `drives` of it, each with at most `max_agents`."""
    spare = 0 if drives is None else max(0, len(pool) - drives)
    kept = _without(pool, by_removal(pool)[:spare])
    return with_agents(kept, max_agents) if max_agents is not None else kept


def _without(drives: Sequence[Drive], given_up: Sequence[int]) -> tuple[Drive, ...]:
    """The other drives; by index, since drives of a pool may be equal in everything."""
    gone = set(given_up)
    return tuple(drive for index, drive in enumerate(drives) if index not in gone)


class Tuner:
    """Tunes one workload on one pool; simulations that several objectives need are run once.

    Args:
        jobs: the workload.
        drives: the drives allowed, with the agents allowed.
        scheduler: the scheduler to tune for.
        start_grid: as for `simulate`.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        drives: Sequence[Drive],
        scheduler: Scheduler | None = None,
        *,
        start_grid: int = 1,
    ) -> None:
        self._jobs = Workload.of(jobs)
        self._drives = tuple(drives)
        self._scheduler = scheduler or FlexLBF()
        self._grid = start_grid
        self._simulated: dict[tuple[Drive, ...], Schedule] = {}

    def reference(self) -> Schedule:
        """The session on all drives with all agents: the best that the full configuration does."""
        return self._simulate(self._drives)

    def tune(self, objective: Objective) -> Setting:
        """The fewest drives, then on them the fewest agents, that meet the objective."""
        target = objective.target(self.reference().makespan)
        meets = self.reference().makespan <= target
        drives = self._fewest_drives(target) if meets else self._drives
        cap = max(drive.max_agents for drive in drives)
        while meets and cap > 1 and self._simulate(with_agents(drives, cap - 1)).makespan <= target:
            cap -= 1
        capped = with_agents(drives, cap)
        schedule = self._simulate(capped)
        bound = lower_bound(
            self._jobs,
            capped,
            shares_rate=self._scheduler.shares_rate,
            start_grid=self._grid,
            makespan=schedule.makespan,
        )
        optimal = bound.met_by(schedule.makespan, self._grid)
        return Setting(objective, capped, cap, schedule, bound, optimal, meets)

    def _fewest_drives(self, target: Fraction) -> tuple[Drive, ...]:
        drives = self._drives
        order = by_removal(self._drives)
        for given_up in range(1, len(order)):
            fewer = _without(self._drives, order[:given_up])
            if self._simulate(fewer).makespan > target:
                break
            drives = fewer
        return drives

    def _simulate(self, drives: tuple[Drive, ...]) -> Schedule:
        if drives not in self._simulated:
            self._simulated[drives] = simulate(self._jobs, drives, self._scheduler, start_grid=self._grid)
        return self._simulated[drives]


def tune(
    jobs: Sequence[Job],
    drives: Sequence[Drive],
    objective: Objective,
    scheduler: Scheduler | None = None,
    *,
    start_grid: int = 1,
) -> Tuning:
    """Tune a workload for an objective and, always, for within 15 % of the fastest.

    Raises:
        ValueError: no drive, no job, or two jobs of one name.
    """
    if not jobs:
        raise ValueError("there is nothing to tune: the workload has no objects")
    tuner = Tuner(jobs, drives, scheduler, start_grid=start_grid)
    return Tuning(tuner.reference(), tuner.tune(objective), (tuner.tune(STANDARD_ALTERNATIVE),))
