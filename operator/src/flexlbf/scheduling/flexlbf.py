"""FlexLBF: longest backup first, with as many agents as the drive's rate allows (figure 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from flexlbf.scheduling.model import Job
from flexlbf.scheduling.protocol import Choice, DriveLoads, NativeRule, Ready, roomiest_drive
from flexlbf.scheduling.units import RATE_TOLERANCE
from flexlbf.scheduling.waiting import Waiting
from flexlbf.scheduling.workload import Workload


@dataclass(frozen=True)
class FlexLBF(Ready):
    """The paper's scheduler (section III.B)."""

    shares_rate = False
    native_rule: ClassVar[NativeRule | None] = NativeRule("blocking")

    def order(self, jobs: Sequence[Job]) -> Sequence[Job]:
        """Longest first."""
        return Workload.of(jobs)

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:  # noqa: ARG002
        """The first job, on the drive with a free agent and the most free rate, if it fits there.

        In a pool of equal drives that is the paper's smallest aggregate throughput. If the job does not
        fit there it fits nowhere, and assignment is blocked until something completes.
        """
        drive = roomiest_drive(loads)
        place = waiting.first
        if drive is None or waiting.jobs[place].rate > loads.room[drive] + RATE_TOLERANCE:
            return None
        return Choice(place, drive)
