"""A drive is busy while it has a stream, however many."""

from hypothesis import given
from hypothesis import strategies as st

from flexlbf.cluster.drivemeter import DriveKey, DriveMeter
from support.strategies import examples

DRIVE, OTHER = DriveKey("library", "lto-0"), DriveKey("library", "lto-1")
SPANS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).map(sorted), max_size=8)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@given(SPANS, st.integers(0, 60))
@examples(200)
def test_the_busy_time_is_what_streams_cover_together(spans: list[list[int]], end: int):
    """Asked at any moment, also while streams are open; nothing of it is counted for another drive."""
    clock = Clock()
    meter = DriveMeter(clock)
    begins = sorted(start for start, _ in spans)
    ends = sorted(stop for _, stop in spans)
    for second in range(end + 1):
        clock.now = second
        for _ in range(begins.count(second)):
            meter.opened(DRIVE)
        for _ in range(ends.count(second)):
            meter.closed(DRIVE)
    covered = {second for start, stop in spans for second in range(start, min(stop, end))}
    assert meter.busy(DRIVE) == len(covered)
    assert meter.busy(OTHER) == 0
