"""Loopback ports that no other cluster of ours can take, however many test processes start at once.

Asking the kernel for a free port and closing it again leaves a moment in which another process gets the
same one. These ports lie below the range that the kernel hands out for outgoing connections, and each is
claimed by a file lock for as long as the cluster lives.
"""

import fcntl
import random
import socket
from typing import IO

from localcluster import cache
from localcluster.errors import LocalClusterError

FIRST, LAST = 20000, 29999


class ClaimedPort:
    """A port that is ours until `release`, or until our process dies."""

    def __init__(self, number: int, lock: IO[str]) -> None:
        self.number = number
        self._lock = lock

    def release(self) -> None:
        """Let others have it."""
        self._lock.close()


def claim() -> ClaimedPort:
    """Claim a port that nothing listens on."""
    locks = cache.folder("locks/ports")
    for number in random.SystemRandom().sample(range(FIRST, LAST + 1), k=500):
        lock = (locks / str(number)).open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        if _is_free(number):
            return ClaimedPort(number, lock)
        lock.close()
    raise LocalClusterError(f"no free loopback port between {FIRST} and {LAST}")


def _is_free(number: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", number))
        except OSError:
            return False
    return True
