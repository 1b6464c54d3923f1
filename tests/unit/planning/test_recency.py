"""How old the last good backups of a policy's objects are."""

from datetime import UTC, datetime, timedelta

from flexlbf.history.ledger import RecordedRun
from flexlbf.planning.recency import Recency
from support.resources import a_set
from unit.planning.snapshots import Scene

NIGHT = datetime(2026, 1, 3, 22, tzinfo=UTC)
MINUTE = 60 * 10**9
FLEET = (a_set().with_object("fs:/a").with_object("fs:/b"),)


def run(days: int, minutes: int) -> RecordedRun:
    return RecordedRun(f"session-{days}", NIGHT + timedelta(days=days), minutes * MINUTE, 10**9)


def recency(**histories: tuple[RecordedRun, ...]) -> Recency:
    recorded = {"fleet": {f"fs:/{name}": runs for name, runs in histories.items()}}
    return Scene(sets=FLEET, histories=recorded).plan().recency


def test_the_object_that_waits_longest_says_how_old_the_backups_are():
    """By the end of its last run, whatever the others came to since."""
    found = recency(a=(run(0, 5), run(7, 5), run(14, 5)), b=(run(0, 30), run(7, 30)))
    assert found == Recency(NIGHT + timedelta(days=7, minutes=30), never=0)


def test_an_object_without_a_backup_is_counted_and_makes_the_others_no_older():
    """It may have come a moment ago."""
    assert recency(a=(run(0, 5),)) == Recency(NIGHT + timedelta(minutes=5), never=1)
    assert recency() == Recency(None, never=2)
