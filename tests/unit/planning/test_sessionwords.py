"""A session of a status in a line: how far it is, and when it will be over."""

from datetime import UTC, datetime

import pytest

from flexlbf.planning.sessionwords import BAR, session_of, settings_row

NOW = datetime(2026, 1, 2, 23, tzinfo=UTC)
RUNNING = {
    "name": "weekly-1",
    "state": "Running",
    "started": "2026-01-02T22:00:00Z",
    "expectedEnd": "2026-01-03T01:10:00Z",
    "objects": 86,
    "released": 48,
    "running": 5,
    "waiting": {"objects": 38, "head": "fs:/a", "reason": "no drive has 12 MB/s free"},
    "done": 41,
    "failed": 1,
    "skipped": 1,
    "bytes": "1.2T",
}


def words(**changes: object) -> str:
    """The line of the session with these fields; None takes one out."""
    raw = {key: value for key, value in {**RUNNING, **changes}.items() if value is not None}
    session = session_of({"status": {"session": raw}}, NOW)
    assert session
    return session.words


def test_a_session_that_runs_says_all_that_matters():
    """What is done, what is not, and what is left to come."""
    assert words() == (
        "41 of 86 objects backed up, 1 failed, 1 left out, 5 running, 38 waiting, 1.2 TB written, "
        "over in 2h10m"
    )


@pytest.mark.parametrize(
    ("changes", "end"),
    [
        ({"expectedEnd": "2026-01-02T22:59:59Z"}, "over any moment"),
        ({"expectedEnd": None}, "1.2 TB written"),
        ({"state": "Failed", "ended": "2026-01-02T22:40:00Z"}, "failed after 40m"),
    ],
    ids=["late", "unknown", "ended"],
)
def test_the_end_is_said_as_far_as_it_is_known(changes: dict[str, str], end: str):
    """Forecast, overdue, not known, or over."""
    assert words(**changes).endswith(end)


def test_the_bar_is_full_when_nothing_is_left():
    """Whatever became of the objects."""
    half = session_of({"status": {"session": RUNNING}}, NOW)
    whole = session_of({"status": {"session": RUNNING | {"done": 84}}}, NOW)
    assert half
    assert whole
    assert half.bar == f"[{'#' * (BAR // 2)}{'-' * (BAR - BAR // 2)}]"
    assert whole.bar == f"[{'#' * BAR}]"


def test_a_policy_without_a_status_has_a_row_of_dashes():
    """As one that was only just applied."""
    assert session_of({}, NOW) is None
    assert settings_row({}) == ("-",) * 6
