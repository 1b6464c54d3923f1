"""Whether this process may write: it leads, and has heard so from the API server a short while ago.

The times are chosen so that a write of one leader can't land in the term of the next. Whoever waits for the
Lease waits `LEASE_SECONDS` from when it saw the last renewal, which is after that renewal was sent. A write
is sent at most `PERMIT_SECONDS` after that moment, given up by us `WRITE_SECONDS` later, and given up by the
API server at most as much later again; together that is less.
"""

import asyncio
import socket
import time
import uuid
from collections.abc import Callable

LEASE_SECONDS = 15
"""So long others wait for a leader that does not renew."""

RENEW_SECONDS = 10.0
"""A leader that could not renew for so long leads no more."""

PERMIT_SECONDS = 6.0
"""A write needs a renewal that was sent no longer ago; until the next one it waits."""

WRITE_SECONDS = 4.0
"""A write has so long to be answered, and as long from its arrival to be carried out by the API server."""

_NEVER = float("-inf")


def suspend_aware_clock() -> float:
    """Seconds on a clock that nobody can set, and that goes on while the machine is suspended."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def process_identity() -> str:
    """A name for this life of this process, as other operators have it: the pod's and something unique."""
    return f"{socket.gethostname()}_{uuid.uuid4()}"


class Leadership:
    """What the Lease's keeper has found out, for whoever writes."""

    def __init__(self, identity: str, clock: Callable[[], float] = suspend_aware_clock) -> None:
        self.identity = identity
        self.clock = clock
        self._renewed = _NEVER
        self._in_doubt = _NEVER
        self._news = asyncio.Event()

    @property
    def leading(self) -> bool:
        """Whether this process leads; true only as long as it renews in time."""
        return self.left > 0

    @property
    def left(self) -> float:
        """Seconds until this process leads no more, unless it renews."""
        return self._renewed + RENEW_SECONDS - self.clock()

    @property
    def permitted(self) -> bool:
        """Whether a write may be sent now."""
        return self.clock() < self._renewed + PERMIT_SECONDS

    async def permit(self) -> bool:
        """Wait until a write may be sent, which must then be at once; False if this process does not lead."""
        while not self.permitted:
            if not self.leading:
                return False
            await self._news.wait()
        return True

    def renewed(self, sent: float) -> None:
        """The Lease is ours by a request that was sent then."""
        self._renewed = sent
        self._tell()

    def lost(self) -> None:
        """The Lease is, or will soon be, another's."""
        self._renewed = _NEVER
        self._tell()

    def unanswered(self) -> None:
        """A write has not been answered in time; it may still be carried out."""
        self._in_doubt = self.clock() + WRITE_SECONDS

    @property
    def settled(self) -> bool:
        """Whether no write can land any more; then the Lease may be given away early."""
        return self.clock() >= self._in_doubt

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
