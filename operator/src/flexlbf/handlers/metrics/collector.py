"""A scrape: what counts by itself, and what is read of the operator at that moment.

What is read is read anew each time, so the series of a policy or a pool go with it.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Any

from prometheus_client import ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from flexlbf.handlers.metrics import declared
from flexlbf.handlers.metrics.declared import Kind
from flexlbf.handlers.metrics.drives import pool_samples
from flexlbf.handlers.metrics.instruments import Instruments, MeteredQueue
from flexlbf.handlers.metrics.policies import policy_samples
from flexlbf.handlers.metrics.samples import Sample, Sources

API_ERRORS = ("4xx", "5xx", "unreachable")


class OperatorCollector(Collector):
    """All metrics of one operator.

    Only the replica that leads tells of policies, sessions, pools and drives: it plans, and so it knows.
    Two that told of them would be added up by whoever forgets to take one.
    """

    def __init__(
        self, sources: Sources, instruments: Instruments, queues: Sequence[MeteredQueue[Any]]
    ) -> None:
        self._sources = sources
        self._instruments = instruments
        self._queues = queues
        self._process = ProcessCollector(registry=None)

    def collect(self) -> Iterator[Family]:
        """One family a metric."""
        return self.families(self.samples())

    def samples(self) -> Iterator[Sample]:
        """What is so now; to be gone through on the event loop, which may go on between any two of them."""
        leading = self._sources.leading()
        yield from self._own_samples(leading=leading)
        if leading:
            yield from policy_samples(self._sources)
            yield from pool_samples(self._sources)

    def families(self, samples: Iterable[Sample]) -> Iterator[Family]:
        """Samples that were read, and what was counted, as one family a metric; in any thread."""
        yield from self._process.collect()
        yield from self._instruments.collect()
        yield from families(samples)

    def _own_samples(self, *, leading: bool) -> Iterator[Sample]:
        yield Sample(declared.BUILD_INFO, (version("flexlbf-operator"),), 1.0)
        yield Sample(declared.LEADER, (), float(leading))
        for code in API_ERRORS:
            yield Sample(declared.API_ERRORS, (code,), float(self._sources.api_errors[code]))
        for plural, heard in self._sources.heard():
            yield Sample(declared.LAST_EVENT, (plural,), heard)
        for queue in self._queues:
            working = queue.under_work()
            yield Sample(declared.QUEUE_DEPTH, (queue.name,), float(len(queue)))
            yield Sample(declared.QUEUE_UNFINISHED, (queue.name,), sum(working))
            yield Sample(declared.QUEUE_LONGEST, (queue.name,), max(working, default=0.0))


def families(samples: Iterable[Sample]) -> Iterator[Family]:
    """Samples by metric; a metric without any is left out."""
    found: dict[str, CounterMetricFamily | GaugeMetricFamily] = {}
    for metric, labels, value in samples:
        family = found.get(metric.name)
        if family is None:
            kind = CounterMetricFamily if metric.kind is Kind.COUNTER else GaugeMetricFamily
            family = found[metric.name] = kind(metric.name, metric.help, labels=metric.labels)
        family.add_metric(labels, value)
    yield from found.values()
