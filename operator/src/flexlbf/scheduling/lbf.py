"""LBF: longest backup first with a fixed number of agents a drive (figure 5, the authors' earlier work)."""

from collections.abc import Sequence
from itertools import compress, count

from flexlbf.scheduling.model import Job
from flexlbf.scheduling.protocol import Choice, DriveLoads, Ready
from flexlbf.scheduling.waiting import Waiting
from flexlbf.scheduling.workload import Workload


class LBF(Ready):
    """The scheduler that FlexLBF is measured against (section III.C).

    The fixed number K of agents is the drives' `max_agents`: see `model.with_agents`.
    """

    shares_rate = True
    native_rule = None

    def order(self, jobs: Sequence[Job]) -> Workload:
        """Longest first."""
        return Workload.of(jobs)

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:  # noqa: ARG002
        """The first job, on the free drive with the least time assigned so far, ties by the pool's order."""
        free = list(compress(count(), loads.free_agents))
        return Choice(waiting.first, min(free, key=loads.assigned_time.__getitem__)) if free else None
