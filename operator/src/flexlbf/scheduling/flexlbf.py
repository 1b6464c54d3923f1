"""FlexLBF: longest backup first, with as many agents as the drive's rate allows (figure 4)."""

from collections.abc import Sequence

from flexlbf.scheduling.model import Job, longest_first
from flexlbf.scheduling.protocol import DriveLoads
from flexlbf.scheduling.units import RATE_TOLERANCE


class FlexLBF:
    """The paper's scheduler (section III.B)."""

    shares_rate = False

    def order(self, jobs: Sequence[Job]) -> list[Job]:
        """Longest first."""
        return longest_first(jobs)

    def choose(self, job: Job, loads: DriveLoads) -> int | None:
        """The drive with a free agent and the most free rate, if the job fits there.

        In a pool of equal drives that is the paper's smallest aggregate throughput. If the job does not
        fit there it fits nowhere, and assignment is blocked until something completes.
        """
        room = loads.room
        floor = max(room) - RATE_TOLERANCE
        for drive, free in enumerate(room):
            if free >= floor:
                return drive if job.rate <= free + RATE_TOLERANCE else None
        return None
