"""From measured backups to the job that is planned."""

import random
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.history import DEFAULT_WINDOW, Measurement, estimate
from support.strategies import examples

FIRST = datetime(2026, 1, 2, 22, tzinfo=UTC)


def weeks(*backups: tuple[float, float]) -> list[Measurement]:
    """Weekly backups, the earliest first: (seconds, MB)."""
    return [
        Measurement(FIRST + timedelta(weeks=week), round(seconds * 10**9), round(megabytes * 10**6))
        for week, (seconds, megabytes) in enumerate(backups)
    ]


@pytest.mark.parametrize(
    ("backups", "window", "seconds", "mbps"),
    [
        pytest.param(weeks((100, 1000)), 3, 100, 10, id="one backup: its own duration and throughput"),
        pytest.param(
            weeks((100, 1000), (200, 4000)), 3, 200, 15, id="two: the latest duration, mean of 10, 20"
        ),
        pytest.param(
            weeks((1, 900), (100, 1000), (100, 2000), (50, 1500)), 3, 50, 20, id="the last three: 10, 20, 30"
        ),
        pytest.param(weeks((100, 1000), (200, 4000)), 1, 200, 20, id="a window of one: the latest alone"),
        pytest.param(weeks((100, 1000), (200, 4000)), 99, 200, 15, id="a longer window than history: all"),
        pytest.param(
            weeks((10, 100), (1000, 1000)),
            3,
            1000,
            5.5,
            id="a mean of throughputs, not all bytes by all time",
        ),
        pytest.param(weeks((60, 0)), 3, 60, 0, id="an empty object"),
        pytest.param(weeks((3, 1)), 3, 3, 0.333333333333, id="a third, to a micro-byte a second"),
        pytest.param(weeks((3, 2)), 3, 3, 0.666666666667, id="two thirds, to the nearest"),
    ],
)
def test_the_job_has_the_latest_duration_and_the_mean_throughput(
    backups: list[Measurement], window: int, seconds: float, mbps: float
) -> None:
    """Section III.B of the paper: the mean of the last l."""
    job = estimate("fs", backups, window)
    assert (job.name, job.duration_s, job.throughput_mbps) == ("fs", seconds, mbps)


def test_three_measurements_are_averaged_unless_told_otherwise() -> None:
    """The paper's l."""
    backups = weeks((1, 900), (100, 1000), (100, 2000), (50, 1500))
    assert DEFAULT_WINDOW == 3
    assert estimate("fs", backups) == estimate("fs", backups, 3)


@examples(60)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_measurements_changes_nothing(shuffler: random.Random) -> None:
    """Not even where two start at one instant."""
    backups = [*weeks((10, 100), (20, 400), (30, 900), (40, 1600)), Measurement(FIRST, 5, 5)]
    backups.append(Measurement(backups[3].start, 7 * 10**9, 70))
    shuffled = list(backups)
    shuffler.shuffle(shuffled)
    for window in (1, 2, 3, 9):
        assert estimate("fs", shuffled, window) == estimate("fs", backups, window)


def test_the_latest_is_the_latest_instant_whatever_the_zone() -> None:
    """23:00 in Tokyo is before 15:00 in London."""
    tokyo = Measurement(datetime(2026, 1, 1, 23, tzinfo=timezone(timedelta(hours=9))), 10, 1)
    london = Measurement(datetime(2026, 1, 1, 15, tzinfo=UTC), 20, 1)
    assert estimate("fs", [london, tokyo]).duration == 20


@pytest.mark.parametrize(
    ("backups", "window", "message"),
    [
        pytest.param([], 3, "object 'fs' has no measured backup", id="no history"),
        pytest.param(
            weeks((1, 1)), 0, "the estimator's window is at least 1 measurement", id="a window of nothing"
        ),
    ],
)
def test_what_can_not_be_estimated_says_why(backups: list[Measurement], window: int, message: str) -> None:
    """In one line."""
    with pytest.raises(ValueError, match=f"^{message}$"):
        estimate("fs", backups, window)


@pytest.mark.parametrize(
    ("start", "duration", "size", "message"),
    [
        pytest.param(FIRST.replace(tzinfo=None), 1, 1, "needs a time zone: write 2026-01", id="no zone"),
        pytest.param(FIRST, 0, 1, "a measured backup ends after it starts", id="no time"),
        pytest.param(FIRST, 1, -1, "a backup's bytes can't be negative", id="negative bytes"),
    ],
)
def test_a_measurement_that_can_not_be_is_refused(
    start: datetime, duration: int, size: int, message: str
) -> None:
    """With what is wrong."""
    with pytest.raises(ValueError, match=message):
        Measurement(start, duration, size)
