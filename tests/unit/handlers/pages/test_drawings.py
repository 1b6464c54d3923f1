"""A plan is drawn once a version, in a process of its own, and nobody waits for it longer than he will."""

import asyncio
import multiprocessing
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from sys import getsizeof
from typing import Any

import pytest

from flexlbf.cluster.state import Key
from flexlbf.handlers.pages import drawings as module
from flexlbf.handlers.pages.drawings import BusyError, Drawing, Drawings, Task
from flexlbf.handlers.planner import PlanningError
from support.pagestage import now
from support.reports import a_fleet
from support.resources import a_set

pytestmark = pytest.mark.slow

KEY = Key("default", "weekly")
SECONDS = 60.0


def a_task(objects: int = 3, version: str = "1") -> Task:
    """A policy of so many objects, to be drawn."""
    fleet = a_fleet(sets=[a_set().with_objects(objects)])
    return Task(fleet.snapshot(fleet.policies()[0]), ((version,),), None)


@asynccontextmanager
async def drawing(**given: Any) -> AsyncIterator[Drawings]:
    """Draws, until the test is over."""
    made = Drawings(now, **given)
    try:
        yield made
    finally:
        await made.close()


async def drawn(of: Drawings, task: Task, key: Key = KEY) -> Drawing:
    """What there is once it is drawn."""
    async with asyncio.timeout(SECONDS):
        while not (found := await of.of(key, task)).current:  # noqa: ASYNC110 - it is no event of ours
            await asyncio.sleep(0.02)
    return found


async def test_a_version_is_drawn_once():
    """Whoever asks again gets the same."""
    async with drawing(patience=SECONDS) as each:
        first, again = await asyncio.gather(each.of(KEY, a_task()), each.of(KEY, a_task()))
        assert first.current
        assert first.drawn is again.drawn
        assert first.drawn is not None
        assert "3 objects on" in first.drawn.html
        assert (await each.of(KEY, a_task())).drawn is first.drawn


async def test_while_a_change_is_drawn_the_plan_before_is_shown():
    """And said not to be the present one."""
    async with drawing(patience=0.0) as each:
        assert await each.of(KEY, a_task()) == Drawing(None, current=False)
        before = await drawn(each, a_task())
        changed = a_task(5, "2")
        assert await each.of(KEY, changed) == Drawing(before.drawn, current=False)
        after = await drawn(each, changed)
        assert after.drawn is not None
        assert "5 objects on" in after.drawn.html


async def test_too_many_readers_are_asked_to_come_back(monkeypatch: pytest.MonkeyPatch):
    """Those of what is drawn already, or is being drawn, are not."""
    monkeypatch.setattr(module, "MOST_UNDERWAY", 1)
    async with drawing(patience=0.0) as each:
        assert not (await each.of(KEY, a_task())).current
        with pytest.raises(BusyError):
            await each.of(Key("default", "other"), a_task())
        await drawn(each, a_task())
        await drawn(each, a_task(), Key("default", "other"))
        assert (await each.of(KEY, a_task())).current


async def test_what_was_looked_at_longest_ago_is_forgotten_first(monkeypatch: pytest.MonkeyPatch):
    """So that what is kept stays within bounds; what is drawn last is kept in any case."""
    keys = [Key("default", name) for name in ("a", "b", "c")]
    async with drawing(patience=SECONDS) as each:
        (size,) = [
            getsizeof(found.drawn.html) for found in [await drawn(each, a_task(), keys[0])] if found.drawn
        ]
        monkeypatch.setattr(module, "MOST_BYTES", 2 * size + size // 2)
        await drawn(each, a_task(), keys[1])
        await each.of(keys[0], a_task())
        await drawn(each, a_task(), keys[2])
        assert [key for key in keys if each.keeps(key)] == [keys[0], keys[2]]


async def test_a_drawing_that_is_cut_off_is_told_and_not_tried_again_at_once():
    """As when the process has no memory left and is killed, with every look of a page that is left open."""
    async with drawing(patience=SECONDS) as each:
        cut_off = asyncio.create_task(each.of(KEY, a_task(2000)))
        await _killed()
        with pytest.raises(PlanningError, match="ended before"):
            await cut_off
        with pytest.raises(PlanningError, match="ended before"):
            await each.of(KEY, a_task(2000))
        assert (await drawn(each, a_task(version="2"))).current


async def test_what_could_not_be_drawn_is_forgotten(monkeypatch: pytest.MonkeyPatch):
    """After a while, or with the policy."""
    async with drawing(patience=SECONDS) as each:
        for _ in range(2):
            cut_off = asyncio.create_task(each.of(KEY, a_task(2000)))
            await _killed()
            with pytest.raises(PlanningError):
                await cut_off
            each.forget(KEY)
        monkeypatch.setattr(module, "FAILED_SECONDS", 0.0)
        cut_off = asyncio.create_task(each.of(KEY, a_task(2000)))
        await _killed()
        with pytest.raises(PlanningError):
            await cut_off
        assert (await drawn(each, a_task())).current


async def _killed() -> None:
    async with asyncio.timeout(SECONDS):
        while not (children := multiprocessing.active_children()):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    for child in children:
        child.kill()


async def test_what_has_nothing_to_draw_for_long_gives_its_memory_back(monkeypatch: pytest.MonkeyPatch):
    """What it drew stays, and another drawing is made by another process."""
    monkeypatch.setattr(module, "IDLE_SECONDS", 0.0)
    before = set(multiprocessing.active_children())
    async with drawing(patience=SECONDS) as each:
        first = await drawn(each, a_task())
        async with asyncio.timeout(SECONDS):
            while set(multiprocessing.active_children()) - before:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        assert (await each.of(KEY, a_task())).drawn is first.drawn
        assert (await drawn(each, a_task(5, "2"))).current


async def test_a_policy_that_is_gone_is_forgotten():
    """Its name may be another's tomorrow."""
    async with drawing(patience=SECONDS) as each:
        await drawn(each, a_task())
        each.forget(KEY)
        assert not each.keeps(KEY)
