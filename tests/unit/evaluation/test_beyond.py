"""What figure 8 shows of the schedulers that the paper doesn't have."""

from collections.abc import Sequence

import pytest

from flexlbf.evaluation.nights import NIGHTS, Planned, nights
from flexlbf.evaluation.searching import search
from flexlbf.evaluation.study import drives
from flexlbf.samples import workload
from flexlbf.scheduling import FlexLBF, FlexLBFBackfill, Job, Scheduler, equal_drives, simulate
from unit.evaluation.study import artefact, column, with_twin

LIVE = "Of FlexLBF's session, both run live while durations vary (log-normal, sigma 0.2)"
SEARCH = "FlexLBFBackfill: what the search through the list gains and costs"
BLOCKED = [Job.of("long", 100, 50), Job.of("fast", 90, 60), Job.of("slow", 80, 25)]
"""On one drive of 80 MB/s the fast one does not fit beside the long one, and the slow one does."""


def planned(scheduler: Scheduler, seeds: Sequence[int]) -> list[Planned]:
    """Sessions on one drive."""
    return [Planned(1, workload(300, seed), drives(1), scheduler) for seed in seeds]


def test_a_scheduler_against_itself_takes_as_long_every_night():
    (found,) = nights(planned(FlexLBF(), (1, 2)), planned(FlexLBF(), (1, 2)))
    assert found.drives == 1
    assert found.ratios == (1.0,) * 2 * NIGHTS


def test_nights_differ_and_both_schedulers_have_the_same():
    (there,) = nights(planned(FlexLBFBackfill(), (1,)), planned(FlexLBF(), (1,)))
    (back,) = nights(planned(FlexLBF(), (1,)), planned(FlexLBFBackfill(), (1,)))
    assert len(set(there.ratios)) > 1
    assert back.ratios == pytest.approx([1 / ratio for ratio in there.ratios])


def test_the_search_is_counted_and_its_gain_is_flexlbfs_loss():
    """One look starts the long one, two the slow one; the fast one gets three before there is room."""
    pool = equal_drives(1, 80, 10)
    found = search(BLOCKED, pool)
    assert found.looked_at == 6 / 3
    without, with_it = (simulate(BLOCKED, pool, rule).makespan for rule in (FlexLBF(), FlexLBFBackfill()))
    assert with_it < without
    assert found.saved == pytest.approx(100 * (1 - with_it / without))


def test_what_never_waits_costs_one_look_a_start():
    assert search(BLOCKED, equal_drives(2, 80, 10)).looked_at == 1


@pytest.mark.slow
def test_figure_8_shows_what_is_left_of_a_plan_when_durations_vary():
    by_caption = {table.caption: table for table in artefact("figure8").tables}
    live = by_caption[LIVE]
    assert column(live, "") == ["1 drive", "2 drives", "3 drives", "4 drives", "all"]
    saved = float(column(live, "Optimized saves, mean")[-1].removesuffix(" %"))
    assert saved > 0
    assert len(by_caption[SEARCH].rows) == 4


@pytest.mark.slow
def test_a_twin_of_flexlbf_saves_nothing_live():
    live = next(table for table in with_twin("figure8").tables if table.caption == LIVE)
    assert set(column(live, "Twin saves, mean")) == {"0.0 %"}
    assert column(live, "Twin is longer in")[-1] == f"0 of {64 * NIGHTS}"
