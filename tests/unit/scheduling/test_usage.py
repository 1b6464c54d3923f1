"""What a schedule asks of its drives over time."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import (
    LBF,
    Drive,
    FlexLBF,
    FlexLBFBackfill,
    Host,
    Job,
    Scheduler,
    Traditional,
    simulate,
)
from flexlbf.scheduling.filling import Filling
from flexlbf.scheduling.units import MICROBYTES_PER_MB, MINUTE, to_nanoseconds
from flexlbf.scheduling.usage import Moment, Peak, host_overloads, overloads, peak, timeline
from support.builders import Session, a_session
from support.strategies import examples, pools, workloads

SCHEDULERS = st.sampled_from(
    [FlexLBF(), FlexLBFBackfill(), Filling(MINUTE, 0.5), LBF(), Traditional(1)],
)


@pytest.mark.parametrize(
    ("session", "agents", "mbps"),
    [
        pytest.param(a_session().on_drives(1, 80, 1), 0, 0, id="nothing runs"),
        pytest.param(
            a_session().with_objects("a b", 10, 30).on_drives(2, 80, 4), 2, 60, id="drives count together"
        ),
        pytest.param(
            a_session().with_objects("a b", 10, 80).on_drives(1, 80, 4),
            1,
            80,
            id="what ends as another starts does not overlap it",
        ),
        pytest.param(
            a_session().with_object("a", 10, 80).with_objects("b c d", 5, 10).on_drives(1, 80, 4),
            3,
            80,
            id="most agents and most throughput need not coincide",
        ),
    ],
)
def test_the_peak_is_the_most_at_one_moment(session: Session, agents: int, mbps: int) -> None:
    """Of agents and of throughput, each by itself."""
    assert peak(session.run()) == Peak(agents, mbps * MICROBYTES_PER_MB)


@examples(100)
@given(workloads(), pools())
def test_flexlbf_overloads_nothing(jobs: list[Job], drives: list[Drive]) -> None:
    """Not even where rounding made a drive a little too full."""
    assert overloads(simulate(jobs, drives, FlexLBF())) == []


@examples(100)
@given(workloads(), pools(), SCHEDULERS, st.sampled_from([1, MINUTE]))
def test_no_host_ever_sends_more_than_it_may(
    jobs: list[Job], drives: list[Drive], scheduler: Scheduler, grid: int
) -> None:
    """Whatever decides, also where streams share a drive's rate, and on any grid."""
    assert host_overloads(simulate(jobs, drives, scheduler, start_grid=grid)) == []


def test_a_host_that_sends_too_much_is_named() -> None:
    """A schedule of three streams held against a host of two."""
    schedule = a_session().with_objects("a b c", 10, 1).of_host("fs1", 3).on_drives(2, 80, 4).run()
    strict = tuple(replace(job, host=Host("fs1", 2)) for job in schedule.jobs)
    found = host_overloads(replace(schedule, jobs=strict))
    assert [str(each) for each in found] == ["host fs1 sends 3 streams at 0 s"]


def test_rounding_is_no_overload() -> None:
    """0.8e-9 MB/s over is what schedulers may do; twice that much is not."""
    full = a_session().with_objects("a b", 10, 40.0000000004).on_drives(1, 80, 4)
    assert len(set(full.run().starts)) == 1
    assert overloads(full.run()) == []
    over = a_session().with_objects("a b", 10, 40.0000000008).on_drives(1, 80, 4).under(LBF())
    assert len(overloads(over.run())) == 1


def test_an_overload_names_the_drive_the_moment_and_what_is_asked() -> None:
    """From the stream that is one too many, as long as it is."""
    session = (
        a_session().with_object("a", 100, 50).with_objects("b c", 20, 40).on_drives(2, 80, 4).under(LBF())
    )
    session = session.with_object("d", 10, 60)
    assert [str(found) for found in overloads(session.run())] == [
        "drive drive-1 is asked 3 agents and 140 MB/s at 0 s"
    ]


def test_too_many_agents_are_an_overload_too() -> None:
    """A schedule of four agents held against drives of three."""
    schedule = a_session().with_objects("a b c d", 10, 1).on_drives(1, 80, 4).run()
    strict = type(schedule)(
        (Drive.of("drive-0", 80, 3),),
        schedule.jobs,
        schedule.drive_of,
        schedule.starts,
        schedule.ends,
        schedule.makespan,
        FlexLBF(),
    )
    assert [(found.agents, found.at) for found in overloads(strict)] == [(4, 0)]


def test_a_timeline_has_a_moment_for_each_instant_at_which_something_changes() -> None:
    """What ends as another starts is one change."""
    session = a_session().with_object("a", 10, 30).with_objects("b c", 5, 50).on_drives(1, 80, 2)
    assert timeline(session.run()) == [
        Moment(0, 2, 80 * MICROBYTES_PER_MB),
        Moment(to_nanoseconds(5), 2, 80 * MICROBYTES_PER_MB),
        Moment(to_nanoseconds(10), 0, 0),
    ]


def test_a_timeline_of_nothing_is_empty() -> None:
    """No session, no moment."""
    assert timeline([]) == []
