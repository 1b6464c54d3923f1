"""Until when a session that can't go on waits, and what stands for what is gone."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from flexlbf.planning.findings import Finding, Reason
from flexlbf.planning.stranding import (
    PATIENCE,
    given_up_at,
    plan_stand_in,
    policy_stand_in,
    stalled_since,
)
from support.resources import a_policy, a_set

NIGHT = datetime(2026, 1, 9, 22, tzinfo=UTC)
HOUR = timedelta(hours=1)
STALLED = Finding(Reason.BACKUP_SET_NOT_FOUND, "no set 'fleet'")
DELETED = Finding(Reason.POLICY_DELETED, "the policy was deleted")


@pytest.mark.parametrize(
    ("why", "window_end", "want"),
    [
        pytest.param(STALLED, None, NIGHT + PATIENCE, id="without a window it waits a while"),
        pytest.param(STALLED, NIGHT + HOUR, NIGHT + HOUR, id="it waits until its window ends"),
        pytest.param(STALLED, NIGHT - HOUR, NIGHT + PATIENCE, id="after its window it waits a while"),
        pytest.param(DELETED, NIGHT + HOUR, NIGHT, id="a deleted policy is not waited for"),
    ],
)
def test_when_it_is_given_up(why: Finding, window_end: datetime | None, want: datetime):
    """Counted from when nothing could start any more."""
    assert given_up_at(why, NIGHT, window_end) == want


def stalled(status: str, **fields: Any) -> dict[str, Any]:
    """A policy with this condition."""
    condition = {"type": "Stalled", "status": status, "reason": "Any", **fields}
    return {**a_policy().observed("backup"), "status": {"conditions": [condition]}}


def test_a_policy_says_itself_since_when_it_cannot_be_planned():
    """So that a restart does not begin to count anew."""
    stamp = {"lastTransitionTime": "2026-01-09T22:00:00Z"}
    assert stalled_since(stalled("True", **stamp)) == NIGHT
    assert stalled_since(stalled("False", **stamp)) is None
    assert stalled_since(stalled("True", lastTransitionTime="once")) is None
    assert stalled_since(a_policy().observed("backup")) is None


def test_what_stands_in_names_what_it_can_and_starts_nothing():
    """No drive, and no try more."""
    sets = [a_set().with_object("b").with_object("a").build(), a_set("empty").build()]
    plan = plan_stand_in("library", sets, None)
    assert [job.name for job in plan.jobs] == ["a", "b"]
    assert (plan.drives, plan.pool) == ((), "library")
    policy = policy_stand_in("backup", "weekly", "uid")
    assert (policy.metadata.namespace, policy.metadata.name, policy.metadata.uid) == (
        "backup",
        "weekly",
        "uid",
    )
    assert policy.spec.window is None
    assert (plan.pod.spec.retries, plan.pod.overrides) == (0, None)
