"""What a scrape is made of."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.handlers.livesession import SessionRun
from flexlbf.handlers.metrics.declared import Metric
from flexlbf.planning.plan import Plan


class Sample(NamedTuple):
    """A value of a metric, with the values of its labels in their order."""

    metric: Metric
    labels: tuple[str, ...]
    value: float


@dataclass(frozen=True)
class Sources:
    """Where the values are: nothing of it is copied before somebody asks.

    Attributes:
        plan_of: a policy's last plan that could be made.
        sessions: those that the operator runs now, by policy.
        leading: whether this replica leads.
        clock: the present time.
        heard: when each kind was last heard of, as Unix times.
        api_errors: failed requests by the class of their code.
    """

    state: ClusterState
    runs: RunIndex
    plan_of: Callable[[Key], Plan | None]
    sessions: Callable[[], Mapping[Key, SessionRun]]
    leading: Callable[[], bool]
    clock: Callable[[], datetime]
    heard: Callable[[], Iterable[tuple[str, float]]]
    api_errors: Counter[str]
