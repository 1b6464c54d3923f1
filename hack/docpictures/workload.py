"""The workload that the documentation draws, and its sessions."""

import math
from dataclasses import replace
from functools import cached_property

from flexlbf.samples import server, workload
from flexlbf.samples.draws import Draws
from flexlbf.scheduling import Assignment, Drive, FlexLBF, Job, Schedule, Traditional, equal_drives, simulate
from flexlbf.scheduling.units import MINUTE, NANOSECONDS

NUMBER = 3
DRIVE_MBPS, MAX_AGENTS = 80, 10
FIXED_AGENTS = 4
"""What people set by hand: the paper's site had it."""

ORDER, NIGHT = 1, 3
"""Seeds: of the arbitrary order, and of a night whose durations differ from the forecast by about a fifth."""

SIGMA = 0.2
MANY = 400


class Workload:
    """The paper's drive, and the sample generator's server 3 and its larger set."""

    @cached_property
    def jobs(self) -> list[Job]:
        """Its objects, as the next session is planned."""
        return server(NUMBER).jobs()

    @cached_property
    def many(self) -> list[Job]:
        """So many objects of all servers that they need several drives."""
        return workload(MANY)

    @cached_property
    def arbitrary(self) -> Schedule:
        """In a random order with a fixed number of agents."""
        return simulate(self.jobs, equal_drives(1, DRIVE_MBPS, FIXED_AGENTS), Traditional(ORDER))

    @cached_property
    def flexlbf(self) -> Schedule:
        """Longest first, with as many agents as the drive's rate allows."""
        return simulate(self.jobs, self._drives, FlexLBF())

    @cached_property
    def true_durations(self) -> dict[str, int]:
        """Nanoseconds that the objects really take in one night."""
        draws = Draws(NIGHT)
        factors = (math.exp(SIGMA * draws.around_zero() - SIGMA * SIGMA / 2) for _ in self.jobs)
        return {
            job.name: round(job.duration * factor) for job, factor in zip(self.jobs, factors, strict=True)
        }

    @cached_property
    def planned_night(self) -> list[Assignment]:
        """That night with every object at its planned start."""
        plan = simulate(self.jobs, self._drives, FlexLBF(), start_grid=MINUTE)
        return [replace(each, end=each.start + self.true_durations[each.job.name]) for each in plan]

    @cached_property
    def adaptive_night(self) -> list[Assignment]:
        """That night with every object started when the drive has room."""
        return list(simulate(self.jobs, self._drives, FlexLBF(), true_durations=self.true_durations))

    @property
    def _drives(self) -> tuple[Drive, ...]:
        return equal_drives(1, DRIVE_MBPS, MAX_AGENTS)


def hours(nanoseconds: float) -> float:
    """Hours, as axes count them."""
    return nanoseconds / NANOSECONDS / 3600
