"""The queue hands every key out once at a time, and never forgets a change."""

import asyncio

import pytest

from flexlbf.handlers.workqueue import FIRST_RETRY_SECONDS, LAST_RETRY_SECONDS, WorkQueue

PATIENCE = 30.0


async def taken(queue: WorkQueue[str]) -> str:
    """The next key; a queue that forgot it fails the test instead of hanging it."""
    async with asyncio.timeout(PATIENCE):
        return await queue.take()


async def nothing_waits(queue: WorkQueue[str]) -> bool:
    """Whether the queue has nothing to hand out, also after what is due at once has come."""
    try:
        async with asyncio.timeout(0.2):
            await queue.take()
    except TimeoutError:
        return True
    return False


async def test_a_key_that_is_added_often_is_handed_out_once():
    """Fifty changes of a set are one reconciliation."""
    queue = WorkQueue[str]()
    for _ in range(50):
        queue.add("a")
    assert len(queue) == 1
    assert await taken(queue) == "a"
    queue.done("a")
    assert await nothing_waits(queue)


async def test_a_key_that_is_added_while_it_is_worked_on_is_handed_out_again():
    """Not to a second worker meanwhile, but afterwards: the last change is always seen."""
    queue = WorkQueue[str]()
    queue.add("a", delay=0)
    assert await taken(queue) == "a"
    queue.add("a", delay=0)
    queue.add("a", delay=0)
    assert await nothing_waits(queue)
    queue.done("a")
    assert await taken(queue) == "a"
    queue.done("a")
    assert await nothing_waits(queue)


async def test_other_keys_do_not_wait_for_one_that_is_worked_on():
    """A policy that takes long holds nobody up."""
    queue = WorkQueue[str]()
    queue.add("slow", delay=0)
    assert await taken(queue) == "slow"
    queue.add("quick", delay=0)
    assert await taken(queue) == "quick"


async def test_what_fails_is_tried_again_later_and_later():
    """Up to a minute; and from the beginning again once it has worked."""
    queue = WorkQueue[str]()
    delays = []
    for _ in range(10):
        queue.add("a", delay=0)
        await taken(queue)
        delays.append(queue.failed("a"))
        queue.cancel_timer("a")
    for index, delay in enumerate(delays):
        plain = min(FIRST_RETRY_SECONDS * 2**index, LAST_RETRY_SECONDS)
        assert plain <= delay <= plain * 1.3
    queue.add("a", delay=0)
    await taken(queue)
    queue.done("a")
    queue.add("a", delay=0)
    await taken(queue)
    assert queue.failed("a") <= FIRST_RETRY_SECONDS * 1.3
    queue.cancel_timer("a")


async def test_what_fails_comes_back_by_itself():
    """Nobody has to change anything for it."""
    queue = WorkQueue[str]()
    queue.add("a", delay=0)
    await taken(queue)
    queue.failed("a")
    assert await taken(queue) == "a"


async def test_a_server_that_asks_for_time_is_given_it():
    """Retry-After counts where it is longer."""
    queue = WorkQueue[str]()
    queue.add("a", delay=0)
    await taken(queue)
    assert queue.failed("a", at_least=7) >= 7
    queue.cancel_timer("a")


async def test_what_fails_and_has_changed_meanwhile_does_not_wait():
    """The change may be the cure."""
    queue = WorkQueue[str]()
    queue.add("a", delay=0)
    await taken(queue)
    queue.add("a", delay=0)
    queue.failed("a", at_least=1000)
    assert await taken(queue) == "a"
    queue.cancel_timer("a")


@pytest.mark.parametrize("again", [True, False], ids=["set-anew", "withdrawn"])
async def test_a_timer_is_the_last_one_that_was_set(again: bool):
    """The next session by the new schedule, not by the old one."""
    queue = WorkQueue[str]()
    queue.add_at("a", 0)
    if again:
        queue.add_at("a", 0)
        assert await taken(queue) == "a"
        queue.done("a")
    else:
        queue.cancel_timer("a")
    assert await nothing_waits(queue)


async def test_a_key_that_is_given_back_is_handed_out_again():
    """A worker that ends in the middle of it leaves it to another."""
    queue = WorkQueue[str]()
    queue.add("a", delay=0)
    assert await taken(queue) == "a"
    queue.give_back("a")
    assert await taken(queue) == "a"
    queue.done("a")
    assert await nothing_waits(queue)
