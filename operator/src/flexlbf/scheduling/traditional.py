"""The traditional order: whatever comes, a fixed number of agents a drive (section II)."""

import random
from collections.abc import Sequence
from itertools import compress, count

from flexlbf.scheduling.model import Job
from flexlbf.scheduling.protocol import Choice, DriveLoads, Ready
from flexlbf.scheduling.waiting import Waiting
from flexlbf.scheduling.workload import Workload


class Traditional(Ready):
    """What a backup product does that knows nothing of its objects: a seeded random order.

    The fixed number K of agents is the drives' `max_agents`: see `model.with_agents`.

    Args:
        seed: the same seed gives the same order of the same jobs, whatever order they come in.
    """

    shares_rate = True
    native_rule = None

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def order(self, jobs: Sequence[Job]) -> list[Job]:
        """A shuffle of the jobs."""
        shuffled = list(Workload.of(jobs))
        random.Random(self.seed).shuffle(shuffled)  # noqa: S311 - a workload's order, no secret
        return shuffled

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:  # noqa: ARG002
        """The first job, on the drive with a free agent and the fewest active ones, ties by pool order."""
        free = list(compress(count(), loads.free_agents))
        return Choice(waiting.first, min(free, key=loads.active.__getitem__)) if free else None
