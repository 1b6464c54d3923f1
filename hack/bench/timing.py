"""Time and memory of what runs in this process.

Times are processor time, which is the time on the clock as long as nothing else wants the processor: all
that is measured runs in one thread and waits for nothing, and a busy machine should break no range.
"""

import gc
import math
import time
import tracemalloc
from collections.abc import Callable, Mapping
from statistics import median

Run = Callable[[], object]

LEAST_S = 0.02
"""What takes less is run several times in a row, so that neither the clock nor cold caches tell."""


def seconds_of(run: Run, times: int = 1) -> float:
    """Seconds of processor time that a run takes."""
    gc.collect()
    began = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - began) / times


def medians(runs: Mapping[str, Run], count: int) -> dict[str, float]:
    """Seconds of each, the median of so many; in turns, so that a slow spell of the machine slows all."""
    often = {name: max(1, math.ceil(LEAST_S / seconds_of(run))) for name, run in runs.items()}
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(count):
        for name, run in runs.items():
            taken[name].append(seconds_of(run, often[name]))
    return {name: median(times) for name, times in taken.items()}


def allocated(run: Run) -> int:
    """The peak of bytes that Python allocates while it runs: the same on every machine."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
