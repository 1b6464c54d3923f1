"""The simple lower bounds, which hold for every scheduler: exact, and with the reason."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import (
    LBF,
    BoundBy,
    Drive,
    FlexLBF,
    FlexLBFBackfill,
    Host,
    Job,
    LowerBound,
    Scheduler,
    Traditional,
    lower_bound,
    simulate,
)
from flexlbf.scheduling.units import NANOSECONDS
from support import oracle
from support.builders import Session, a_session
from support.strategies import examples, pools, workloads


@pytest.mark.parametrize(
    ("session", "want_seconds", "want_by"),
    [
        pytest.param(
            a_session().with_object("a", 100, 1).with_object("b", 10, 1).on_drives(2, 80, 4),
            100,
            BoundBy.LONGEST_OBJECT,
            id="one object outlasts all else",
        ),
        pytest.param(
            a_session().with_objects("a b c d", 100, 60).on_drives(2, 80, 4),
            150,
            BoundBy.THROUGHPUT,
            id="24,000 MB at 160 MB/s",
        ),
        pytest.param(
            a_session().with_objects("a b c d e", 100, 1).on_drives(2, 80, 2),
            125,
            BoundBy.AGENTS,
            id="500 s of agents' time on 4 agents",
        ),
        pytest.param(
            a_session().with_objects("a b c", 100, 60).on_drive(80, 4).on_drive(40, 1),
            150,
            BoundBy.THROUGHPUT,
            id="unequal drives: 18,000 MB at 120 MB/s",
        ),
        pytest.param(
            a_session().with_object("a", 100, 160).on_drives(2, 80, 4),
            200,
            BoundBy.LONGEST_OBJECT,
            id="an object faster than every drive takes as long as its bytes do",
        ),
        pytest.param(
            a_session().with_objects("a b", 100, 1).on_drives(1, 80, 2),
            100,
            BoundBy.LONGEST_OBJECT,
            id="of equal bounds the object is named, since no drive would help",
        ),
        pytest.param(
            a_session().with_objects("a b c d e", 100, 1).of_host("fs1", 2).on_drives(2, 80, 4),
            250,
            BoundBy.HOST,
            id="500 s of a host that sends two streams",
        ),
        pytest.param(
            a_session().with_object("a", 100, 1).of_host("fs1", 1).on_drives(2, 80, 4),
            100,
            BoundBy.LONGEST_OBJECT,
            id="an object alone on its host is the reason itself",
        ),
        pytest.param(a_session().on_drives(1, 80, 1), 0, BoundBy.LONGEST_OBJECT, id="nothing takes no time"),
    ],
)
def test_the_largest_bound_holds(session: Session, want_seconds: float, want_by: BoundBy) -> None:
    """Worked by hand."""
    bound = lower_bound(session.jobs, session.drives, shares_rate=True)
    assert bound.duration / 1e9 == pytest.approx(want_seconds, rel=1e-10)
    assert bound.bound_by == want_by


def test_the_bound_of_hosts_is_of_the_slowest_and_names_it() -> None:
    """Each limits its own objects, and those of no host do not count."""
    session = a_session().with_objects("a b", 50, 1).of_host("fs2", 1).with_objects("c d e f", 50, 1)
    session = session.of_host("fs1", 4).with_objects("g h i", 60, 1).on_drives(4, 80, 4)
    assert lower_bound(session.jobs, session.drives) == LowerBound(
        100 * NANOSECONDS, BoundBy.HOST, Host("fs2", 1)
    )


@examples(100)
@given(workloads(), pools(), st.sampled_from([FlexLBF(), FlexLBFBackfill(), LBF(), Traditional(1)]))
def test_no_session_is_under_its_bound(jobs: list[Job], drives: list[Drive], scheduler: Scheduler) -> None:
    """Where streams share a drive they only take longer."""
    bound = lower_bound(jobs, drives, shares_rate=scheduler.shares_rate)
    assert simulate(jobs, drives, scheduler).makespan >= bound.duration


def test_a_bound_between_two_nanoseconds_is_the_earlier_one() -> None:
    """5 s of agents' time on 3 agents."""
    session = a_session().with_objects("a b c d e", 1, 1).on_drives(1, 80, 3)
    bound = lower_bound(session.jobs, session.drives, shares_rate=True)
    assert bound.duration == 1_666_666_666


@examples(100)
@given(workloads(), pools())
def test_the_bound_is_the_oracles(jobs: list[Job], drives: list[Drive]) -> None:
    """Less what rounding and the tolerance of schedulers may take off, and never more."""
    exact = oracle.bounds(jobs, drives)
    largest = max(exact.values())
    bound = lower_bound(jobs, drives, shares_rate=True)
    assert largest * (1 - Fraction(1, 10**9)) - 1 < bound.duration <= largest
    assert exact[bound.bound_by] >= largest * (1 - Fraction(1, 10**9)) - 1


def test_a_session_that_fills_its_drive_meets_its_bound() -> None:
    """Rates that are plain numbers leave the tolerance no room, so the bound is the formula's own."""
    jobs = [Job.of(f"o{index}", 3600, 8) for index in range(20)]
    bound = lower_bound(jobs, [Drive.of("d", 80, 10)])
    assert bound == LowerBound(7200 * NANOSECONDS, BoundBy.THROUGHPUT)
    assert simulate(jobs, [Drive.of("d", 80, 10)], FlexLBF()).makespan == bound.duration
