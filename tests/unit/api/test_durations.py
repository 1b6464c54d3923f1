"""Durations as people write them and as a status shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.api.durations import DURATION_MAX_LENGTH, Duration, format_duration

LENGTHS = st.floats(min_value=0, max_value=1e9, allow_nan=False)


@pytest.mark.parametrize(
    ("text", "want_milliseconds"),
    [
        ("90s", 90_000),
        ("15h12m", (15 * 60 + 12) * 60_000),
        ("1d", 86_400_000),
        ("1d1h1m1.5s", 90_061_500),
        ("0h90m", 5_400_000),
        ("0.001s", 1),
        ("12.5s", 12_500),
    ],
)
def test_a_duration_is_read_to_the_millisecond(text: str, want_milliseconds: int):
    """Each unit counts for what it is, and fractions do not round."""
    duration = Duration.parse(text)
    assert duration.milliseconds == want_milliseconds
    assert duration.seconds == want_milliseconds / 1000


@pytest.mark.parametrize(
    "text", ["", "0s", "8", "-8h", "8h8h", "8m8h", "1w", "1.5h", "1.2345s", "8h\n", "٣s", "1" * 30]
)
def test_what_is_no_duration_is_refused_with_an_example(text: str):
    """The message says what to write, not what pattern failed."""
    with pytest.raises(ValueError, match=r"such as 8h, 15h12m, 90s or 1d"):
        Duration.parse(text)


@given(st.integers(min_value=1, max_value=10**12))
def test_what_is_written_is_read_back(milliseconds: int):
    """Any duration up to thirty years survives being written, within the bound of the schema."""
    text = str(Duration(milliseconds))
    assert len(text) <= DURATION_MAX_LENGTH
    assert Duration.parse(text) == Duration(milliseconds)


@given(st.floats(min_value=0, max_value=1e9, exclude_min=True))
def test_a_measured_time_is_never_nothing(seconds: float):
    """A measurement becomes the nearest millisecond, and at least one."""
    duration = Duration.of_seconds(seconds)
    assert duration.milliseconds >= 1
    assert abs(duration.seconds - seconds) <= 0.001


@pytest.mark.parametrize(
    ("seconds", "want"),
    [
        (0, "0s"),
        (0.2, "1s"),
        (45, "45s"),
        (45.5, "46s"),
        (60, "1m"),
        (750, "12m30s"),
        (3599.4, "59m59s"),
        (3599.6, "1h"),
        (3629.9, "1h"),
        (3630, "1h1m"),
        (75_120, "20h52m"),
        (43 * 3600, "43h"),
        (42 * 3600 + 59 * 60 + 30, "43h"),
        (49 * 3600, "49h"),
    ],
)
def test_a_status_shows_what_people_plan_in(seconds: float, want: str):
    """Seconds below an hour, whole minutes from there on."""
    assert format_duration(seconds) == want


@given(LENGTHS, LENGTHS)
def test_the_longer_one_never_reads_as_the_shorter(one: float, other: float):
    """Formatting keeps the order of any two lengths."""
    shorter, longer = sorted((one, other))
    assert _seconds(format_duration(shorter)) <= _seconds(format_duration(longer))


@given(st.floats(min_value=0, max_value=1e9, exclude_min=True))
def test_what_takes_time_never_reads_as_nothing(seconds: float):
    """Only zero is shown as zero."""
    assert format_duration(seconds) != "0s"


@pytest.mark.parametrize("seconds", [-1, float("inf"), float("nan")])
def test_what_is_no_length_of_time_is_not_shown_as_one(seconds: float):
    """A plan that went wrong must not be printed as if it were right."""
    with pytest.raises(ValueError, match="not a length of time"):
        format_duration(seconds)


def _seconds(text: str) -> float:
    return 0 if text == "0s" else Duration.parse(text).seconds
