"""What a status and an event say of a session stays small, however much goes wrong."""

import json
from datetime import UTC, datetime

from flexlbf.api.v1alpha1.policystatus import SHOWN_OBJECTS
from flexlbf.planning.sessionstatus import SessionProgress, SessionWaiting, session_status

NIGHT = datetime(2026, 1, 9, 22, tzinfo=UTC)
LONGEST_NAME = 253
MESSAGE_LIMIT = 32_768
"""Characters that the API takes of a condition's message."""

STATUS_BYTES = 400_000
"""Far from the 1.5 MiB that the API server takes, with the names in the list and in the message."""


def named(count: int, first: str) -> list[str]:
    """So many names, each as long and as costly in JSON as may be."""
    return [f"{first}{number:06}".ljust(LONGEST_NAME, "<") for number in range(count)]


def test_ten_thousand_objects_that_failed_and_as_many_left_out_are_counted_and_a_few_named():
    """Both are counted in full."""
    failed, skipped = named(10_000, "a"), named(10_000, "b")
    waiting = SessionWaiting(10_000, skipped[0], "x" * 100_000)
    for ended in (None, NIGHT):
        progress = SessionProgress(
            name="weekly-1",
            started=NIGHT,
            objects=20_000,
            released=10_000,
            running=0,
            waiting=waiting,
            done=0,
            failed=failed,
            skipped=skipped,
            size=0,
            ended=ended,
        )
        status = session_status(progress, 1, NIGHT, None, None)
        session, (condition,) = status["session"], status["conditions"]
        assert (session["failed"], session["skipped"]) == (10_000, 10_000)
        assert session["failedObjects"] == failed[:SHOWN_OBJECTS]
        assert session["skippedObjects"] == skipped[:SHOWN_OBJECTS]
        assert len(condition["message"]) <= MESSAGE_LIMIT
        assert len(json.dumps(status).replace("<", "\\u003c").encode()) <= STATUS_BYTES
    assert condition["message"].count(f"and {10_000 - SHOWN_OBJECTS} more") == 2
