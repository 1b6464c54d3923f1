"""A status keeps what was good, and changes its times only when something flips."""

from datetime import datetime, timedelta

import pytest

from flexlbf.api.v1alpha1 import BackupPolicyStatus
from flexlbf.planning.findings import Finding, Reason
from flexlbf.planning.plan import Plan
from flexlbf.planning.status import (
    ScheduleTimes,
    differs,
    planned_status,
    session_start,
    unfinished_status,
)
from support.resources import Raw, a_policy
from unit.planning.snapshots import NOW, Scene, with_status

LATER = NOW + timedelta(hours=1)
BROKEN = Plan.impossible(Finding(Reason.NO_HISTORY, "why"))


def status_of(policy: Raw, plan: Plan, now: datetime = NOW, times: ScheduleTimes | None = None) -> Raw:
    """The status for a plan that is carried out."""
    return planned_status(policy, plan, times or ScheduleTimes(), cron_jobs=len(plan.starts), now=now)


def times_of(status: Raw) -> dict[str, str]:
    """When each condition last flipped."""
    return {each["type"]: each["lastTransitionTime"] for each in status["conditions"]}


def statuses_of(status: Raw) -> dict[str, str]:
    """Whether each condition holds."""
    return {each["type"]: each["status"] for each in status["conditions"]}


@pytest.fixture
def policy() -> Raw:
    """A policy, not planned yet."""
    return a_policy().observed("backup")


@pytest.fixture
def good() -> Plan:
    """Its plan."""
    return Scene().plan()


def test_a_condition_keeps_its_time_until_it_flips(policy: Raw, good: Plan):
    """Another message or reason is no flip."""
    first = status_of(policy, good)
    again = status_of(
        with_status(policy, first), Scene(policy=a_policy().setting(suspend=True)).plan(), LATER
    )
    assert again["conditions"][0]["reason"] == "Suspended"
    assert times_of(again) == times_of(first)
    broken = status_of(with_status(policy, first), BROKEN, LATER)
    assert times_of(broken) == {
        "Ready": "2026-01-05T13:00:00Z",
        "Reconciling": "2026-01-05T12:00:00Z",
        "Stalled": "2026-01-05T13:00:00Z",
        "WindowFit": "2026-01-05T12:00:00Z",
        "Drifted": "2026-01-05T12:00:00Z",
    }


def test_the_same_plan_is_the_same_status_at_any_time(policy: Raw, good: Plan):
    """So nothing is written."""
    first = status_of(policy, good)
    assert not differs(status_of(with_status(policy, first), good, LATER), with_status(policy, first))


@pytest.mark.parametrize(
    ("plan", "want"),
    [
        (
            "good",
            {
                "Ready": "True",
                "Reconciling": "False",
                "Stalled": "False",
                "WindowFit": "Unknown",
                "Drifted": "Unknown",
            },
        ),
        ("broken", {"Ready": "False", "Reconciling": "False", "Stalled": "True", "WindowFit": "Unknown"}),
    ],
)
def test_conditions_follow_the_rules_of_kstatus(policy: Raw, good: Plan, plan: str, want: dict[str, str]):
    """Stalled and Reconciling are there when they should worry somebody, and never both."""
    status = status_of(policy, good if plan == "good" else BROKEN)
    assert statuses_of(status) == want
    assert status["observedGeneration"] == 1
    assert {each["observedGeneration"] for each in status["conditions"]} == {1}


def test_unfinished_work_is_reconciling(policy: Raw):
    """And keeps the figures of before, and what is known of the window."""
    first = status_of(policy, Scene(policy=a_policy().setting(window="8h")).plan())
    status = unfinished_status(with_status(policy, first), Finding(Reason.APPLYING, "writing"), now=LATER)
    assert statuses_of(status) == {
        "Ready": "False",
        "Reconciling": "True",
        "Stalled": "False",
        "WindowFit": "True",
        "Drifted": "Unknown",
    }
    for figure in ("workload", "recommendation", "alternatives", "schedule"):
        assert status[figure] == first[figure]


def test_the_figures_of_the_last_good_plan_are_kept(policy: Raw, good: Plan):
    """As its CronJobs are, which the message says; they go only with a plan that has others."""
    first = status_of(policy, good)
    broken = status_of(with_status(policy, first), BROKEN)
    for figure in ("workload", "recommendation", "alternatives"):
        assert broken[figure] == first[figure]
    assert broken["schedule"] == {"cronJobs": 0, "duration": "10m"}  # counted anew, as the times are
    assert broken["conditions"][0]["message"] == "why; the CronJobs of the last good plan stay"
    nothing = status_of(
        with_status(policy, broken), Scene(sets=(Scene().sets[0].setting(objects=[]),)).plan()
    )
    assert "recommendation" not in nothing


@pytest.mark.parametrize("mode", [None, "Recommend"], ids=["never-planned", "recommended-only"])
def test_no_cron_jobs_are_said_to_stay_where_there_are_none(policy: Raw, mode: str | None):
    """A message that is not true costs somebody an evening."""
    before = policy
    if mode:
        before = with_status(policy, status_of(policy, Scene(policy=a_policy().setting(mode=mode)).plan()))
    assert "stay" not in status_of(before, BROKEN)["conditions"][0]["message"]


def test_a_status_that_somebody_else_wrote_is_replaced(policy: Raw, good: Plan):
    """Conditions that can't be read, and such as nobody knows."""
    odd = {"conditions": [{"type": "Ready"}, {"type": "Mine", "status": "True"}, {}]}
    status = status_of(with_status(policy, odd), good)
    assert statuses_of(status).keys() == {"Ready", "Reconciling", "Stalled", "WindowFit", "Drifted"}


def test_a_message_is_never_longer_than_the_api_takes(policy: Raw):
    """It is cut rather than refused."""
    plan = Plan.impossible(Finding(Reason.INVALID_RESOURCE, "x" * 100_000))
    status = status_of(policy, plan)
    assert BackupPolicyStatus.read(status).to_api() == status


def test_the_schedule_tells_of_the_last_session_and_the_next(policy: Raw, good: Plan):
    """And what it tells of the last one is read back."""
    status = status_of(policy, good, times=ScheduleTimes(NOW, LATER))
    assert status["schedule"] == {
        "cronJobs": 1,
        "duration": "10m",
        "nextScheduleTime": "2026-01-05T13:00:00Z",
        "lastScheduleTime": "2026-01-05T12:00:00Z",
    }
    assert session_start(with_status(policy, status)) == NOW
    assert session_start(policy) is None
