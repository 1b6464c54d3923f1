"""What counts while the operator works: plans, reconciliations and queues."""

from collections.abc import Iterable, Iterator
from itertools import product
from time import monotonic
from typing import get_args

from prometheus_client import Counter, Histogram
from prometheus_client.metrics_core import Metric as Family

from flexlbf.handlers.metrics import declared
from flexlbf.handlers.metrics.declared import Metric
from flexlbf.handlers.observe import Kind as TaskKind
from flexlbf.handlers.planner import Planner
from flexlbf.handlers.workqueue import GATHER_SECONDS, Item, WorkQueue
from flexlbf.planning.plan import Plan
from flexlbf.planning.snapshot import PolicySnapshot

PLAN_RESULTS = ("planned", "stalled", "failed")
RECONCILE_RESULTS = ("success", "requeue_after", "error")


def counter(metric: Metric) -> Counter:
    """A counter in no registry."""
    return Counter(metric.name, metric.help, metric.labels, registry=None)


def histogram(metric: Metric) -> Histogram:
    """A histogram in no registry."""
    return Histogram(metric.name, metric.help, metric.labels, buckets=metric.buckets, registry=None)


class Instruments:
    """The counters and histograms of one operator: nothing of it is global."""

    def __init__(self) -> None:
        self.takeovers = counter(declared.TAKEOVERS)
        self.plans = counter(declared.PLANS)
        self.plan_seconds = histogram(declared.PLAN_SECONDS)
        self.reconciled = counter(declared.RECONCILED)
        self.reconcile_seconds = histogram(declared.RECONCILE_SECONDS)
        self.queue_adds = counter(declared.QUEUE_ADDS)
        self.queue_retries = counter(declared.QUEUE_RETRIES)
        self.queue_wait = histogram(declared.QUEUE_WAIT)
        self.queue_work = histogram(declared.QUEUE_WORK)
        # A rate has nothing to tell of a series that begins with its first count.
        for result in PLAN_RESULTS:
            self.plans.labels(result)
        for kind, result in product(get_args(TaskKind), RECONCILE_RESULTS):
            self.reconciled.labels(kind, result)

    def planned(self, result: str, seconds: float) -> None:
        """A plan was made, or could not be."""
        self.plans.labels(result).inc()
        self.plan_seconds.observe(seconds)

    def reconciliation(self, kind: str, result: str, seconds: float) -> None:
        """Something was reconciled."""
        self.reconciled.labels(kind, result).inc()
        self.reconcile_seconds.labels(kind).observe(seconds)

    def collect(self) -> Iterator[Family]:
        """All of them as Prometheus takes them."""
        for instrument in vars(self).values():
            yield from without_creation_times(instrument.collect())


def without_creation_times(families: Iterable[Family]) -> Iterator[Family]:
    """Leave out the series `_created`, which say when each counter began: one more for each, for nobody."""
    for family in families:
        family.samples = [each for each in family.samples if not each.name.endswith("_created")]
        yield family


class MeteredPlanner(Planner):
    """Plans, and counts plans."""

    def __init__(self, instruments: Instruments) -> None:
        super().__init__()
        self._instruments = instruments

    async def decide(self, snapshot: PolicySnapshot) -> Plan:
        """Plan a policy; raises PlanningError.

        One that is cancelled, as at the end of a term, came to nothing, and did not fail either.
        """
        begun = monotonic()
        try:
            plan = await super().decide(snapshot)
        except Exception:
            self._instruments.planned("failed", monotonic() - begun)
            raise
        self._instruments.planned("planned" if plan.stalled is None else "stalled", monotonic() - begun)
        return plan


class MeteredQueue(WorkQueue[Item]):
    """A queue that counts as those of controller-runtime do; a wait includes the moment of gathering.

    Args:
        name: what it is called in the metrics.
    """

    def __init__(self, name: str, instruments: Instruments) -> None:
        super().__init__()
        self.name = name
        self._adds = instruments.queue_adds.labels(name)
        self._retries = instruments.queue_retries.labels(name)
        self._wait = instruments.queue_wait.labels(name)
        self._work = instruments.queue_work.labels(name)
        self._added: dict[Item, float] = {}
        self._taken: dict[Item, float] = {}

    def add(self, item: Item, delay: float = GATHER_SECONDS) -> None:
        """Ask for a key to be reconciled, in a moment."""
        waited = item in self._waiting
        super().add(item, delay)
        if not waited and item in self._waiting:
            self._adds.inc()
            self._added[item] = monotonic()

    async def take(self) -> Item:
        """The next key."""
        item = await super().take()
        now = self._taken[item] = monotonic()
        self._wait.observe(now - self._added.pop(item, now))
        return item

    def failed(self, item: Item, at_least: float = 0) -> float:
        """The key must be tried again; returns in how many seconds."""
        self._retries.inc()
        return super().failed(item, at_least)

    def _finish(self, item: Item) -> None:
        now = monotonic()
        self._work.observe(now - self._taken.pop(item, now))
        super()._finish(item)

    def under_work(self) -> list[float]:
        """For how many seconds each worker has had its key until now."""
        now = monotonic()
        return [now - taken for taken in self._taken.values()]
