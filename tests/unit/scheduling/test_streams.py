"""The clocks of a session: who ends when."""

import pytest

from flexlbf.scheduling import Drive, Job
from flexlbf.scheduling.streams import DedicatedStreams, SharedStreams, Streams

DRIVES = (Drive("a", 80, 4), Drive("b", 80, 4))


@pytest.mark.parametrize(
    "streams",
    [
        pytest.param(DedicatedStreams(), id="each at its own rate"),
        pytest.param(SharedStreams(DRIVES), id="sharing"),
    ],
)
def test_what_ended_is_taken_out_once_in_the_order_of_its_ends(streams: Streams) -> None:
    """Over all drives, however late it is looked at."""
    assert streams.next_end() is None
    for index, (drive, duration) in enumerate([(0, 30), (0, 10), (1, 20), (1, 50)]):
        streams.start(0, drive, index, Job(f"o{index}", duration, 10))
    assert streams.next_end() == 10
    assert streams.complete(9) == []
    assert streams.complete(40) == [(10, 0, 1), (20, 1, 2), (30, 0, 0)]
    assert streams.complete(40) == []
    assert streams.next_end() == 50


def test_a_start_moves_the_ends_of_its_own_drive_only() -> None:
    """From 100 s each, the one beside it starts when 40 are over."""
    streams = SharedStreams(DRIVES)
    streams.start(0, 0, 0, Job("o0", 100, 80))
    streams.start(0, 1, 1, Job("o1", 100, 80))
    streams.start(40, 0, 2, Job("o2", 30, 80))
    assert streams.complete(500) == [(100, 0, 2), (100, 1, 1), (130, 0, 0)]


def test_an_end_between_two_nanoseconds_is_at_the_later_one() -> None:
    """10 ns at three sevenths of the speed are 23 and a third."""
    streams = SharedStreams((Drive("a", 3, 4),))
    streams.start(0, 0, 0, Job("o0", 10, 3))
    streams.start(0, 0, 1, Job("o1", 100, 4))
    assert streams.next_end() == 24


def test_thirds_that_add_up_to_a_whole_are_one() -> None:
    """Starts at odd moments leave no rounding behind: three thirds of 100 are over at 300, not at 301."""
    streams = SharedStreams((Drive("a", 80, 9),))
    streams.start(0, 0, 0, Job("o0", 100, 80))
    streams.start(0, 0, 1, Job("o1", 100, 80))
    streams.start(0, 0, 2, Job("o2", 100, 80))
    for index, now in enumerate([1, 2, 4, 5, 7, 8, 11, 100], start=3):
        streams.start(now, 0, index, Job(f"o{index}", 1000, 0))
    assert streams.complete(300) == [(300, 0, 0), (300, 0, 1), (300, 0, 2)]
