"""Jobs are deleted some at a time, however many there are to delete."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web
from kubernetes.aio.client import Configuration

from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.jobs import CONCURRENT_DELETES, JobWriter
from flexlbf.cluster.runindex import RunIndex
from unit.handlers.runs import object_job

MANY = 10 * CONCURRENT_DELETES


@asynccontextmanager
async def a_leader_asking(
    handle: Callable[[web.Request], Awaitable[web.Response]],
) -> AsyncIterator[KubeClient]:
    """The client of an operator that leads, whose requests a server on this machine answers."""
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    configuration = Configuration(host=f"http://127.0.0.1:{runner.addresses[0][1]}")
    try:
        async with KubeClient(configuration) as client:
            client.leadership.renewed(client.leadership.clock())
            yield client
    finally:
        await runner.cleanup()


async def test_deletions_go_out_some_at_a_time():
    """A session that ends with many Jobs too many leaves connections to what starts meanwhile."""
    open_now, most, deleted = 0, 0, set[str]()

    async def answer(request: web.Request) -> web.Response:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        await asyncio.sleep(0.005)
        open_now -= 1
        deleted.add(request.path.rpartition("/")[2])
        return web.json_response({})

    jobs = [object_job(f"fs{number}") for number in range(MANY)]
    async with a_leader_asking(answer) as client:
        writer = JobWriter(client, RunIndex())
        await asyncio.gather(*(writer.delete(job) for job in jobs))
    assert deleted == {job.place.name for job in jobs}
    assert 1 < most <= CONCURRENT_DELETES
