"""`/metrics`, as Prometheus scrapes it."""

import asyncio
from collections.abc import Iterator, Sequence

from aiohttp import web
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from flexlbf.handlers.metrics.collector import OperatorCollector
from flexlbf.handlers.metrics.samples import Sample

PATH = "/metrics"
AT_ONCE = 250
"""Samples that are read before the event loop gets a turn; a few milliseconds."""


class _Read(Collector):
    """What was read, to be written as text."""

    def __init__(self, collector: OperatorCollector, samples: Sequence[Sample]) -> None:
        self._collector = collector
        self._samples = samples

    def collect(self) -> Iterator[Family]:
        return self._collector.families(self._samples)


def metrics_application(collector: OperatorCollector) -> web.Application:
    """An application that answers scrapes."""
    # Whoever may reach the port may scrape: many at once take no more of the processor than one.
    turn = asyncio.Semaphore(1)

    async def scrape(request: web.Request) -> web.Response:
        encode, content_type = choose_encoder(request.headers.get("Accept", ""))
        async with turn:
            samples = await _samples(collector)
            # Thousands of policies are megabytes of text: a thread writes them, and the event loop goes on.
            body = await asyncio.to_thread(encode, _Read(collector, samples))
        return web.Response(body=body, headers={"Content-Type": content_type})

    application = web.Application()
    application.router.add_get(PATH, scrape)
    return application


async def _samples(collector: OperatorCollector) -> list[Sample]:
    read: list[Sample] = []
    for sample in collector.samples():
        read.append(sample)
        if len(read) % AT_ONCE == 0:
            await asyncio.sleep(0)
    return read
