"""One leads at a time, whatever the network does; times are virtual."""

import asyncio
import contextlib
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexlbf.cluster.leadership import (
    LEASE_SECONDS,
    PERMIT_SECONDS,
    RENEW_SECONDS,
    WRITE_SECONDS,
    Leadership,
)
from flexlbf.cluster.lease import RETRY_SECONDS, LeaseKeeper
from unit.cluster.leasestore import LeaseStore, StoreClient
from unit.cluster.virtualtime import now, run_in_virtual_time


async def lead_for_ever() -> None:
    """A term in which nothing happens."""
    await asyncio.Event().wait()


@asynccontextmanager
async def candidate(client: StoreClient) -> AsyncGenerator[asyncio.Task[None]]:
    """An operator that wants to lead; killed at the end, if it was not stopped."""
    keeper = LeaseKeeper(client, "default")
    task = asyncio.create_task(keeper.run(lead_for_ever))
    yield task
    await stop(task)


async def stop(task: asyncio.Task[None]) -> None:
    """End an operator in peace."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def until_leading(client: StoreClient) -> float:
    """Wait until an operator leads; the time at which it does."""
    while not client.leadership.leading:  # noqa: ASYNC110 - the time is virtual
        await asyncio.sleep(0.05)
    return now()


def test_a_late_write_is_over_before_another_can_lead():
    """The bound that all else is built on; a renewal must fit several times into what it keeps."""
    assert PERMIT_SECONDS + 2 * WRITE_SECONDS < LEASE_SECONDS
    assert RENEW_SECONDS < LEASE_SECONDS
    assert 2 * RETRY_SECONDS < PERMIT_SECONDS < RENEW_SECONDS


def test_one_of_two_leads_and_the_other_takes_over_when_it_is_gone():
    """Killed, it leaves its Lease behind, which runs out."""

    async def main() -> float:
        store = LeaseStore()
        first, second = StoreClient(store, "first"), StoreClient(store, "second")
        async with candidate(first) as leader:
            await until_leading(first)
            async with candidate(second):
                await asyncio.sleep(60)
                assert first.leadership.leading
                assert not second.leadership.leading
                store.down = True  # so that it can't give the Lease back
                await stop(leader)
                store.down = False
                killed = now()
                return await until_leading(second) - killed

    assert LEASE_SECONDS - 2 * RETRY_SECONDS < run_in_virtual_time(main()) < 30


def test_a_leader_that_stops_gives_the_lease_back():
    """The next one leads as soon as it looks."""

    async def main() -> None:
        store = LeaseStore()
        first, second = StoreClient(store, "first"), StoreClient(store, "second")
        async with candidate(first) as leader:
            await until_leading(first)
            async with candidate(second):
                await asyncio.sleep(5)
                await stop(leader)
                assert store.holder == ""
                assert not first.leadership.leading
                stopped = now()
                assert await until_leading(second) - stopped < 5
                assert store.read()["spec"]["leaseTransitions"] == 1

    run_in_virtual_time(main())


def test_a_leader_with_a_write_in_doubt_keeps_the_lease_until_it_runs_out():
    """The write may still be carried out, and nobody may lead then."""

    async def main() -> None:
        store = LeaseStore()
        client = StoreClient(store, "first")
        async with candidate(client) as leader:
            await until_leading(client)
            client.leadership.unanswered()
            await stop(leader)
        assert store.holder == "first"

    run_in_virtual_time(main())


def test_an_outage_that_is_short_costs_nobody_the_lead():
    """The leader goes on where it was, in the same term."""

    async def main() -> None:
        store = LeaseStore()
        client = StoreClient(store, "first")
        async with candidate(client):
            await until_leading(client)
            before = store.read()["spec"]
            store.down = True
            await asyncio.sleep(RENEW_SECONDS - 3)
            store.down = False
            await asyncio.sleep(5)
            assert client.leadership.permitted
            after = store.read()["spec"]
            assert after["acquireTime"] == before["acquireTime"]
            assert after["leaseTransitions"] == 0

    run_in_virtual_time(main())


def test_writes_wait_for_a_renewal_that_is_late_and_fail_when_the_lead_is_lost():
    """Between the two nobody writes, but what was about to be written is not given up."""

    async def main() -> None:
        store = LeaseStore()
        client = StoreClient(store, "first")
        async with candidate(client):
            await until_leading(client)
            store.down = True
            await asyncio.sleep(PERMIT_SECONDS + 0.5)
            assert client.leadership.leading
            assert not client.leadership.permitted
            waiting = asyncio.create_task(client.leadership.permit())
            await asyncio.sleep(0.5)
            assert not waiting.done()
            store.down = False
            assert await waiting
            store.down = True
            await asyncio.sleep(PERMIT_SECONDS + 0.5)
            assert not await client.leadership.permit()
            assert not client.leadership.leading

    run_in_virtual_time(main())


def test_the_lead_counts_from_when_a_renewal_was_sent():
    """The others may have seen it long before its answer came."""

    async def main() -> None:
        client = StoreClient(LeaseStore(), "first", lambda: (0.0, 3.5))
        async with candidate(client):
            await until_leading(client)
            assert client.leadership.left <= RENEW_SECONDS - 3.5

    run_in_virtual_time(main())


def test_a_process_that_was_stopped_may_not_write_when_it_goes_on():
    """Before anything else has happened: the clock alone tells."""
    clock = [100.0]
    leadership = Leadership("first", lambda: clock[0])
    leadership.renewed(clock[0])
    assert leadership.permitted
    clock[0] += 20
    assert not leadership.permitted
    assert not asyncio.run(leadership.permit())


def test_a_term_ends_with_the_lead_and_begins_anew():
    """What leads is cancelled before another can lead, and started again afterwards."""

    async def main() -> list[str]:
        store, told = LeaseStore(), []
        client = StoreClient(store, "first")

        async def lead() -> None:
            told.append("begun")
            try:
                await asyncio.Event().wait()
            finally:
                told.append("ended")

        task = asyncio.create_task(LeaseKeeper(client, "default").run(lead))
        await until_leading(client)
        store.down = True
        await asyncio.sleep(LEASE_SECONDS)
        assert told == ["begun", "ended"]
        store.down = False
        await until_leading(client)
        await stop(task)
        return told

    assert run_in_virtual_time(main()) == ["begun", "ended", "begun", "ended"]


def test_an_error_of_who_leads_ends_the_operator_and_frees_the_lease():
    """A restart may mend it, and another may lead meanwhile."""

    async def main() -> None:
        store = LeaseStore()

        async def lead() -> None:
            raise ValueError("no such drive")

        with pytest.raises(ValueError, match="no such drive"):
            await LeaseKeeper(StoreClient(store, "first"), "default").run(lead)
        assert store.holder == ""

    run_in_virtual_time(main())


def test_a_lease_that_was_deleted_is_not_free_for_who_knew_its_holder():
    """Its holder may still write; it makes the Lease anew."""

    async def main() -> None:
        store = LeaseStore()
        first, second = StoreClient(store, "first"), StoreClient(store, "second")
        async with candidate(first), candidate(second):
            await asyncio.sleep(5)
            holder = store.holder
            store.delete()
            await asyncio.sleep(10)
            assert store.holder == holder

    run_in_virtual_time(main())


def test_what_others_wrote_into_the_lease_stays():
    """An annotation or a field of a later Kubernetes; it costs nobody the lead."""

    async def main() -> None:
        store = LeaseStore()
        client = StoreClient(store, "first")
        async with candidate(client):
            await until_leading(client)
            edited = store.read()
            edited["metadata"]["annotations"] = {"note": "seen"}
            store.replace(edited)
            await asyncio.sleep(8)
            assert client.leadership.permitted
            assert store.read()["metadata"]["annotations"] == {"note": "seen"}

    run_in_virtual_time(main())


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), slow=st.floats(0, 0.6))
def test_no_write_lands_in_the_term_of_another(seed: int, slow: float):
    """However long requests take and wherever they get lost.

    Every operator writes whenever it is permitted to, and each write lands as late as it ever may.
    """
    chance = random.Random(seed)

    def delay() -> float:
        if chance.random() >= slow:
            return 0.01
        return chance.choice((chance.uniform(0, WRITE_SECONDS), chance.uniform(0, 20)))

    def delays() -> tuple[float, float]:
        return delay(), delay()

    async def main() -> None:
        store = LeaseStore()
        clients = [StoreClient(store, name, delays) for name in ("a", "b", "c")]
        last_landing = dict.fromkeys(clients, float("-inf"))

        async with contextlib.AsyncExitStack() as stack:
            for each in clients:
                await stack.enter_async_context(candidate(each))
            while now() < 300:
                writing = [each for each in clients if each.leadership.permitted]
                assert len(writing) <= 1
                for writer in writing:
                    others = [last_landing[each] for each in clients if each is not writer]
                    assert max(others) < now()
                    last_landing[writer] = now() + 2 * WRITE_SECONDS
                await asyncio.sleep(0.25)

    run_in_virtual_time(main())
