"""How a session's duration goes with the drives and the agents, around the settings that were chosen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flexlbf.scheduling import (
    Drive,
    Job,
    LowerBound,
    Schedule,
    Scheduler,
    Stretch,
    lower_bound,
    restore_stretch,
    simulate,
)
from flexlbf.scheduling.workload import Workload
from flexlbf.tuning.tuner import allowed_drives

MOST_POINTS = 32
"""Of more settings than these only some are simulated, evenly spread: a curve shows no more."""


@dataclass(frozen=True, slots=True)
class Point:
    """A setting on a curve, and the session that it gives.

    Attributes:
        drives: how many drives there are.
        max_agents: the cap on agents of each.
        makespan: nanoseconds that the session takes.
        bound: what no session with this setting beats.
        stretch: what its restores read, None where no object has any bytes.
    """

    drives: int
    max_agents: int
    makespan: int
    bound: LowerBound
    stretch: Stretch | None


class Sweep:
    """Simulates one workload with settings beside each other.

    Args:
        jobs: the workload.
        drives: the drives allowed, with the agents allowed; at least one.
        scheduler: as for `simulate`.
        start_grid: as for `simulate`.
        known: schedules of this workload that need not be simulated again. A scheduler that searches for so
            long might else find another one for the settings that were chosen.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        drives: Sequence[Drive],
        scheduler: Scheduler,
        *,
        start_grid: int = 1,
        known: Iterable[Schedule] = (),
    ) -> None:
        self._jobs = Workload.of(jobs)
        self._drives = tuple(drives)
        self._scheduler, self._grid = scheduler, start_grid
        self._schedules = {schedule.drives: schedule for schedule in known}

    def point(self, drives: int, max_agents: int) -> Point:
        """The fastest `drives` of the drives with at most `max_agents` each."""
        used = allowed_drives(self._drives, drives, max_agents)
        if used not in self._schedules:
            self._schedules[used] = simulate(self._jobs, used, self._scheduler, start_grid=self._grid)
        schedule = self._schedules[used]
        # As the tuner reckons it, so that what was chosen has one bound and not two.
        bound = lower_bound(
            self._jobs,
            used,
            shares_rate=self._scheduler.shares_rate,
            start_grid=self._grid,
            makespan=schedule.makespan,
        )
        return Point(len(used), max_agents, schedule.makespan, bound, restore_stretch(schedule))

    def over_drives(self, max_agents: int, chosen: int) -> tuple[Point, ...]:
        """From one drive to all, never more than there are objects; `chosen` is among them."""
        most = max(min(len(self._drives), len(self._jobs)), chosen)
        return tuple(self.point(number, max_agents) for number in _spread(most, chosen))

    def over_agents(self, drives: int, chosen: int) -> tuple[Point, ...]:
        """From one agent a drive to as many as the drives take; `chosen` is among them."""
        used = allowed_drives(self._drives, drives, None)
        most = max(chosen, min(max(drive.max_agents for drive in used), len(self._jobs)))
        return tuple(self.point(drives, number) for number in _spread(most, chosen))


def _spread(most: int, chosen: int) -> list[int]:
    """From 1 to `most`, with the neighbours of what was chosen; of many others only a part."""
    step = -(-most // MOST_POINTS)
    near = {number for number in (chosen - 1, chosen, chosen + 1) if 1 <= number <= most}
    return sorted({1, most, *range(step, most + 1, step), *near})
