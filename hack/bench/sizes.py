"""How much is measured."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """How much to simulate, and how often.

    Attributes:
        runs: how often what takes milliseconds is timed.
        objects: of the usual workload.
        drives: of the usual pool.
        large_objects: of the one session that is to show what a large fleet takes.
        large_drives: of it, and of the large tuning.
        large_runs: how often what takes seconds is timed.
        tuned_objects: of the large tuning.
        growth: the numbers of objects whose time and memory are compared.
        cases: how many of figure 8's cases, spread over them evenly; None for all.
        search_s: the budget of `Optimized`, seconds a case.
        nights: how many sessions of varying durations are run for each case and scheduler.
        shapes_seed: what the other shapes are drawn from.
        shapes_objects: of other shapes those of at most so many objects; None for all.
    """

    runs: int = 31
    objects: int = 400
    drives: int = 4
    large_objects: int = 1_000_000
    large_drives: int = 64
    large_runs: int = 3
    tuned_objects: int = 100_000
    growth: tuple[int, ...] = (100, 1_000, 10_000, 100_000, 1_000_000)
    cases: int | None = None
    search_s: float = 1.0
    nights: int = 10
    shapes_seed: int = 2026
    shapes_objects: int | None = None


QUICK = Sizes(
    runs=3,
    large_objects=10_000,
    tuned_objects=2_000,
    large_runs=1,
    growth=(100, 1_000, 10_000),
    cases=8,
    search_s=0.05,
    nights=2,
    shapes_objects=150,
)
"""Seconds instead of minutes: to see that all works, not how good it is."""
