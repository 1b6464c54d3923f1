"""Plans in a process of its own, so that the tuner never holds up the event loop."""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from flexlbf.planning.decide import decide
from flexlbf.planning.plan import Plan
from flexlbf.planning.snapshot import PolicySnapshot

PLANNING_SECONDS = 600.0

Result = TypeVar("Result")


class PlanningError(Exception):
    """A plan could not be made for no fault of its input: the process died or took too long."""


def _warm() -> None:
    """Imports have happened when this runs; what is planned first need not wait for them."""


def _begin(niceness: int) -> None:
    """Let a planning process end with the operator, also with one that was killed and could not end it."""
    os.nice(niceness)
    parent = multiprocessing.parent_process()

    def await_end() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=await_end, daemon=True).start()


class Planner:
    """A planning process; one that dies is replaced.

    Args:
        niceness: how much it lets others go first, as of `nice`.
        seconds: how long one plan may take, `PLANNING_SECONDS` if left out.
    """

    def __init__(self, niceness: int = 0, seconds: float | None = None) -> None:
        self._niceness = niceness
        self._seconds = seconds
        self._closed = False
        self._pool = self._new_pool()
        self._free = asyncio.Lock()
        self._planned: Future[Any] | None = None

    def _new_pool(self) -> ProcessPoolExecutor:
        # A forked child would inherit locks and sockets of the event loop in whatever state they are.
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(self._niceness,))
        pool.submit(_warm)
        # With this end open, of a process that dies while it sends a plan the rest would be awaited for ever.
        pool._result_queue._writer.close()  # type: ignore[attr-defined] # noqa: SLF001 - there is no public way
        return pool

    async def decide(self, snapshot: PolicySnapshot) -> Plan:
        """Plan a policy; raises PlanningError."""
        return await self.run(decide, snapshot)

    async def run(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Run a pure function in the planning process; raises PlanningError, also when closed."""
        # Nothing waits within the pool: the time of waiting is nobody's fault, and a pool that is replaced
        # takes nobody's plan along.
        async with self._free:
            # A pool whose process was ended says for a moment that it died, and would be replaced.
            if self._closed:
                raise PlanningError("the operator is stopping and plans no more")
            if self._planned is not None and not self._planned.done():
                await self._replace(self._pool)  # whoever asked for that was cancelled, and it would go on
            pool = self._pool
            limit = self._seconds or PLANNING_SECONDS
            try:
                async with asyncio.timeout(limit):
                    self._planned = pool.submit(function, *arguments)
                    return await asyncio.wrap_future(self._planned)
            except (BrokenProcessPool, TimeoutError) as error:
                await self._replace(pool)
                if isinstance(error, TimeoutError):
                    raise PlanningError(f"planning took longer than {limit:.0f} s") from error
                raise PlanningError("the planning process ended before it had a plan") from error

    async def _replace(self, broken: ProcessPoolExecutor) -> None:
        if self._pool is broken and not self._closed:
            self._pool = self._new_pool()
            await asyncio.to_thread(_end, broken)

    def close(self) -> None:
        """End the process; what it is making fails."""
        self._closed = True
        _end(self._pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """End a pool's process, whatever it does, and wait until nothing of it is left to trip over."""
    for process in list((pool._processes or {}).values()):  # noqa: SLF001 - there is no public way
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)
