"""The rate limit: blocks are spaced out on the monotonic clock."""

import time
from collections.abc import Callable

_LONGEST_NAP = 0.5
_SOON = 1e-6
"""Seconds; less is not worth a sleep."""


class Pacer:
    """Holds each block back until the limit lets it go.

    Every block has a due time, one block's worth after the block before it, so a sleep that lasts too long
    is made up for by the next and the mean rate stays exact. Time in which the source had nothing to give
    is not saved up: at most one block may follow at once.
    """

    def __init__(
        self,
        rate: int | None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Start pacing.

        Args:
            rate: bytes a second; none for no limit.
            clock: seconds that never step back.
            sleep: waits for so many seconds.
        """
        self._rate = rate
        self._clock = clock
        self._sleep = sleep
        self._due = clock()

    def wait(self, size: int) -> None:
        """Wait until a block of so many bytes may be written."""
        if self._rate is None:
            return
        spacing = size / self._rate
        now = self._clock()
        self._due = max(self._due, now - spacing)
        while self._due - now > _SOON:
            # A signal that comes just before a sleep begins is seen only after it, so none is long.
            self._sleep(min(self._due - now, _LONGEST_NAP))
            now = self._clock()
        self._due += spacing
