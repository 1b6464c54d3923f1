"""What the same drives do without FlexLBF."""

from statistics import fmean

import pytest

from flexlbf.scheduling import LBF, FlexLBF, Schedule, Traditional, equal_drives, simulate
from flexlbf.scheduling.units import MINUTE
from flexlbf.tuning import compare, saved_percent
from flexlbf.tuning.baselines import MAX_SEEDS
from support.builders import a_session

FLEET = (
    a_session()
    .with_object("long", 100, 5)
    .with_objects("a b c d e f g h", 40, 5)
    .with_objects("i j k l m", 31, 60)
)


def mean_traditional(count: int, agents: int, grid: int = 1) -> float:
    """The mean over so many seeds."""
    drives = equal_drives(2, 80, agents)
    return fmean(
        simulate(FLEET.jobs, drives, Traditional(seed), start_grid=grid).makespan for seed in range(count)
    )


def test_the_baselines_have_four_agents_a_drive() -> None:
    """However many the drives would take; the traditional order is a mean over 30 seeds."""
    comparison = compare(FLEET.jobs, equal_drives(2, 80, 10))
    assert comparison.lbf == simulate(FLEET.jobs, equal_drives(2, 80, 4), LBF()).makespan
    assert comparison.traditional == pytest.approx(mean_traditional(30, agents=4))


def test_a_drive_of_fewer_agents_keeps_its_own_number() -> None:
    """And a number may be given."""
    assert compare(FLEET.jobs, equal_drives(2, 80, 2)) == compare(
        FLEET.jobs, equal_drives(2, 80, 9), agents=2
    )


def test_baselines_start_on_the_same_grid() -> None:
    """A plan in minutes is compared with minutes."""
    comparison = compare(FLEET.jobs, equal_drives(2, 80, 4), start_grid=MINUTE)
    assert comparison.traditional == pytest.approx(mean_traditional(30, agents=4, grid=MINUTE))
    assert comparison.lbf == simulate(FLEET.jobs, equal_drives(2, 80, 4), LBF(), start_grid=MINUTE).makespan


@pytest.mark.parametrize(
    ("jobs", "seeds"),
    [
        pytest.param(1, MAX_SEEDS, id="small: 30"),
        pytest.param(2000, 15, id="2,000 objects: 15"),
        pytest.param(40_000, 3, id="large: never fewer than 3"),
    ],
)
def test_large_workloads_have_fewer_seeds(jobs: int, seeds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their durations vary less."""
    tried: list[type] = []

    def simulated(_jobs: object, _drives: object, scheduler: object, *, start_grid: int) -> Schedule:
        tried.append(type(scheduler))
        assert start_grid == 1
        return Schedule((), (), (), (), (), 0, FlexLBF())

    monkeypatch.setattr("flexlbf.tuning.baselines.simulate", simulated)
    compare(FLEET.jobs[:1] * jobs, equal_drives(1, 80, 4))
    assert (tried.count(Traditional), tried.count(LBF)) == (seeds, 1)


@pytest.mark.parametrize(
    ("duration", "baseline", "want"),
    [
        pytest.param(49, 100, 51, id="half and a bit"),
        pytest.param(100, 100, 0, id="nothing saved"),
        pytest.param(120, 100, -20, id="longer"),
        pytest.param(66.4, 100, 34, id="to the nearest, up"),
        pytest.param(66.6, 100, 33, id="to the nearest, down"),
        pytest.param(0, 0, 0, id="nothing to compare with"),
    ],
)
def test_what_is_saved_is_told_in_whole_per_cent(duration: float, baseline: float, want: int) -> None:
    """Of the baseline."""
    assert saved_percent(duration, baseline) == want
