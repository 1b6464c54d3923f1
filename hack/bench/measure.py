"""All that is measured, part by part."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from bench import record
from bench.cases import all_cases, result
from bench.growth import growth, large
from bench.quality import Gaps, backfill, gaps, live, quality
from bench.shapes import Found, on_shapes, quality_on_shapes
from bench.sizes import Sizes
from bench.speed import speed


@dataclass(frozen=True, slots=True)
class Solver:
    """How CP-SAT is run.

    Attributes:
        seconds: of each of its cores, for one case.
        keep: whether to go on with the record, and keep in it what is found.
    """

    seconds: float
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """What came out.

    Attributes:
        figures: by name; those in `ranges.json` are held to a range.
        gaps: over the lower bound, by scheduler and number of drives.
        solver: how and when CP-SAT was run for it.
        shapes: `Optimized` on other shapes.
    """

    figures: dict[str, float]
    gaps: Gaps
    solver: dict[str, object]
    shapes: Sequence[Found] = ()


def measure(sizes: Sizes, solver: Solver | None = None) -> Measured:
    """Measure all; CP-SAT's sessions are those of the record unless it is to be run."""
    # The large session first: Linux counts the parent's peak towards the child that it forks.
    _say(f"{sizes.large_objects:,} objects, {sizes.large_runs} times")
    figures = large(sizes)
    _say(f"{sizes.objects} objects against SimPy, and whole commands")
    figures |= speed(sizes)
    _say(f"growth from {sizes.growth[0]:,} to {sizes.growth[-1]:,} objects")
    figures |= growth(sizes)
    cases = all_cases(sizes.cases)
    _say(f"{len(cases)} cases of figure 8 under each scheduler, {sizes.search_s:g} s for each search")
    results = [result(case, sizes.search_s) for case in cases]
    figures |= backfill(results, sizes.large_runs)
    _say(f"{sizes.nights} nights of varying durations a case")
    figures |= live(results, sizes.nights)
    _say(f"other shapes, from the seed {sizes.shapes_seed}")
    others = on_shapes(sizes.shapes_seed, sizes.search_s, sizes.shapes_objects)
    figures |= quality_on_shapes(others)
    if solver:
        _say(f"CP-SAT, {solver.seconds:g} s a case")
        found = record.run(results, solver.seconds, keep=solver.keep)
    else:
        found = record.read()
    makespans = found.for_cases(results)
    return Measured(figures | quality(results, makespans), gaps(results, makespans), dict(found.made), others)


def _say(what: str) -> None:
    """On standard error, so that what is shown can be read by a program."""
    print(f"bench: {what}", file=sys.stderr)
