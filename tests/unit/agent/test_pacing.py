"""The rate limit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexlbf.agent.pacing import Pacer

BLOCK = 256 << 10


class Time:
    """A clock that moves when one sleeps, `late` seconds too long each time."""

    def __init__(self, late: float = 0.0) -> None:
        self.now = 1000.0
        self.late = late
        self.slept = 0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert 0 < seconds <= 1, "a signal may have to wait for so long"
        self.slept += 1
        self.now += seconds + self.late


@settings(deadline=None)
@given(st.integers(1_000, 10**9), st.integers(512, 1 << 20), st.floats(0, 0.9))
def test_the_mean_rate_is_the_limit_even_if_every_sleep_lasts_too_long(
    rate: int, block: int, lateness: float
) -> None:
    time = Time(late=lateness * block / rate)
    pacer = Pacer(rate, time.clock, time.sleep)
    blocks = 200
    for _ in range(blocks):
        pacer.wait(block)
    pacer.wait(block)
    assert blocks * block / (time.now - 1000.0) == pytest.approx(rate, rel=0.02)


def test_a_stalled_source_saves_up_one_block_at_most() -> None:
    time = Time()
    pacer = Pacer(BLOCK, time.clock, time.sleep)  # a block a second
    pacer.wait(BLOCK)
    time.now += 3600
    at_once = 0
    while not time.slept:
        pacer.wait(BLOCK)
        at_once += 1
    assert at_once - 1 <= 2


def test_no_limit_never_waits() -> None:
    time = Time()
    pacer = Pacer(None, time.clock, time.sleep)
    for _ in range(1000):
        pacer.wait(BLOCK)
    assert time.slept == 0
