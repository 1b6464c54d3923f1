"""How time and memory grow with the number of objects."""

import math
from collections.abc import Mapping
from dataclasses import replace
from statistics import linear_regression, median

from bench.probe import probe
from bench.sizes import Sizes
from bench.timing import Run, allocated, medians
from flexlbf.samples import workload
from flexlbf.scheduling import FlexLBF, FlexLBFBackfill, Host, equal_drives, simulate


def large(sizes: Sizes) -> dict[str, float]:
    """One large session, in processes of its own."""
    probes = [probe(sizes.large_objects, sizes.large_drives) for _ in range(sizes.large_runs)]
    return {
        "large_s": median(each.seconds for each in probes),
        "large_peak_mb": max(each.peak_mb for each in probes),
    }


MOST_ON_HOSTS = 100_000
HOSTS = [Host(f"host-{number}", 1) for number in range(10)]
"""They are what limits the session, so thousands of objects wait for a host that is full."""


def growth(sizes: Sizes) -> dict[str, float]:
    """Exponents: 1 is linear in the number of objects, 2 is quadratic."""
    drives = equal_drives(sizes.drives, 80, 10)
    fleets = {str(size): workload(size) for size in sizes.growth}
    runs: dict[str, Run] = {
        size: lambda jobs=jobs: simulate(jobs, drives, FlexLBF())  # type: ignore[misc]
        for size, jobs in fleets.items()
    }
    return {
        "time_growth_exponent": _exponent(medians(runs, sizes.large_runs)),
        "memory_growth_exponent": _exponent({size: allocated(run) for size, run in runs.items()}),
        "hosts_growth_exponent": _growth_on_hosts(sizes),
    }


def _growth_on_hosts(sizes: Sizes) -> float:
    """The time of the rule that looks for the first object that fits and whose host is not full."""
    drives = equal_drives(sizes.drives, 80, 10)
    runs: dict[str, Run] = {}
    for size in (each for each in sizes.growth if each <= MOST_ON_HOSTS):
        jobs = [replace(job, host=HOSTS[place % len(HOSTS)]) for place, job in enumerate(workload(size))]
        runs[str(size)] = lambda jobs=jobs: simulate(jobs, drives, FlexLBFBackfill())  # type: ignore[misc]
    return _exponent(medians(runs, sizes.large_runs))


def _exponent(by_size: Mapping[str, float]) -> float:
    """The slope of the costs over the sizes, both as logarithms."""
    return linear_regression(
        [math.log(int(size)) for size in by_size], [math.log(cost) for cost in by_size.values()]
    ).slope
