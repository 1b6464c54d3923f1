"""The settings beside those that were chosen."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import Drive, FlexLBF, Job, lower_bound, simulate
from flexlbf.tuning import Fastest, allowed_drives, tune
from flexlbf.tuning.sweep import MOST_POINTS, Sweep
from support.strategies import examples, pools, workloads


@pytest.mark.slow
@examples(40)
@given(workloads(min_jobs=1), pools())
def test_curves_go_through_what_the_tuner_chose(jobs: list[Job], drives: list[Drive]):
    """And every point is a simulation of its own, never under its bound."""
    chosen = tune(jobs, drives, Fastest()).chosen
    sweep = Sweep(jobs, drives, FlexLBF())
    count, agents = len(chosen.drives), chosen.max_agents
    for points in (sweep.over_drives(agents, count), sweep.over_agents(count, agents)):
        at = [each for each in points if (each.drives, each.max_agents) == (count, agents)]
        assert [(each.makespan, each.bound) for each in at] == [(chosen.makespan, chosen.bound)]
        for each in points:
            used = allowed_drives(drives, each.drives, each.max_agents)
            assert each.makespan == simulate(jobs, used, FlexLBF()).makespan
            assert each.bound == lower_bound(jobs, used, makespan=each.makespan)
            assert each.makespan >= each.bound.duration


@examples(10)
@given(st.integers(1, 200), st.data())
def test_of_many_drives_only_some_are_simulated(count: int, data: st.DataObject):
    """Both ends, what was chosen and its neighbours among them."""
    chosen = data.draw(st.integers(1, count))
    jobs = [Job.of(f"object-{number}", 60, 10) for number in range(count)]
    drives = [Drive.of(f"drive-{number}", 80, 1) for number in range(count)]
    known = [simulate(jobs, drives[:number], FlexLBF()) for number in (1, count)]
    counts = [each.drives for each in Sweep(jobs, drives, FlexLBF(), known=known).over_drives(1, chosen)]
    assert counts == sorted(set(counts))
    assert {1, chosen, count} <= set(counts)
    assert {near for near in (chosen - 1, chosen + 1) if 1 <= near <= count} <= set(counts)
    assert len(counts) <= MOST_POINTS + 5


def test_what_is_known_is_not_simulated_again():
    """A scheduler that searches might find another session."""
    jobs = [Job.of(name, 60, 30) for name in "abcd"]
    drives = [Drive.of("drive-0", 80, 2)]
    slower = simulate(jobs, [Drive.of("drive-0", 80, 1)], FlexLBF())
    pretended = replace(slower, drives=tuple(drives))
    assert Sweep(jobs, drives, FlexLBF(), known=[pretended]).point(1, 2).makespan == slower.makespan
