"""LBF: longest backup first with a fixed number of agents a drive (figure 5, the authors' earlier work)."""

from collections.abc import Sequence

from flexlbf.scheduling.model import Job, longest_first
from flexlbf.scheduling.protocol import DriveLoads


class LBF:
    """The scheduler that FlexLBF is measured against (section III.C).

    The fixed number K of agents is the drives' `max_agents`: see `model.with_agents`.
    """

    shares_rate = True

    def order(self, jobs: Sequence[Job]) -> list[Job]:
        """Longest first."""
        return longest_first(jobs)

    def choose(self, job: Job, loads: DriveLoads) -> int | None:  # noqa: ARG002 - LBF looks at no rates
        """The drive with a free agent and the smallest sum of assigned durations, ties by pool order."""
        free = [drive for drive, agents in enumerate(loads.free_agents) if agents]
        return min(free, key=loads.assigned_time.__getitem__, default=None)
