"""What waits: jobs that are taken, put back and hidden with their hosts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import LBF, Host, Job
from flexlbf.scheduling.waiting import HostStreams, Waiting
from support.builders import a_session
from support.strategies import HOSTS, examples
from support.waitsteps import carried_out, steps


@examples(300)
@given(
    st.lists(st.sampled_from(HOSTS), min_size=1, max_size=9),
    steps(places=9, most=40),
)
def test_what_is_taken_or_hidden_is_not_there_and_comes_back_to_its_place(
    hosts: list[Host | None], changes: list[tuple[str, int]]
) -> None:
    """After any steps in any order, what waits is what is neither out nor hidden, in the list's order."""
    waiting = Waiting([Job(f"o{place}", 1, 1, host) for place, host in enumerate(hosts)])
    for _, out, hidden in carried_out(waiting, changes):
        want = [each for each in range(len(hosts)) if each not in out and hosts[each] not in hidden]
        assert list(waiting) == want
        assert bool(waiting) == bool(want)
        assert waiting.first == min(want, default=len(hosts))


def test_what_waits_already_is_not_put_back() -> None:
    """It would be in the list twice."""
    with pytest.raises(ValueError, match="object 'a' waits already"):
        Waiting([Job("a", 1, 1)]).restore(0)


def test_jobs_of_a_host_that_sends_all_it_may_are_passed_over_until_one_ends() -> None:
    """Those that were taken out meanwhile stay out, and what is put back is hidden too."""
    one, two = Host("fs1", 1), Host("fs2", 2)
    jobs = [Job(f"o{place}", 1, 1, host) for place, host in enumerate([one, two, one, None, two, two, one])]
    waiting = Waiting(jobs)
    streams = HostStreams(waiting)
    streams.start(waiting.take(0))
    assert (waiting.first, list(waiting)) == (1, [1, 3, 4, 5])
    streams.start(waiting.take(4))
    assert list(waiting) == [1, 3, 5]
    streams.start(waiting.take(5))
    assert list(waiting) == [3]
    streams.start(waiting.take(3))
    assert not waiting
    waiting.restore(0)
    assert not waiting
    streams.end(jobs[0])
    assert list(waiting) == [0, 2, 6]
    streams.end(jobs[4])
    streams.end(jobs[3])
    assert list(waiting) == [0, 1, 2, 6]


def test_an_object_behind_a_host_that_sends_all_it_may_starts_before_it() -> None:
    """FlexLBF is blocked by what does not fit on a drive, and not by what its host would not send."""
    session = a_session().with_object("a", 100, 10).with_object("b", 90, 10).of_host("fs1", 1)
    session = session.with_object("c", 80, 10).on_drives(2, 80, 4)
    want = ["a on 0: 0-100", "c on 1: 0-80", "b on 0: 100-190"]
    assert session.timetable() == want
    assert session.under(LBF()).timetable() == [*want[:2], "b on 1: 100-190"]
