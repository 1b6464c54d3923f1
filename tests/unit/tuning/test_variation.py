"""Sessions whose durations vary are the plan's order and rule, run live."""

import random
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import FlexLBF, Job, simulate
from flexlbf.scheduling.model import Drive
from flexlbf.scheduling.units import MINUTE
from flexlbf.tuning import Spread, Variation, live_makespans
from support.builders import a_session
from support.strategies import examples, pools, workloads

GRIDS = st.sampled_from([1, MINUTE])
PAIR = a_session().with_object("a", 3600, 40).with_object("b", 1800, 40).on_drive(80, 2)


@examples(60)
@given(workloads(), pools(), GRIDS, st.integers(0, 99))
def test_without_variation_every_session_is_the_plan(
    jobs: list[Job], drives: list[Drive], grid: int, seed: int
) -> None:
    """With a sigma of 0 no duration changes by as much as a nanosecond."""
    plan = simulate(jobs, drives, FlexLBF(), start_grid=grid)
    runs = live_makespans(jobs, drives, FlexLBF(), Variation(0, 3, seed), start_grid=grid)
    assert list(runs) == [plan.makespan] * 3


@examples(40)
@given(workloads(), pools(), st.integers(0, 99), st.randoms(use_true_random=False))
def test_a_seed_gives_the_same_sessions_whatever_the_order_of_the_rows(
    jobs: list[Job], drives: list[Drive], seed: int, shuffler: random.Random
) -> None:
    """And more runs begin with those of fewer."""
    others = list(jobs)
    shuffler.shuffle(others)
    runs = list(live_makespans(jobs, drives, FlexLBF(), Variation(0.3, 5, seed)))
    assert list(live_makespans(others, drives, FlexLBF(), Variation(0.3, 3, seed))) == runs[:3]


def test_another_seed_gives_other_sessions() -> None:
    """Nothing is fixed but by the seed."""
    first, second = (list(_runs(Variation(0.2, 5, seed))) for seed in (1, 2))
    assert first != second


def test_a_lone_object_varies_around_what_is_planned_by_sigma() -> None:
    """The mean stays: variation is no growth."""
    lone = a_session().with_object("a", 1000, 40).on_drive(80, 2)
    makespans = list(live_makespans(lone.jobs, lone.drives, FlexLBF(), Variation(0.2, 4000, 3)))
    assert fmean(makespans) == pytest.approx(1000e9, rel=0.01)
    assert pstdev(makespans) == pytest.approx(202e9, rel=0.05)


def test_two_objects_side_by_side_end_later_on_average() -> None:
    """The longer of two is longer than either on average: that is what varying costs."""
    twins = a_session().with_objects("a b", 1000, 40).on_drive(80, 2)
    makespans = list(live_makespans(twins.jobs, twins.drives, FlexLBF(), Variation(0.2, 500)))
    assert fmean(makespans) > 1050e9


def test_the_chance_counts_sessions_within_the_window_and_percentiles_rank_them() -> None:
    """Just at the window is in it; the 95th of a hundred is what 95 of them kept."""
    spread = Spread(Variation(runs=100), tuple(range(1, 101)))
    assert (spread.chance_within(0), spread.chance_within(25), spread.chance_within(100)) == (0, 0.25, 1)
    assert [spread.percentile(percent) for percent in (0, 50, 95, 95.1, 100)] == [1, 50, 95, 96, 100]


@pytest.mark.parametrize(
    ("sigma", "runs", "message"),
    [
        pytest.param(-0.1, 1, "sigma is a number of 0 or more", id="negative"),
        pytest.param(float("nan"), 1, "sigma is a number of 0 or more", id="no number"),
        pytest.param(0.2, 0, "at least 1 run", id="no runs"),
    ],
)
def test_what_can_not_vary_says_why(sigma: float, runs: int, message: str) -> None:
    """With what to write instead."""
    with pytest.raises(ValueError, match=message):
        Variation(sigma, runs)


def _runs(variation: Variation) -> list[int]:
    return list(live_makespans(PAIR.jobs, PAIR.drives, FlexLBF(), variation))
