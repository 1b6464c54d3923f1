"""How close the schedulers come to the lower bound, against each other and against CP-SAT."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from bench.cases import COUNTS, Result, drives_named
from bench.timing import medians
from flexlbf.scheduling import FlexLBF, FlexLBFBackfill, simulate
from flexlbf.tuning.variation import Variation, live_makespans

SIGMA = 0.2
CP_SAT = "CP-SAT"
ALL = "all"

Gaps = dict[str, dict[str, dict[str, float]]]
"""Scheduler → drives → mean and worst, per cent over the bound."""


def gaps(results: Sequence[Result], solver: Mapping[str, int]) -> Gaps:
    """Over the lower bound, by scheduler and number of drives.

    Of the solver there are the cases that it was run on; if that is not all, then beside those of
    `Optimized` on the same.
    """
    found = {
        name: _by_drives([(each, each.makespans[name]) for each in results]) for name in results[0].makespans
    }
    solved = [each for each in results if each.case.name in solver]
    if solved:
        found[CP_SAT] = _by_drives([(each, solver[each.case.name]) for each in solved])
    if 0 < len(solved) < len(results):
        found[f"Optimized on those {len(solved)}"] = _by_drives(
            [(each, each.makespans["Optimized"]) for each in solved]
        )
    return found


def _by_drives(makespans: Sequence[tuple[Result, int]]) -> dict[str, dict[str, float]]:
    over = [(each.case.drives, each.case.over_the_bound(makespan)) for each, makespan in makespans]
    some = {drives_named(count): [gap for drives, gap in over if drives == count] for count in COUNTS}
    some[ALL] = [gap for _, gap in over]
    return {name: {"mean": fmean(of), "worst": max(of)} for name, of in some.items() if of}


def quality(results: Sequence[Result], solver: Mapping[str, int]) -> dict[str, float]:
    """What the search is held to."""
    over = [each.case.over_the_bound(each.makespans["Optimized"]) for each in results]
    solved = [each for each in results if each.case.name in solver]
    against = [(each.makespans["Optimized"], solver[each.case.name]) for each in solved]
    figures: dict[str, float] = {
        "optimized_gap_mean_percent": fmean(over),
        "optimized_gap_worst_percent": max(over),
        "optimized_behind_flexlbf": sum(
            each.makespans["Optimized"] > each.makespans["FlexLBF"] for each in results
        ),
        "optimized_search_worst_s": max(each.search_s for each in results),
        "cp_sat_cases": len(solved),
        "cp_sat_open_cases": sum(each.makespans["FlexLBF"] > each.case.bound for each in solved),
    }
    if solved:
        not_behind = fmean(ours <= theirs for ours, theirs in against)
        figures["optimized_not_behind_cp_sat_percent"] = 100 * not_behind
    return figures


def backfill(results: Sequence[Result], runs: int) -> dict[str, float]:
    """What searching through the list gains, and what it costs."""
    times = medians(
        {
            name: lambda rule=rule: [simulate(each.case.jobs, each.case.pool, rule) for each in results]  # type: ignore[misc]
            for name, rule in (("blocking", FlexLBF()), ("searching", FlexLBFBackfill()))
        },
        runs,
    )
    gains = [100 * (1 - each.makespans["FlexLBFBackfill"] / each.makespans["FlexLBF"]) for each in results]
    return {
        "backfill_gain_mean_percent": fmean(gains),
        "backfill_gain_worst_percent": min(gains),
        "backfill_over_flexlbf": times["searching"] / times["blocking"],
    }


def live(results: Sequence[Result], nights: int) -> dict[str, float]:
    """Optimized against FlexLBF in the same nights, both run live while durations vary."""
    ratios: list[float] = []
    for seed, each in enumerate(results):
        variation = Variation(SIGMA, nights, seed)
        flexlbf, optimized = (
            live_makespans(each.case.jobs, each.case.pool, scheduler, variation)
            for scheduler in (FlexLBF(), each.optimized)
        )
        ratios += [ours / theirs for theirs, ours in zip(flexlbf, optimized, strict=True)]
    return {
        "live_optimized_over_flexlbf": fmean(ratios),
        "live_optimized_worst": max(ratios),
        "live_optimized_longer_percent": 100 * fmean(ratio > 1 for ratio in ratios),
    }
