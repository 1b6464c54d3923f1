"""Points in time as RFC 3339 writes them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.api.timestamps import format_timestamp, parse_timestamp


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("2026-01-31T22:00:00Z", datetime(2026, 1, 31, 22, tzinfo=UTC)),
        ("2026-01-31t22:00:00z", datetime(2026, 1, 31, 22, tzinfo=UTC)),
        ("2026-01-31T22:00:00+02:00", datetime(2026, 1, 31, 20, tzinfo=UTC)),
        ("2026-01-31T22:00:00.123456789Z", datetime(2026, 1, 31, 22, 0, 0, 123456, tzinfo=UTC)),
    ],
)
def test_a_time_is_read_with_its_offset(text: str, want: datetime):
    """All of RFC 3339's ways to write a point in time."""
    assert parse_timestamp(text) == want


@pytest.mark.parametrize(
    "text", ["", "2026-01-31", "2026-01-31T22:00:00", "2026-02-31T22:00:00Z", "20260131T220000Z"]
)
def test_what_is_no_point_in_time_is_refused_with_an_example(text: str):
    """A time without an offset is another time on every host."""
    with pytest.raises(ValueError, match="such as 2026-01-31T22:00:00Z"):
        parse_timestamp(text)


@given(
    st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(9999, 1, 1)),  # noqa: DTZ001
    st.integers(min_value=-1439, max_value=1439),
)
def test_what_is_written_is_read_back(moment: datetime, minutes: int):
    """Writing keeps the point in time, whatever its offset was."""
    aware = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert parse_timestamp(format_timestamp(aware)) == aware


def test_a_time_without_an_offset_is_not_written():
    """It would read as UTC, which nobody said."""
    with pytest.raises(ValueError, match="has no offset"):
        format_timestamp(datetime(2026, 1, 1))  # noqa: DTZ001
