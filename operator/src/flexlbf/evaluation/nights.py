"""Figure 8's cases in nights in which objects take other times than planned: what a plan is worth then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from flexlbf.evaluation.artefact import Table, table
from flexlbf.scheduling import Drive, Job, Scheduler
from flexlbf.tuning.variation import Variation, live_makespans

SIGMA = 0.2
NIGHTS = 10


@dataclass(frozen=True, slots=True)
class Planned:
    """A session as it was planned, to be run live.

    Attributes:
        drives: how many drives: what it is listed under.
        jobs: the workload.
        pool: the drives.
        scheduler: fitted to the workload.
    """

    drives: int
    jobs: Sequence[Job]
    pool: Sequence[Drive]
    scheduler: Scheduler


@dataclass(frozen=True, slots=True)
class Nights:
    """How long the sessions of one number of drives took under a scheduler, as parts of FlexLBF's."""

    drives: int
    ratios: tuple[float, ...]


def nights(sessions: Sequence[Planned], flexlbf: Sequence[Planned]) -> list[Nights]:
    """Each session against FlexLBF's in the same nights, in which the same objects take the same time."""
    found: dict[int, list[float]] = {}
    for seed, (ours, theirs) in enumerate(zip(sessions, flexlbf, strict=True)):
        variation = Variation(SIGMA, NIGHTS, seed)
        runs = (live_makespans(each.jobs, each.pool, each.scheduler, variation) for each in (ours, theirs))
        found.setdefault(ours.drives, []).extend(one / other for one, other in zip(*runs, strict=True))
    return [Nights(drives, tuple(ratios)) for drives, ratios in found.items()]


def nights_table(results: Mapping[str, Sequence[Nights]], named: Mapping[int, str]) -> Table:
    """What each scheduler saves of FlexLBF's session, by the number of drives."""
    columns = [""]
    for name in results:
        columns += [f"{name} saves, mean", f"{name} saves, at worst", f"{name} is longer in"]
    rows: list[list[object]] = [[name] for name in (*named.values(), "all")]
    for by_drives in results.values():
        every = Nights(0, tuple(ratio for each in by_drives for ratio in each.ratios))
        for row, each in zip(rows, (*by_drives, every), strict=True):
            row += [
                f"{100 * (1 - fmean(each.ratios)):.1f} %",
                f"{100 * (1 - max(each.ratios)):.1f} %",
                f"{sum(ratio > 1 for ratio in each.ratios)} of {len(each.ratios)}",
            ]
    return table(
        f"Of FlexLBF's session, both run live while durations vary (log-normal, sigma {SIGMA})",
        columns,
        rows,
    )
