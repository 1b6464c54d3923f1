"""The tuner by figures 11 and 12 of the paper."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import (
    LBF,
    BoundBy,
    Drive,
    DriveLoads,
    FlexLBF,
    Job,
    equal_drives,
    simulate,
    with_agents,
)
from flexlbf.scheduling.protocol import Choice
from flexlbf.scheduling.units import MINUTE, NANOSECONDS
from flexlbf.scheduling.waiting import Waiting
from flexlbf.tuning import (
    Deadline,
    Fastest,
    Objective,
    Tuner,
    WithinPercent,
    allowed_drives,
    by_removal,
    tune,
)
from support import oracle
from support.builders import Session, a_session
from support.strategies import examples, pools, workloads

SLOWER_THAN_THE_REST = a_session().on_drive(80, 4).on_drive(40, 4).on_drive(80, 4).on_drive(40, 4).drives


@pytest.mark.parametrize(
    ("session", "objective", "drives", "agents", "seconds"),
    [
        pytest.param(
            a_session().with_object("long", 100, 10).with_objects("a b c d", 50, 10).on_drives(4, 80, 10),
            Fastest(),
            ["drive-0"],
            3,
            100,
            id="the longest object bounds: one drive, and the others two by two beside it",
        ),
        pytest.param(
            a_session().with_objects("a b c d", 100, 80).on_drives(4, 80, 10),
            Fastest(),
            ["drive-0", "drive-1", "drive-2", "drive-3"],
            1,
            100,
            id="objects that fill a drive: every drive, one agent each",
        ),
        pytest.param(
            a_session().with_objects("a b c d", 100, 80).on_drives(4, 80, 10),
            Deadline(200 * NANOSECONDS),
            ["drive-0", "drive-1"],
            1,
            200,
            id="twice the time: half the drives",
        ),
        pytest.param(
            a_session().with_objects("a b c d e f g h", 100, 10).on_drives(2, 80, 8),
            WithinPercent(100),
            ["drive-0"],
            4,
            200,
            id="within 100 %: eight at a time become four",
        ),
        pytest.param(
            a_session().with_objects("a b c d e f g h", 100, 10).on_drives(2, 80, 8),
            WithinPercent(99),
            ["drive-0"],
            8,
            100,
            id="within 99 %: one agent fewer would take 100 % more",
        ),
        pytest.param(
            a_session().with_objects("a b", 100, 40).on_drive(40, 2).on_drive(80, 2).on_drive(40, 2),
            Fastest(),
            ["drive-1"],
            2,
            100,
            id="the slowest drives go first, wherever they are",
        ),
        pytest.param(
            a_session().with_objects("a b", 100, 40).on_drive(80, 2).on_drive(40, 1).on_drive(40, 1),
            WithinPercent(100),
            ["drive-0"],
            1,
            200,
            id="the last agent but one goes too",
        ),
        pytest.param(
            a_session().with_objects("a b c", 100, 80).on_drives(3, 80, 7),
            Deadline(50 * NANOSECONDS),
            ["drive-0", "drive-1", "drive-2"],
            7,
            100,
            id="a deadline that nothing meets: everything",
        ),
    ],
)
def test_the_fewest_drives_then_the_fewest_agents(
    session: Session, objective: Objective, drives: list[str], agents: int, seconds: float
) -> None:
    """Worked by hand."""
    chosen = tune(session.jobs, session.drives, objective).chosen
    assert [drive.name for drive in chosen.drives] == drives
    assert (chosen.max_agents, chosen.makespan / 1e9) == (agents, seconds)
    assert chosen.meets_target == (chosen.makespan <= objective.target(session.run().makespan))


OBJECTIVES = st.sampled_from(
    [Fastest(), WithinPercent(15), WithinPercent(60), WithinPercent(300)]
) | st.builds(Deadline, st.integers(1, 2000).map(lambda seconds: seconds * NANOSECONDS))


@pytest.mark.slow
@examples(150)
@given(workloads(min_jobs=1), pools(), OBJECTIVES)
def test_every_setting_is_the_oracles(jobs: list[Job], drives: list[Drive], objective: Objective) -> None:
    """To the last drive and agent."""
    reference = oracle.makespan(oracle.flexlbf(jobs, drives))
    for tried in (objective, WithinPercent(15)):
        want = oracle.tuned(jobs, drives, tried.target(reference))
        chosen = Tuner(jobs, drives).tune(tried)
        assert chosen.meets_target == (want is not None)
        if want:
            assert [drive.name for drive in chosen.drives] == want.drives
            assert (chosen.max_agents, chosen.makespan) == (want.max_agents, want.makespan)


@examples(100)
@given(workloads(min_jobs=1), pools(), OBJECTIVES, st.sampled_from([1, MINUTE]))
def test_a_setting_meets_its_target_and_one_less_would_not(
    jobs: list[Job], drives: list[Drive], objective: Objective, grid: int
) -> None:
    """One drive fewer, with all agents; one agent fewer, on the drives left."""
    tuning = tune(jobs, drives, objective, start_grid=grid)
    target = objective.target(tuning.reference.makespan)

    def misses(pool: Sequence[Drive]) -> bool:
        return simulate(jobs, pool, FlexLBF(), start_grid=grid).makespan > target

    chosen = tuning.chosen
    if not chosen.meets_target:
        assert misses(drives)
        assert chosen.drives == tuple(drives)
        return
    assert not misses(chosen.drives)
    assert chosen.schedule == simulate(jobs, chosen.drives, FlexLBF(), start_grid=grid)
    left = [drive for drive in drives if drive.name in {kept.name for kept in chosen.drives}]
    slowest = by_removal(left)[0]
    assert len(left) == 1 or misses([drive for index, drive in enumerate(left) if index != slowest])
    assert chosen.max_agents == 1 or misses(with_agents(left, chosen.max_agents - 1))


@examples(60)
@given(workloads(min_jobs=1), pools())
def test_three_ways_to_ask_for_the_fastest_agree(jobs: list[Job], drives: list[Drive]) -> None:
    """Within 0 % of it, and by the time that it takes."""
    tuner = Tuner(jobs, drives)
    fastest = tuner.tune(Fastest())
    for objective in (WithinPercent(0), Deadline(tuner.reference().makespan)):
        same = tuner.tune(objective)
        assert (same.drives, same.max_agents, same.schedule) == (
            fastest.drives,
            fastest.max_agents,
            fastest.schedule,
        )


def test_the_alternative_of_15_percent_is_always_there() -> None:
    """Beside whatever was asked for, against the same reference."""
    session = a_session().with_objects("a b c d e f g", 100, 40).on_drives(4, 80, 4)
    tuning = tune(session.jobs, session.drives, Deadline(MINUTE))
    (alternative,) = tuning.alternatives
    assert alternative.objective == WithinPercent(15)
    assert alternative.makespan <= Fraction(115, 100) * tuning.reference.makespan
    assert tuning.reference == session.run()
    assert not tuning.chosen.meets_target


def test_the_bound_told_is_that_of_the_chosen_drives_and_agents() -> None:
    """8 objects of 100 s on the 4 agents left."""
    session = a_session().with_objects("a b c d e f g h", 100, 10).on_drives(2, 80, 8)
    chosen = tune(session.jobs, session.drives, WithinPercent(100)).chosen
    assert (chosen.bound.duration / 1e9, chosen.bound.bound_by) == (200, BoundBy.AGENTS)


def test_another_scheduler_is_tuned_by_its_own_sessions() -> None:
    """LBF lets the two share a drive for 150 s, where FlexLBF runs one after the other for 200 s."""
    session = a_session().with_objects("a b", 100, 60).on_drives(1, 80, 2)
    assert tune(session.jobs, session.drives, Fastest(), LBF()).chosen.makespan / 1e9 == 150
    assert tune(session.jobs, session.drives, Fastest()).chosen.makespan / 1e9 == 200


class _SlowOnTwo(FlexLBF):
    """A scheduler with an anomaly: on two drives, or with two agents a drive, it runs one at a time."""

    native_rule = None

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:
        agents = max(map(sum, zip(loads.free_agents, loads.active, strict=True)))
        if 2 in (len(loads.active), agents) and any(loads.active):
            return None
        return super().choose(waiting, loads, now)


@pytest.mark.parametrize(
    ("drives", "agents", "want"),
    [
        pytest.param(3, 4, (3, 3), id="two drives miss, so one is never tried, nor two agents"),
        pytest.param(1, 5, (1, 3), id="two agents miss, so one is never tried"),
    ],
)
def test_the_tuner_stops_at_the_first_that_misses(drives: int, agents: int, want: tuple[int, int]) -> None:
    """Even where something smaller would do again."""
    session = a_session().with_object("a", 100, 10).with_object("b", 100, 10).on_drives(drives, 80, agents)
    chosen = tune(session.jobs, session.drives, Fastest(), _SlowOnTwo()).chosen
    assert (len(chosen.drives), chosen.max_agents) == want


def test_nothing_is_simulated_twice() -> None:
    """Objectives share the sessions that they both need."""
    asked = []

    class Counting(FlexLBF):
        def order(self, jobs: Sequence[Job]) -> Sequence[Job]:
            asked.append(len(jobs))
            return super().order(jobs)

    session = a_session().with_objects("a b c d e f g h", 100, 10).on_drives(2, 80, 8)
    tuner = Tuner(session.jobs, session.drives, Counting())
    tuner.tune(Fastest())
    once = len(asked)
    tuner.tune(WithinPercent(0))
    assert len(asked) == once


def test_a_workload_without_objects_has_nothing_to_tune() -> None:
    """And says so."""
    with pytest.raises(ValueError, match="there is nothing to tune: the workload has no objects"):
        tune([], equal_drives(1, 80, 1), Fastest())


def test_drives_are_given_up_slowest_first_and_the_last_of_equals_first() -> None:
    """Indices: the 40s from the back, then the 80s from the back."""
    assert by_removal(SLOWER_THAN_THE_REST) == [3, 1, 2, 0]


def test_drives_equal_in_everything_are_still_two() -> None:
    """A pool may be written as one drive times two."""
    pool = [Drive.of("lto", 80, 1)] * 2
    session = a_session().with_objects("a b", 100, 80)
    assert len(tune(session.jobs, pool, Fastest()).chosen.drives) == 2
    assert len(allowed_drives(pool, 1, None)) == 1


@pytest.mark.parametrize(
    ("drives", "agents", "want"),
    [
        pytest.param(None, None, {"drive-0": 4, "drive-1": 4, "drive-2": 4, "drive-3": 4}, id="no limit"),
        pytest.param(3, None, {"drive-0": 4, "drive-1": 4, "drive-2": 4}, id="the last slow one goes first"),
        pytest.param(1, None, {"drive-0": 4}, id="the first fast one is kept to the end"),
        pytest.param(
            9, 2, {"drive-0": 2, "drive-1": 2, "drive-2": 2, "drive-3": 2}, id="more than there are"
        ),
        pytest.param(2, 9, {"drive-0": 4, "drive-2": 4}, id="a limit above what a drive takes lifts nothing"),
    ],
)
def test_a_users_limits_leave_the_fastest_drives(
    drives: int | None, agents: int | None, want: dict[str, int]
) -> None:
    """In the pool's order, with no more agents than allowed."""
    kept = allowed_drives(SLOWER_THAN_THE_REST, drives, agents)
    assert {drive.name: drive.max_agents for drive in kept} == want
