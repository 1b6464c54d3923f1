"""How long drives were busy: the time in which at least one stream was open."""

from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple


class DriveKey(NamedTuple):
    """A drive of a pool; the pool as labels name it."""

    pool: str
    drive: str


class DriveMeter:
    """Adds up the busy time of drives, as streams open and close.

    Args:
        clock: seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._streams: Counter[DriveKey] = Counter()
        self._since: dict[DriveKey, float] = {}
        self._busy: dict[DriveKey, float] = {}

    def opened(self, drive: DriveKey) -> None:
        """A stream to a drive began."""
        self._streams[drive] += 1
        self._since.setdefault(drive, self._clock())

    def closed(self, drive: DriveKey) -> None:
        """A stream to a drive ended."""
        self._streams[drive] -= 1
        if self._streams[drive] == 0:
            del self._streams[drive]
            lasted = self._clock() - self._since.pop(drive)
            self._busy[drive] = self._busy.get(drive, 0.0) + lasted

    def busy(self, drive: DriveKey) -> float:
        """Seconds in which a drive was busy since this process looks."""
        since = self._since.get(drive)
        return self._busy.get(drive, 0.0) + (self._clock() - since if since is not None else 0.0)
