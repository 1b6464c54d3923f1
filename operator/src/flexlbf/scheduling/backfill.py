"""FlexLBF that searches its list: the improvement that the paper leaves as future work (section VII)."""

from dataclasses import dataclass

from flexlbf.scheduling.flexlbf import FlexLBF
from flexlbf.scheduling.protocol import Choice, DriveLoads, NativeRule, roomiest_drive
from flexlbf.scheduling.units import RATE_TOLERANCE
from flexlbf.scheduling.waiting import Waiting


@dataclass(frozen=True)
class FlexLBFBackfill(FlexLBF):
    """Where the longest object does not fit, the first one of the list that does goes before it."""

    native_rule = NativeRule("searching")

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:  # noqa: ARG002
        """The first job that fits on the drive with the most free rate."""
        drive = roomiest_drive(loads)
        if drive is None:
            return None
        room = loads.room[drive] + RATE_TOLERANCE
        return next((Choice(place, drive) for place in waiting if waiting.jobs[place].rate <= room), None)
