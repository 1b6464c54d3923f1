"""Measure: medians of several runs, those that are compared taken in turns.

Times are processor time, which is the time on the clock as long as nothing else wants the processor: all
that is measured runs in one thread and waits for nothing, and a busy machine should break no range.
"""

import gc
import math
import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import linear_regression, median

from bench.probe import probe
from bench.simpy_model import makespan as simpy_makespan
from flexlbf.samples import workload
from flexlbf.scheduling import FlexLBF, equal_drives, simulate
from flexlbf.tuning import Fastest, tune


@dataclass(frozen=True)
class Sizes:
    """How much to simulate, and how often."""

    runs: int = 9
    objects: int = 400
    drives: int = 4
    large_objects: int = 100_000
    large_drives: int = 64
    large_runs: int = 3
    growth: tuple[int, ...] = (100, 1_000, 10_000, 100_000)


def measure(sizes: Sizes) -> dict[str, float]:
    """Every figure by its name; those in `ranges.json` are held to a range."""
    return {**_large(sizes), **_usual(sizes), **_growth(sizes)}


def _usual(sizes: Sizes) -> dict[str, float]:
    jobs, drives = workload(sizes.objects), equal_drives(sizes.drives, 80, 10)
    times = medians(
        {
            "simulate": lambda: simulate(jobs, drives, FlexLBF()),
            "simpy": lambda: simpy_makespan(jobs, drives),
            "tune": lambda: tune(jobs, drives, Fastest()),
        },
        sizes.runs,
    )
    difference = abs(simulate(jobs, drives, FlexLBF()).makespan - simpy_makespan(jobs, drives))
    return {
        "simulate_ms": times["simulate"] * 1e3,
        "simpy_ms": times["simpy"] * 1e3,
        "simpy_over_simulate": times["simpy"] / times["simulate"],
        "simpy_makespan_difference_ns": difference,
        "tune_ms": times["tune"] * 1e3,
        "tune_over_simulate": times["tune"] / times["simulate"],
    }


def _large(sizes: Sizes) -> dict[str, float]:
    probes = [probe(sizes.large_objects, sizes.large_drives) for _ in range(sizes.large_runs)]
    return {
        "large_s": median(each.seconds for each in probes),
        "large_peak_mb": max(each.peak_mb for each in probes),
    }


def _growth(sizes: Sizes) -> dict[str, float]:
    """Exponents: 1 is linear in the number of objects, 2 is quadratic."""
    drives = equal_drives(sizes.drives, 80, 10)
    fleets = {str(size): workload(size) for size in sizes.growth}
    runs: dict[str, Callable[[], object]] = {
        size: lambda jobs=jobs: simulate(jobs, drives, FlexLBF())  # type: ignore[misc]
        for size, jobs in fleets.items()
    }
    return {
        "time_growth_exponent": _exponent(medians(runs, sizes.large_runs)),
        "memory_growth_exponent": _exponent({size: _allocated(run) for size, run in runs.items()}),
    }


def medians(runs: Mapping[str, Callable[[], object]], count: int) -> dict[str, float]:
    """Seconds of each, the median of so many; in turns, so that a slow spell of the machine slows all."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(count):
        for name, run in runs.items():
            gc.collect()
            began = time.process_time()
            run()
            taken[name].append(time.process_time() - began)
    return {name: median(times) for name, times in taken.items()}


def _allocated(run: Callable[[], object]) -> int:
    """The peak of bytes that Python allocates while it runs: the same on every machine."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _exponent(by_size: Mapping[str, float]) -> float:
    """The slope of the costs over the sizes, both as logarithms."""
    return linear_regression(
        [math.log(int(size)) for size in by_size], [math.log(cost) for cost in by_size.values()]
    ).slope
