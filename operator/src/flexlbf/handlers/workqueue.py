"""A queue of keys to reconcile: each once at a time, gathered over a moment, retried later and later."""

import asyncio
import random
from collections.abc import Hashable
from typing import Generic, TypeVar

GATHER_SECONDS = 0.05
"""Changes that come together, as of a policy and its sets by one `kubectl apply`, are one reconciliation."""

FIRST_RETRY_SECONDS = 0.5
LAST_RETRY_SECONDS = 60.0

Item = TypeVar("Item", bound=Hashable)


class WorkQueue(Generic[Item]):
    """Keys that wait for a worker.

    A key that is added while a worker has it is handed out once more afterwards, so that the last change
    is always seen; one that waits already is not added twice.
    """

    def __init__(self) -> None:
        self._ready: asyncio.Queue[Item] = asyncio.Queue()
        self._waiting: set[Item] = set()
        self._running: set[Item] = set()
        self._again: set[Item] = set()
        self._timers: dict[Item, asyncio.TimerHandle] = {}
        self._failures: dict[Item, int] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, item: Item, delay: float = GATHER_SECONDS) -> None:
        """Ask for a key to be reconciled, in a moment."""
        if item in self._running:
            self._again.add(item)
        elif item not in self._waiting:
            self._waiting.add(item)
            asyncio.get_running_loop().call_later(delay, self._ready.put_nowait, item)

    def backs_off(self, item: Item) -> bool:
        """Whether a key that failed waits for its next try."""
        return item in self._failures and item in self._timers

    def add_at(self, item: Item, seconds: float) -> None:
        """Ask for a key to be reconciled in so many seconds, instead of when it was last asked for so."""
        self.cancel_timer(item)
        self._timers[item] = asyncio.get_running_loop().call_later(max(seconds, 0), self._elapsed, item)

    def cancel_timer(self, item: Item) -> None:
        """Withdraw `add_at`."""
        timer = self._timers.pop(item, None)
        if timer:
            timer.cancel()

    def _elapsed(self, item: Item) -> None:
        self._timers.pop(item, None)
        self.add(item)

    async def take(self) -> Item:
        """The next key; the worker says `done` or `failed` for it."""
        item = await self._ready.get()
        self._waiting.discard(item)
        self._running.add(item)
        return item

    def done(self, item: Item) -> None:
        """The key is as wanted."""
        self._failures.pop(item, None)
        self._finish(item)

    def failed(self, item: Item, at_least: float = 0) -> float:
        """The key must be tried again; returns in how many seconds."""
        failures = self._failures[item] = self._failures.get(item, 0) + 1
        delay: float = min(FIRST_RETRY_SECONDS * 2 ** min(failures - 1, 10), LAST_RETRY_SECONDS)
        delay = max(delay, at_least) * random.uniform(1.0, 1.3)  # noqa: S311 - only spreads load
        self._finish(item)
        self.add_at(item, delay)
        return delay

    def give_back(self, item: Item) -> None:
        """The worker ends before it is done: another will have the key."""
        self._again.add(item)
        self._finish(item)

    def _finish(self, item: Item) -> None:
        self._running.discard(item)
        if item in self._again:
            self._again.discard(item)
            self.add(item)
