"""What can be proved of sessions that overload no drive: more than the simple bounds, never too much."""

import random
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flexlbf.samples import workload
from flexlbf.scheduling import (
    BoundBy,
    Drive,
    FlexLBFBackfill,
    Job,
    LowerBound,
    Optimized,
    binding,
    bounds,
    equal_drives,
    lower_bound,
    simulate,
)
from flexlbf.scheduling.bounds import Pool
from flexlbf.scheduling.model import within_rate_of
from flexlbf.scheduling.units import MINUTE, NANOSECONDS
from support import oracle
from support.builders import Session, a_session
from support.strategies import examples, pools, workloads

needs_kernel = pytest.mark.skipif(not binding.AVAILABLE, reason="the program needs the compiled kernel")


@pytest.mark.parametrize(
    ("session", "want_seconds", "want_by"),
    [
        pytest.param(
            a_session().with_objects("a b c d", 100, 60).on_drives(2, 80, 4),
            200,
            BoundBy.THROUGHPUT,
            id="of objects of more than half its rate a drive runs one at a time",
        ),
        pytest.param(
            a_session().with_objects("a b c d e", 100, 13).on_drives(1, 50, 9),
            200,
            BoundBy.THROUGHPUT,
            id="three fit beside each other, so five take two rounds",
        ),
        pytest.param(
            a_session().with_objects("a b c d e", 100, 1).on_drives(2, 80, 2),
            200,
            BoundBy.AGENTS,
            id="five objects on four agents: two follow each other",
        ),
        pytest.param(
            a_session()
            .with_object("a", 90, 50)
            .with_object("b", 80, 45)
            .with_object("c", 9, 40)
            .on_drives(1, 80, 4),
            179,
            BoundBy.THROUGHPUT,
            id="each excludes the two others, half a drive's rate or more",
        ),
        pytest.param(
            a_session().with_objects("a b c", 100, 60).on_drive(80, 4).on_drive(40, 1),
            300,
            BoundBy.THROUGHPUT,
            id="unequal drives: only one is fast enough",
        ),
        pytest.param(
            a_session().with_objects("a b c d", 100, 30).on_drive(80, 1).on_drive(80, 4),
            200,
            BoundBy.THROUGHPUT,
            id="one agent can't use all of its drive's rate",
        ),
        pytest.param(
            a_session().with_object("fast", 150, 79).with_objects("a b c d", 100, 2).on_drives(1, 80, 4),
            250,
            BoundBy.THROUGHPUT,
            id="beside the fast object all other agents are idle",
        ),
    ],
)
def test_what_excludes_each_other_is_added_up(
    session: Session, want_seconds: float, want_by: BoundBy
) -> None:
    """Worked by hand; all of these can be met."""
    bound = lower_bound(session.jobs, session.drives)
    assert (bound.duration / 1e9, bound.bound_by) == (want_seconds, want_by)
    assert oracle.shortest(session.jobs[:5], session.drives) == bound.duration


@examples(150)
@given(workloads(max_jobs=4, hosts=False), pools(max_drives=2, max_agents=3), st.sampled_from([1, MINUTE]))
def test_no_session_of_all_that_there_are_is_under_the_bound(
    jobs: list[Job], drives: list[Drive], grid: int
) -> None:
    """On a grid as well; and a schedule that is known makes the bound no larger."""
    shortest = oracle.shortest(jobs, drives, grid)
    bound = lower_bound(jobs, drives, start_grid=grid)
    assert bound.duration <= shortest
    assert lower_bound(jobs, drives, start_grid=grid, makespan=shortest).duration <= bound.duration


NEARLY_PROVED = [
    Job.of("object-0", 10 / 3, 83),
    Job.of("object-5", 90, 0.1),
    Job.of("object-10", 90, 23.0625),
    Job.of("object-15", 14, 0.1),
]
"""On two drives of 20 MB/s with two agents the simple bounds are 0.05 % under the shortest session."""


@needs_kernel
@examples(150)
@given(
    workloads(min_jobs=1, max_jobs=4, hosts=False),
    pools(max_drives=3, max_agents=3),
    st.sampled_from([1, MINUTE]),
    st.sampled_from([None, 1.0, 1.01, 1.5]),
)
@example(NEARLY_PROVED, equal_drives(2, 20, 2), 1, 1.0)
def test_of_few_jobs_the_bound_is_the_shortest_session(
    jobs: list[Job], drives: list[Drive], grid: int, known: float | None
) -> None:
    """Whatever longer session is known: the step of the grid that it ends in, where there is one."""
    shortest = oracle.shortest(jobs, drives, grid)
    makespan = None if known is None else int(known * shortest)
    assert lower_bound(jobs, drives, start_grid=grid, makespan=makespan).met_by(shortest, grid)


@needs_kernel
@pytest.mark.parametrize("seed", [1, 5, 7])
def test_of_ten_jobs_the_bound_is_the_shortest_session(seed: int) -> None:
    """What the program proves of these is 5 to 8 % less, and the plans are optimal."""
    draw = random.Random(seed * 100 + 10)
    rows = [(draw.lognormvariate(0, 0.8) * 1500, draw.lognormvariate(0, 0.8) * 15) for _ in range(10)]
    jobs = [Job.of(f"o{i}", round(time), min(79, round(rate, 3))) for i, (time, rate) in enumerate(rows)]
    pool = equal_drives(1, 80, 4)
    assert simulate(jobs, pool, Optimized()).makespan == lower_bound(jobs, pool).duration


@needs_kernel
def test_a_session_that_ends_within_a_step_of_the_grid_is_known_to_end_after_it() -> None:
    """Else the last step would not be tried, and this one, which is optimal, seem not to be."""
    rows = [(491, 38), (814, 29), (313, 43), (376, 25), (289, 19)]
    jobs, pool = [Job.of(f"o{i}", *row) for i, row in enumerate(rows)], equal_drives(1, 80, 3)
    makespan = simulate(jobs, pool, FlexLBFBackfill(), start_grid=MINUTE).makespan
    assert makespan == oracle.shortest(jobs, pool, MINUTE)
    assert makespan % MINUTE
    assert lower_bound(jobs, pool, start_grid=MINUTE, makespan=makespan).met_by(makespan, MINUTE)


@needs_kernel
@pytest.mark.parametrize("small", [5, 28])
def test_of_more_jobs_the_twelve_of_most_bytes_are_searched(
    monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    """Of 17 to 40 in all; by all of their agents and rates less is proved here."""
    draw = random.Random(5)
    large = [Job.of(f"large-{i}", draw.randint(50, 200), draw.randint(20, 60)) for i in range(12)]
    jobs, pool = [*large, *(Job.of(f"small-{i}", 2, 1) for i in range(small))], equal_drives(2, 80, 3)
    bound = lower_bound(jobs, pool)
    assert bound.duration == lower_bound(large, pool).duration
    monkeypatch.setattr(bounds, "FEW", 0)
    assert bound.duration > 1.05 * lower_bound(jobs, pool).duration


@pytest.mark.parametrize(
    ("duration", "drives", "rounds"),
    [
        pytest.param(1 << 62, 1, 3, id="durations whose sum is beyond 64 bits"),
        pytest.param(10**9, 17, 1, id="more drives than are searched"),
    ],
)
def test_what_is_not_searched_is_proved_by_weighings(duration: int, drives: int, rounds: int) -> None:
    """Three objects of more than half a drive's rate, which follow each other on one drive."""
    jobs = [Job(f"o{i}", duration, 50 * 10**12) for i in range(3)]
    assert lower_bound(jobs, equal_drives(drives, 80, 4)).duration == rounds * duration


@examples(150)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.sampled_from([9, 17, 30, 41])), min_size=1, max_size=4),
    pools(max_drives=2, max_agents=3),
    st.sampled_from([1, 7, MINUTE]),
)
def test_no_session_is_under_what_is_proved_of_whole_steps(
    rows: list[tuple[int, int]], drives: list[Drive], grid: int
) -> None:
    """By what is left of the jobs in longer steps alone."""
    jobs = [Job.of(f"o{i}", 10 * steps, rate) for i, (steps, rate) in enumerate(rows)]
    jobs = sorted(within_rate_of(drives, jobs), key=lambda job: job.duration, reverse=True)
    shortest = oracle.shortest(jobs, drives, grid)
    least = LowerBound(0, BoundBy.AGENTS)
    for coarser in Pool(jobs, drives).in_longer_steps(grid):
        assert coarser.improved(least, grid, None).duration <= shortest


@needs_kernel
def test_what_fills_whole_steps_proves_a_plan_optimal() -> None:
    """Those of an hour and of half an hour take 63 steps of ten minutes; by what is asked, 61 are enough."""
    kinds = [(3600, 17, 46), (1800, 30, 46), (600, 9, 58)]
    rows = [(time, rate) for time, rate, count in kinds for _ in range(count)]
    jobs = [Job.of(f"o{i}", *row) for i, row in enumerate(rows)]
    pool = equal_drives(2, 80, 10)
    bound = lower_bound(jobs, pool)
    assert bound == LowerBound(63 * 600 * NANOSECONDS, BoundBy.THROUGHPUT)
    assert simulate(jobs, pool, Optimized()).makespan == bound.duration


@needs_kernel
def test_the_linear_program_proves_what_agents_and_rates_ask_together() -> None:
    """40 jobs of some tens of MB/s on four agents: neither alone bounds the session by as much."""
    draw = random.Random(3)
    jobs = [
        Job.of(f"o{i}", draw.lognormvariate(7, 0.8), min(79, draw.lognormvariate(2.7, 0.8)))
        for i in range(40)
    ]
    pool = equal_drives(1, 80, 4)
    simple = lower_bound(jobs, pool, shares_rate=True).duration
    bound = lower_bound(jobs, pool).duration
    assert bound > 1.02 * simple
    assert bound <= simulate(jobs, pool, Optimized(budget_s=0.1)).makespan <= 1.01 * bound


@needs_kernel
def test_what_follows_each_other_proves_a_plan_optimal() -> None:
    """The longest object is 5 % shorter, and a constraint solver found nothing better in a minute."""
    jobs, pool = workload(100, 32161), equal_drives(1, 80, 10)
    bound = lower_bound(jobs, pool)
    assert bound.met_by(simulate(jobs, pool, Optimized(budget_s=0.2)).makespan)


@needs_kernel
def test_fine_rates_prove_what_three_beside_each_other_take() -> None:
    """100 objects of which two or three fill a drive: by bytes alone a twentieth less is proved."""
    draw = random.Random(101)
    jobs = [Job.of(f"o{i}", draw.lognormvariate(7.3, 0.7), draw.uniform(20, 35)) for i in range(100)]
    pool = equal_drives(2, 80, 10)
    simple = lower_bound(jobs, pool, shares_rate=True).duration
    bound = lower_bound(jobs, pool).duration
    assert bound > 1.03 * simple
    assert bound <= simulate(jobs, pool, Optimized(budget_s=0.1)).makespan <= 1.04 * bound


@needs_kernel
@examples(150)
@given(
    st.lists(
        st.tuples(st.integers(0, 1 << 26), st.integers(0, 60), st.integers(1, 3)), min_size=1, max_size=6
    ),
    st.integers(0, 4),
    st.integers(1, 60),
)
def test_the_knapsack_is_as_heavy_as_the_heaviest_of_all_choices(
    kinds: list[tuple[int, int, int]], places: int, capacity: int
) -> None:
    """And says which it is."""
    weights, levels, copies = ([*column] for column in zip(*kinds, strict=True))
    taken = binding.ffi.new("int32_t[]", len(kinds))
    found = binding.lib.heaviest(len(kinds), weights, levels, copies, places, capacity, taken)
    choices = product(*(range(each + 1) for each in copies))
    weighs = [
        sum(map(int.__mul__, choice, weights))
        for choice in choices
        if sum(map(int.__mul__, choice, levels)) <= capacity and (not places or sum(choice) <= places)
    ]
    assert found == max(weighs) == sum(map(int.__mul__, taken, weights))
    assert sum(map(int.__mul__, taken, levels)) <= capacity
    assert not places or sum(taken) <= places


@needs_kernel
def test_weights_of_thousands_of_slow_jobs_do_not_overflow() -> None:
    """By rates alone 2,000 of them fit, on two agents; nothing may prove more than there is."""
    jobs = [Job.of(f"o{i}", 100 + i % 7, 0.04 - i / 1e6) for i in range(2000)] + [Job.of("x", 9, 79)]
    pool = equal_drives(1, 80, 2)
    assert lower_bound(jobs, pool).duration <= simulate(jobs, pool, FlexLBFBackfill()).makespan


@needs_kernel
def test_rates_are_less_fine_where_knapsacks_would_be_too_large() -> None:
    """Thousands of objects on drives of hundreds of agents take no gigabytes."""
    jobs = [Job.of(f"o{i}", 100 + i % 7, 0.01 + i / 1e4) for i in range(5000)]
    pool = equal_drives(2, 80, 300)
    assert lower_bound(jobs, pool).duration <= simulate(jobs, pool, FlexLBFBackfill()).makespan


def test_a_session_ends_after_whole_steps_where_all_durations_are_multiples_of_one() -> None:
    """2,100 s on two agents are 1,050 s, and nothing ends between two multiples of 300 s."""
    session = a_session().with_objects("a b", 600, 1).with_objects("c d e", 300, 1).on_drives(1, 80, 2)
    bound = lower_bound(session.jobs, session.drives)
    assert bound == LowerBound(1200 * 10**9, BoundBy.AGENTS)
    assert oracle.shortest(session.jobs, session.drives) == bound.duration


def test_on_a_grid_a_session_is_optimal_if_none_ends_a_step_earlier() -> None:
    """Three of 90 s one after the other, started at whole minutes: the last ends after 5 min 30 s."""
    session = a_session().with_objects("a b c", 90, 60).on_drives(1, 80, 4).starting_every(MINUTE)
    makespan = session.run().makespan
    bound = lower_bound(session.jobs, session.drives, start_grid=MINUTE)
    assert (makespan / 1e9, bound.duration) == (330, 5 * MINUTE + 1)
    assert bound.met_by(makespan, MINUTE)
    assert not bound.met_by(makespan + MINUTE, MINUTE)
    assert not LowerBound(270 * 10**9, BoundBy.THROUGHPUT).met_by(makespan, MINUTE)


def test_so_many_jobs_fill_whatever_there_is() -> None:
    """Of tens of thousands only the simple bounds are computed, which is quick."""
    jobs = [Job(f"o{i}", 10**9, 10**12) for i in range(20_001)]
    assert lower_bound(jobs, [Drive.of("d", 1, 2)]).duration == 20_001 * 10**9
