"""FlexLBF by figure 4 of the paper, worked by hand."""

import pytest

from flexlbf.scheduling import FlexLBF
from flexlbf.scheduling.protocol import DriveLoads
from flexlbf.scheduling.waiting import Waiting
from support.builders import Session, a_session


@pytest.mark.parametrize(
    ("session", "want"),
    [
        pytest.param(
            a_session().with_object("short", 10, 1).with_object("long", 100, 1).on_drives(1, 80, 1),
            ["long on 0: 0-100", "short on 0: 100-110"],
            id="the longest object is first",
        ),
        pytest.param(
            a_session().with_object("slow", 10, 30).with_object("fast", 10, 50).on_drives(1, 80, 1),
            ["fast on 0: 0-10", "slow on 0: 10-20"],
            id="of equally long ones the one with the most throughput is first",
        ),
        pytest.param(
            a_session().with_objects("b B a", 10, 5).on_drives(1, 80, 1),
            ["B on 0: 0-10", "a on 0: 10-20", "b on 0: 20-30"],
            id="of otherwise equal ones the first by name",
        ),
        pytest.param(
            a_session()
            .with_object("a", 100, 50)
            .with_object("b", 90, 20)
            .with_object("c", 80, 20)
            .with_object("d", 70, 20)
            .on_drives(2, 80, 10),
            ["a on 0: 0-100", "b on 1: 0-90", "c on 1: 0-80", "d on 1: 0-70"],
            id="each goes to the drive with the smallest aggregate: 50 against 0, 20 and 40",
        ),
        pytest.param(
            a_session().with_objects("a b c d", 10, 10).on_drives(3, 80, 10),
            ["a on 0: 0-10", "b on 1: 0-10", "c on 2: 0-10", "d on 0: 0-10"],
            id="drives with equal aggregates are taken in the pool's order",
        ),
        pytest.param(
            a_session()
            .with_object("a", 100, 60)
            .with_object("b", 90, 30)
            .with_object("c", 80, 10)
            .on_drives(1, 80, 10),
            ["a on 0: 0-100", "b on 0: 100-190", "c on 0: 100-180"],
            id="an object that does not fit blocks a later one that would",
        ),
        pytest.param(
            a_session()
            .with_object("a", 100, 10)
            .with_object("b", 90, 60)
            .with_object("c", 80, 50)
            .on_drive(80, 1)
            .on_drive(80, 10),
            ["a on 0: 0-100", "b on 1: 0-90", "c on 1: 90-170"],
            id="a drive without a free agent is no candidate, much as it has throughput",
        ),
        pytest.param(
            a_session()
            .with_object("a", 100, 80)
            .with_object("b", 40, 80)
            .with_object("c", 30, 80)
            .on_drives(2, 80, 1),
            ["a on 0: 0-100", "b on 1: 0-40", "c on 1: 40-70"],
            id="what completes is used at once",
        ),
        pytest.param(
            a_session()
            .with_objects("a b", 50, 70)
            .with_object("c", 40, 10)
            .with_object("d", 30, 75)
            .on_drives(2, 80, 2),
            ["a on 0: 0-50", "b on 1: 0-50", "c on 0: 0-40", "d on 0: 50-80"],
            id="completions at one instant are all released before the next assignment: d is back on 0",
        ),
        pytest.param(
            a_session().with_objects("a b c d e f g h i j", 10, 8.0).on_drives(1, 80, 10),
            [f"{name} on 0: 0-10" for name in "abcdefghij"],
            id="ten of 8.0 fit in 80",
        ),
        pytest.param(
            a_session().with_objects("a b c", 10, 26.666666666666668).on_drives(1, 80, 10),
            [f"{name} on 0: 0-10" for name in "abc"],
            id="three thirds rounded up fit in the whole",
        ),
        pytest.param(
            a_session().with_objects("a b", 10, 40.0000000004).on_drives(1, 80, 10),
            ["a on 0: 0-10", "b on 0: 0-10"],
            id="0.8e-9 MB/s too much is nothing",
        ),
        pytest.param(
            a_session().with_object("a", 20, 40).with_object("b", 10, 40.000000001).on_drives(1, 80, 10),
            ["a on 0: 0-20", "b on 0: 0-10"],
            id="1e-9 MB/s too much is still nothing",
        ),
        pytest.param(
            a_session().with_objects("a b", 10, 40.000000001).on_drives(1, 80, 10),
            ["a on 0: 0-10", "b on 0: 10-20"],
            id="2e-9 MB/s too much is too much",
        ),
        pytest.param(
            a_session()
            .with_object("a", 30, 20.0000000005)
            .with_object("b", 20, 20)
            .with_object("c", 10, 20)
            .on_drives(2, 80, 10),
            ["a on 0: 0-30", "b on 1: 0-20", "c on 0: 0-10"],
            id="aggregates that differ by rounding only are equal",
        ),
        pytest.param(
            a_session().with_object("a", 10, 160).with_object("b", 15, 10).on_drives(1, 80, 10),
            ["a on 0: 0-20", "b on 0: 20-35"],
            id="an object twice as fast as every drive takes twice as long, and is ordered by that",
        ),
        pytest.param(
            a_session()
            .with_object("a", 30, 30)
            .with_object("b", 20, 60)
            .with_object("c", 10, 15)
            .on_drive(40, 10)
            .on_drive(80, 10),
            ["a on 1: 0-30", "b on 1: 30-50", "c on 0: 30-40"],
            id="unequal drives: the most free throughput is 80, then 50, where 60 waits for a",
        ),
        pytest.param(
            a_session().with_object("a", 30, 80).with_objects("b c", 10, 0).on_drives(1, 80, 2),
            ["a on 0: 0-30", "b on 0: 0-10", "c on 0: 10-20"],
            id="an empty object needs an agent on a full drive, and no throughput",
        ),
        pytest.param(a_session().on_drives(1, 80, 1), [], id="no objects make no session"),
    ],
)
def test_objects_run_where_and_when_the_rules_say(session: Session, want: list[str]) -> None:
    """One table: the session, and who runs on which drive from when to when."""
    assert session.timetable() == want


def test_a_scheduler_asked_with_every_agent_busy_waits() -> None:
    """The live dispatcher asks in this state too, even for an object that asks no throughput."""
    session = a_session().with_objects("a b", 10, 0).on_drives(2, 80, 1)
    loads = DriveLoads.idle(session.drives)
    for drive in (0, 1):
        loads.assign(drive, session.jobs[drive])
    assert FlexLBF().choose(Waiting(session.jobs), loads, 0) is None
