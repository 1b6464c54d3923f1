"""Draws plans for pages, in a process of its own, and keeps what was drawn.

A page takes a tuning and some dozens of simulations, so that whoever looks must neither hold up the event
loop, nor the planning of policies, nor have the same drawn twice.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from sys import getsizeof

from flexlbf.cluster.gather import Fingerprint
from flexlbf.cluster.state import Key
from flexlbf.handlers.planner import Planner, PlanningError
from flexlbf.planning.snapshot import PolicySnapshot
from flexlbf.report.lastsession import LastSession
from flexlbf.report.served import Drawn, draw

PATIENCE_SECONDS = 8.0
"""A reader waits so long for a drawing, and is told then that it is being made."""

MOST_UNDERWAY = 8
"""Of so many policies plans are drawn or wait to be; further readers are asked to come back."""

MOST_BYTES = 64_000_000
"""What is kept: some hundred plans of 400 objects, or a few of ten thousand."""

DRAWING_SECONDS = 300.0
"""Ten thousand objects take some ten seconds, and minutes where others need the machine more."""

IDLE_SECONDS = 300.0
"""A process with nothing to draw gives its memory back after this."""

NICENESS = 10
"""Drawing takes what time planning leaves."""

FAILED_SECONDS = 120.0
"""What could not be drawn is not tried again before: a page that is left open asks for it time after time."""

Version = tuple[Fingerprint, LastSession | None]
"""Equal versions, equal drawings."""


class BusyError(Exception):
    """Too many plans are being drawn."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be drawn."""

    snapshot: PolicySnapshot
    fingerprint: Fingerprint
    last: LastSession | None

    @property
    def version(self) -> Version:
        """What the drawing depends on."""
        return self.fingerprint, self.last


@dataclass(frozen=True, slots=True)
class Drawing:
    """What there is to show: a drawing or none yet, and whether it is of the version that was asked for."""

    drawn: Drawn | None
    current: bool


class Drawings:
    """The plans of policies as they were drawn.

    Args:
        clock: in UTC.
        patience: seconds that a reader waits for a drawing.
    """

    def __init__(self, clock: Callable[[], datetime], patience: float = PATIENCE_SECONDS) -> None:
        self._clock = clock
        self._patience = patience
        self._planner: Planner | None = None
        self._kept: OrderedDict[Key, tuple[Version, Drawn]] = OrderedDict()
        self._failed: dict[Key, tuple[Version, PlanningError, float]] = {}
        self._underway: dict[Key, asyncio.Task[None]] = {}
        self._rest: asyncio.TimerHandle | None = None

    async def of(self, key: Key, task: Task) -> Drawing:
        """What there is to show of a policy, after no more than a reader's patience.

        Raises:
            BusyError: too many others are being drawn.
            PlanningError: the drawing could not be made.
        """
        self._refuse_failed(key, task)
        if self._current(key, task) is None:
            await self._have_drawn(key, task)
        drawn = self._current(key, task)
        if drawn is not None:
            self._kept.move_to_end(key)
            return Drawing(drawn, current=True)
        _, before = self._kept.get(key, (None, None))
        return Drawing(before, current=False)

    def keeps(self, key: Key) -> bool:
        """Whether a plan of the policy was drawn and is kept, of whatever version."""
        return key in self._kept

    def forget(self, key: Key) -> None:
        """The policy is gone."""
        self._kept.pop(key, None)
        self._failed.pop(key, None)

    async def close(self) -> None:
        """Draw no more."""
        for task in self._underway.values():
            task.cancel()
        await asyncio.gather(*self._underway.values(), return_exceptions=True)
        if self._rest is not None:
            self._rest.cancel()
        if self._planner is not None:
            self._planner.close()

    def _current(self, key: Key, task: Task) -> Drawn | None:
        version, drawn = self._kept.get(key, (None, None))
        return drawn if version == task.version else None

    def _refuse_failed(self, key: Key, task: Task) -> None:
        version, error, until = self._failed.get(key, (None, None, 0.0))
        if error is not None and version == task.version and asyncio.get_running_loop().time() < until:
            raise PlanningError(str(error)) from error

    async def _have_drawn(self, key: Key, task: Task) -> None:
        """Wait for what is being drawn of a policy; it may be an older version, and this one comes next."""
        underway = self._underway.get(key)
        if underway is None:
            # One that is done is taken out of them only a moment later.
            if sum(not each.done() for each in self._underway.values()) >= MOST_UNDERWAY:
                raise BusyError
            underway = self._underway[key] = asyncio.create_task(self._draw(key, task))
            underway.add_done_callback(lambda done: self._made(key, done))
        done, _ = await asyncio.wait({underway}, timeout=self._patience)
        if done:
            underway.result()

    def _made(self, key: Key, done: asyncio.Task[None]) -> None:
        del self._underway[key]
        if not done.cancelled():
            done.exception()  # who waited is told; if nobody did, who asks next has it tried again
        if not self._underway:
            self._rest = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._give_back)

    def _give_back(self) -> None:
        planner, self._planner = self._planner, None
        if planner is not None:
            asyncio.get_running_loop().run_in_executor(None, planner.close)

    async def _draw(self, key: Key, task: Task) -> None:
        if self._rest is not None:
            self._rest.cancel()
        if self._planner is None:
            # Not before somebody looks: the process takes memory of its own.
            self._planner = Planner(niceness=NICENESS, seconds=DRAWING_SECONDS)
        try:
            drawn = await self._planner.run(draw, task.snapshot, task.last, self._clock())
        except PlanningError as error:
            self._failed[key] = task.version, error, asyncio.get_running_loop().time() + FAILED_SECONDS
            raise
        self._failed.pop(key, None)
        self._kept[key] = task.version, drawn
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and self._size() > MOST_BYTES:
            self._kept.popitem(last=False)

    def _size(self) -> int:
        """Bytes: a single name in Chinese has every character of its page take two."""
        return sum(getsizeof(drawn.html) for _, drawn in self._kept.values())
