"""Lanes: the streams of a drive side by side, as many lanes as ever run at a time."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from flexlbf.scheduling import Assignment, Drive, Schedule


@dataclass(frozen=True, slots=True)
class DriveLanes:
    """What a drive does.

    Attributes:
        drive: the drive.
        lanes: the streams of each lane, in order of time; none overlap.
    """

    drive: Drive
    lanes: tuple[tuple[Assignment, ...], ...]

    @property
    def streams(self) -> list[Assignment]:
        """All streams of the drive, in order of their starts."""
        return sorted((each for lane in self.lanes for each in lane), key=lambda each: each.start)


def drive_lanes(schedule: Schedule) -> list[DriveLanes]:
    """The lanes of each drive, in the pool's order."""
    streams: list[list[Assignment]] = [[] for _ in schedule.drives]
    for assignment in schedule:
        streams[assignment.drive].append(assignment)
    return [
        DriveLanes(drive, _lanes(of_drive)) for drive, of_drive in zip(schedule.drives, streams, strict=True)
    ]


def _lanes(streams: Sequence[Assignment]) -> tuple[tuple[Assignment, ...], ...]:
    """Each stream goes into the topmost lane that is free, so that the picture is densest at its top."""
    lanes: list[list[Assignment]] = []
    free: list[int] = []
    busy: list[tuple[int, int]] = []
    for stream in sorted(streams, key=lambda each: each.start):
        while busy and busy[0][0] <= stream.start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            lane = heapq.heappop(free)
        else:
            lane = len(lanes)
            lanes.append([])
        lanes[lane].append(stream)
        heapq.heappush(busy, (stream.end, lane))
    return tuple(map(tuple, lanes))
