"""Planning beside the event loop: one plan that takes too long takes no other along."""

import asyncio
import time

import pytest

from flexlbf.handlers import planner as module
from flexlbf.handlers.planner import Planner, PlanningError


async def test_a_plan_that_takes_too_long_takes_no_other_along(monkeypatch: pytest.MonkeyPatch):
    """What waits behind it is planned by the process that replaces it, and its waiting does not count."""
    planner = Planner()
    try:
        await planner.run(abs, -1)  # the process has started
        monkeypatch.setattr(module, "PLANNING_SECONDS", 1.0)
        endless = asyncio.create_task(planner.run(time.sleep, 600))
        await asyncio.sleep(0)
        monkeypatch.setattr(module, "PLANNING_SECONDS", 60.0)
        others = [asyncio.create_task(planner.run(abs, -number)) for number in range(3)]
        with pytest.raises(PlanningError, match="took longer"):
            await endless
        assert await asyncio.gather(*others) == [0, 1, 2]
    finally:
        planner.close()


async def test_a_process_that_dies_is_replaced():
    """The plan that it was making is told to have failed, the next one is made."""
    planner = Planner()
    try:
        with pytest.raises(PlanningError, match="ended before it had a plan"):
            await planner.run(exit_at_once)
        assert await planner.run(abs, -7) == 7
    finally:
        planner.close()


def exit_at_once() -> None:
    """As the kernel's out-of-memory killer would end it."""
    import os  # noqa: PLC0415 - runs in the other process

    os._exit(1)
