"""Planning beside the event loop: one plan that takes too long takes no other along."""

import asyncio
import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from flexlbf.handlers import planner as module
from flexlbf.handlers.planner import Planner, PlanningError
from support.planningwork import exit_at_once, exit_while_sending, stop_while_sending


@pytest.fixture
def others() -> Iterator[set[BaseProcess]]:
    """Processes that were there before; what a test leaves beside them is ended, or nothing would end."""
    before = set(multiprocessing.active_children())
    yield before
    for process in set(multiprocessing.active_children()) - before:
        process.kill()


def _running(others: set[BaseProcess]) -> int:
    return len(set(multiprocessing.active_children()) - others)


async def test_a_plan_that_takes_too_long_takes_no_other_along(
    monkeypatch: pytest.MonkeyPatch, others: set[BaseProcess]
):
    """What waits behind it is planned by the process that replaces it, and its waiting does not count."""
    planner = Planner()
    try:
        await planner.run(abs, -1)  # the process has started
        monkeypatch.setattr(module, "PLANNING_SECONDS", 1.0)
        endless = asyncio.create_task(planner.run(time.sleep, 600))
        await asyncio.sleep(0)
        monkeypatch.setattr(module, "PLANNING_SECONDS", 60.0)
        behind = [asyncio.create_task(planner.run(abs, -number)) for number in range(3)]
        with pytest.raises(PlanningError, match="took longer"):
            await endless
        assert await asyncio.gather(*behind) == [0, 1, 2]
        assert _running(others) == 1
    finally:
        planner.close()


async def test_a_plan_that_nobody_waits_for_takes_no_other_along():
    """As at the end of a term: it is ended, and its time is not that of the next."""
    planner = Planner(seconds=60)
    try:
        await planner.run(abs, -1)
        abandoned = asyncio.create_task(planner.run(time.sleep, 600))
        await asyncio.sleep(0.1)
        abandoned.cancel()
        with pytest.raises(asyncio.CancelledError):
            await abandoned
        assert await planner.run(abs, -7) == 7
    finally:
        planner.close()


async def test_a_process_that_dies_is_replaced(others: set[BaseProcess]):
    """The plan that it was making is told to have failed, the next one is made."""
    planner = Planner()
    try:
        with pytest.raises(PlanningError, match="ended before it had a plan"):
            await planner.run(exit_at_once)
        assert await planner.run(abs, -7) == 7
        assert _running(others) == 1
    finally:
        planner.close()


async def test_a_process_that_dies_while_it_sends_a_plan_is_replaced(others: set[BaseProcess]):
    """What had come of the plan is not taken for the rest of it being on its way."""
    planner = Planner()
    try:
        with pytest.raises(PlanningError, match="ended before it had a plan"):
            await planner.run(exit_while_sending)
        assert await planner.run(abs, -7) == 7
        assert _running(others) == 1
    finally:
        planner.close()


async def test_a_process_is_ended_while_it_sends_a_plan(tmp_path: Path, others: set[BaseProcess]):
    """Else an operator that is told to stop would wait for the rest of the plan."""
    planner = Planner()
    begun = tmp_path / "begun"
    planning = asyncio.create_task(planner.run(stop_while_sending, begun))
    try:
        while not begun.exists() and not planning.done():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.01)
        assert not planning.done(), planning
        planning.cancel()
        await asyncio.gather(planning, return_exceptions=True)
    finally:
        planner.close()
    assert _running(others) == 0


async def test_one_that_is_closed_begins_no_other_process():
    """Neither for the plan that was under way nor for those that wait and come; all are told."""
    planner = Planner()
    try:
        await planner.run(abs, -1)
        before = set(multiprocessing.active_children())
        plans = [asyncio.create_task(planner.run(time.sleep, 600)) for _ in range(2)]
        await asyncio.sleep(0.1)
    finally:
        planner.close()
    for plan in [*plans, planner.run(abs, -7)]:
        with pytest.raises(PlanningError):
            await plan
    assert set(multiprocessing.active_children()) < before
