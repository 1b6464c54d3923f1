"""What a status and an event say of a session stays small, however much goes wrong."""

import itertools
import json
from datetime import UTC, datetime
from typing import Any

from flexlbf.api.v1alpha1.policystatus import SHOWN_OBJECTS
from flexlbf.planning.findings import Finding, Reason
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
    why = Finding(Reason.BACKUP_SET_NOT_FOUND, "x" * 100_000)
    for ended, blocked in itertools.product((None, NIGHT), (None, why)):
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
            blocked=blocked,
        )
        status = session_status(progress, 1, NIGHT, None, None)
        session, (condition,) = status["session"], status["conditions"]
        assert (session["failed"], session["skipped"]) == (10_000, 10_000)
        assert session["failedObjects"] == failed[:SHOWN_OBJECTS]
        assert session["skippedObjects"] == skipped[:SHOWN_OBJECTS]
        assert len(condition["message"]) <= MESSAGE_LIMIT
        assert len(json.dumps(status).replace("<", "\\u003c").encode()) <= STATUS_BYTES
    assert condition["message"].count(f"and {10_000 - SHOWN_OBJECTS} more") == 2


def ended(**fields: Any) -> Finding:
    """What is told of a session of ten objects that has ended."""
    usual: dict[str, Any] = {"failed": [], "skipped": [], "done": 8}
    progress = SessionProgress(
        name="weekly-1",
        started=NIGHT,
        objects=10,
        released=8,
        running=0,
        waiting=SessionWaiting(0),
        size=0,
        ended=NIGHT,
        **{**usual, **fields},
    )
    return progress.finding


def test_a_session_that_could_not_go_on_says_why_and_what_is_left():
    """By name, as far as anybody knows them; one of a deleted policy says that."""
    stalled = Finding(Reason.BACKUP_SET_NOT_FOUND, "no set 'fleet'")
    why = "weekly-1: 8 of 10 objects backed up; not started since the policy gives no plan to run "
    assert ended(blocked=stalled, skipped=["a"], nameless=1) == Finding(
        Reason.SESSION_ABANDONED, f"{why}(BackupSetNotFound: no set 'fleet'): a and 1 more"
    )
    deleted = Finding(Reason.POLICY_DELETED, "the policy was deleted")
    assert ended(blocked=deleted, nameless=2) == Finding(
        Reason.POLICY_DELETED,
        "weekly-1: 8 of 10 objects backed up; not started since the policy was deleted: "
        "2 whose names nobody knows any more",
    )


def test_a_session_with_nothing_left_to_start_is_not_abandoned():
    """Whatever has become of its policy."""
    stalled = Finding(Reason.BACKUP_SET_NOT_FOUND, "no set 'fleet'")
    assert ended(blocked=stalled, done=10).reason is Reason.SESSION_SUCCEEDED
    failed = ended(blocked=stalled, failed=["a"], done=9)
    assert failed == Finding(Reason.SESSION_FAILED, "weekly-1: 9 of 10 objects backed up; failed: a")
    late = ended(skipped=["a", "b"])
    assert late.reason is Reason.WINDOW_ENDED
    assert late.message.endswith("not started before the window ended: a, b")
