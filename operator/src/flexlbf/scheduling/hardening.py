"""A rule for the nights that go another way than planned.

The parameters with which a rule ends the planned session earliest are lucky ones: they fit just these
durations. So others around them are tried in nights in which durations vary, and what ends these earliest is
taken.
"""

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from statistics import NormalDist

from flexlbf.scheduling.filling import Filling
from flexlbf.scheduling.model import Drive, Job
from flexlbf.scheduling.native import NEVER, Columns
from flexlbf.scheduling.protocol import Scheduler
from flexlbf.scheduling.workload import Workload

SIGMA = 0.2
"""Of the log-normal factors of the durations: by about a fifth."""

_NORMAL = NormalDist()

NIGHTS = 8
_TARGETS = (1.0, 1.1)
_URGENCIES = (0.5, 1.0, 2.0)
_WASTES = (0.0, 0.5)


class Nights:
    """A few nights of one session.

    Args:
        jobs: as planned.
        drives: the pool.
        grid: nanoseconds; jobs start at multiples of it.
        seed: the same seed gives the same nights.
    """

    def __init__(self, jobs: Workload, drives: Sequence[Drive], grid: int, seed: int) -> None:
        draw = random.Random(seed)  # noqa: S311 - samples, no secret
        self._grid = grid
        self._nights = [Columns(jobs, drives, _varied(jobs, draw)) for _ in range(NIGHTS)]

    @property
    def work(self) -> int:
        """In steps of the kernel, of all sessions so far."""
        return sum(night.work for night in self._nights)

    def best_of(self, rules: Iterable[Scheduler], work: int) -> Scheduler:
        """The rule under which the nights end earliest on average, of as many as are worth so much work.

        Raises:
            ValueError: the kernel knows none of those that were tried.
        """
        best, shortest = None, math.inf
        for rule in rules:
            native = rule.native_rule
            if native is not None:
                total = sum(night.run(native, self._grid) or NEVER for night in self._nights)
                if total < shortest:
                    best, shortest = rule, total
            if self.work >= work:
                break
        if best is None:
            raise ValueError("the kernel knows none of the rules")
        return best


def around(rule: Filling) -> Iterator[Filling]:
    """The rule, and others that hurry and fill more or less."""
    urgencies, wastes = dict.fromkeys((rule.urgency, *_URGENCIES)), dict.fromkeys((rule.waste, *_WASTES))
    for target, urgency, waste in product(_TARGETS, urgencies, wastes):
        yield replace(rule, target=int(rule.target * target), urgency=urgency, waste=waste)


def _varied(jobs: Sequence[Job], draw: random.Random) -> list[Job]:
    """The jobs as they may last in a night, on average as long as planned."""
    return [replace(job, duration=disturbed(job.duration, SIGMA, draw.random())) for job in jobs]


def disturbed(duration: int, sigma: float, uniform: float) -> int:
    """A duration times a log-normal factor of mean 1, at a quantile; exactly itself for a sigma of 0.

    By quantiles, since of `random` only `random()` is promised to be the same in every version of Python.
    """
    deviate = _NORMAL.inv_cdf(max(uniform, 1e-300))
    return max(1, round(duration * math.exp(sigma * deviate - sigma * sigma / 2)))
