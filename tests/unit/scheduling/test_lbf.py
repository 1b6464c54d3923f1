"""LBF by figure 5 of the paper, with streams that share what a drive sustains, worked by hand."""

import pytest

from flexlbf.scheduling import LBF
from support.builders import Session, a_session


def lbf() -> Session:
    """A session under LBF."""
    return a_session().under(LBF())


@pytest.mark.parametrize(
    ("session", "want"),
    [
        pytest.param(
            lbf()
            .with_object("a", 100, 1)
            .with_object("b", 60, 1)
            .with_object("c", 30, 1)
            .on_drives(2, 80, 4),
            ["a on 0: 0-100", "b on 1: 0-60", "c on 1: 0-30"],
            id="each goes to the drive with the smallest sum of durations: 100 against 0, then 60",
        ),
        pytest.param(
            lbf()
            .with_object("a", 100, 1)
            .with_object("b", 60, 1)
            .with_object("c", 50, 1)
            .with_object("d", 5, 1)
            .on_drives(2, 80, 2),
            ["a on 0: 0-100", "b on 1: 0-60", "c on 1: 0-50", "d on 0: 0-5"],
            id="a drive with K agents busy is no candidate, small as its sum is",
        ),
        pytest.param(
            lbf()
            .with_object("a", 100, 1)
            .with_object("b", 60, 1)
            .with_object("c", 50, 1)
            .with_object("d", 40, 1)
            .on_drives(2, 80, 1),
            ["a on 0: 0-100", "b on 1: 0-60", "c on 1: 60-110", "d on 0: 100-140"],
            id="what has ended counts in the sum: d waits for 0, with 100 against 110",
        ),
        pytest.param(
            lbf().with_objects("a b c", 10, 1).on_drives(2, 80, 4),
            ["a on 0: 0-10", "b on 1: 0-10", "c on 0: 0-10"],
            id="equal sums are taken in the pool's order",
        ),
        pytest.param(
            lbf().with_objects("a b", 10, 80).on_drives(1, 80, 4),
            ["a on 0: 0-20", "b on 0: 0-20"],
            id="two that each fill the drive take twice as long",
        ),
        pytest.param(
            lbf().with_object("a", 20, 80).with_object("b", 10, 80).on_drives(1, 80, 4),
            ["a on 0: 0-30", "b on 0: 0-20"],
            id="a has half the drive for 20 s, then all of it for 10 s",
        ),
        pytest.param(
            lbf().with_object("a", 20, 120).with_object("b", 10, 40).on_drives(1, 160, 4),
            ["a on 0: 0-20", "b on 0: 0-10"],
            id="streams that just fill a drive are not slowed",
        ),
        pytest.param(
            lbf().with_object("a", 30, 60).with_object("b", 10, 60).on_drives(1, 80, 4),
            ["a on 0: 0-35", "b on 0: 0-15"],
            id="streams that ask 120 of 80 run at two thirds: b for 15 s, a then has 20 s left",
        ),
        pytest.param(
            lbf()
            .with_object("a", 40, 80)
            .with_object("b", 20, 80)
            .with_object("c", 15, 80)
            .on_drives(1, 80, 2),
            ["a on 0: 0-75", "b on 0: 0-40", "c on 0: 40-70"],
            id="a start slows the others anew",
        ),
        pytest.param(
            lbf().with_object("a", 10, 160).on_drives(1, 80, 4),
            ["a on 0: 0-20"],
            id="an object faster than every drive runs at the fastest one's rate",
        ),
        pytest.param(
            lbf().with_objects("a b", 10, 80).on_drive(80, 1).on_drive(40, 1),
            ["a on 0: 0-10", "b on 1: 0-20"],
            id="on a slower drive an object gets what that sustains",
        ),
    ],
)
def test_objects_run_where_and_when_the_rules_say(session: Session, want: list[str]) -> None:
    """One table: the session, and who runs on which drive from when to when."""
    assert session.timetable() == want
