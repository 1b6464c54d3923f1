"""How resources are read, and how statuses are written."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from flexlbf.api.durations import format_duration
from flexlbf.api.model import explain
from flexlbf.api.quantities import format_bytes
from flexlbf.api.v1alpha1 import (
    Alternative,
    BackupClass,
    BackupPolicy,
    BackupPolicyStatus,
    BackupSet,
    Bound,
    ComparedTo,
    Comparison,
    Condition,
    ConditionStatus,
    LabelSelector,
    Objective,
    Recommendation,
    RestoreStretch,
    ScheduleStatus,
    TapePool,
    Workload,
    merge_conditions,
)
from unit.api.cases import BASES

MONDAY = datetime(2026, 1, 5, 12, tzinfo=UTC)


def test_fields_from_newer_versions_do_not_stop_the_operator():
    """A newer schema may have put fields anywhere."""
    pool = TapePool.read(
        {
            "metadata": {"name": "library", "managedFields": [], "newer": 1},
            "spec": {"newer": 1, "drives": [{"name": "lto", "count": 1, "maxThroughput": "80M", "newer": 1}]},
            "status": {"newer": 1},
            "newer": 1,
        }
    )
    assert pool.spec.drives[0].drive_names() == ("lto-0",)
    assert "newer" not in str(pool.to_api())


def test_only_the_names_of_the_api_are_read():
    """The API server would drop `max_agents`; a file that has it must not plan otherwise."""
    drive = {"name": "lto", "count": 1, "maxThroughput": "80M", "max_agents": 3}
    pool = TapePool.read({"metadata": {"name": "library"}, "spec": {"drives": [drive]}})
    assert pool.spec.drives[0].max_agents == 10


def test_another_kind_is_refused():
    """A file's kind decides which model reads it, and the model makes sure."""
    with pytest.raises(ValidationError) as refusal:
        BackupSet.read({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "spec": {}})
    assert [line.split(":")[0] for line in explain(refusal.value)] == ["apiVersion", "kind"]


def test_models_do_not_change():
    """A snapshot stays what was read."""
    policy = BackupPolicy.read({"metadata": {"name": "weekly"}, "spec": BASES["BackupPolicy"]})
    with pytest.raises(ValidationError, match="frozen"):
        policy.spec.suspend = True  # type: ignore[misc]


def test_a_pod_template_is_kept_as_written():
    """What the operator does not know of a pod is the administrator's own business."""
    spec = {
        "restartPolicy": "Never",
        "volumes": [{"name": "tmp", "emptyDir": {}}],
        "containers": [
            {"name": "backup", "args": ["$(FLEXLBF_OBJECT)"], "securityContext": {"runAsUser": 0}}
        ],
    }
    backup_class = BackupClass.read({"metadata": {"name": "a"}, "spec": {"podTemplate": {"spec": spec}}})
    assert backup_class.spec.pod_template.pod_spec() == spec


def test_a_status_is_written_as_the_design_shows_it():
    """Strings for people, integers for programs, nothing for what is not known."""
    status = BackupPolicyStatus(
        observed_generation=3,
        workload=Workload(
            objects=86,
            bytes=format_bytes(31e12),
            longest_object="fs07:/data",
            longest_duration=format_duration(15 * 3600 + 12 * 60),
        ),
        recommendation=Recommendation(
            drives=2,
            max_agents=4,
            duration=format_duration(75_120),
            lower_bound=format_duration(75_000),
            bound_by=Bound.LONGEST_OBJECT,
            restore_stretch=RestoreStretch(median=3.41, worst=11.0, worst_object="fs07:/data"),
            compared_to=ComparedTo(
                traditional=Comparison(duration="43h", saved_percent=51),
                lbf=Comparison(duration="31h45m", saved_percent=34),
            ),
            freed_drives=("lto-2", "lto-3"),
        ),
        alternatives=(
            Alternative(
                objective=Objective.WITHIN_PERCENT, percent=15, drives=1, max_agents=7, duration="23h40m"
            ),
        ),
        schedule=ScheduleStatus(
            cron_jobs=86, next_schedule_time=MONDAY, last_schedule_time=MONDAY - timedelta(7)
        ),
    )
    written = status.to_api()
    assert written == {
        "observedGeneration": 3,
        "workload": {
            "objects": 86,
            "bytes": "31T",
            "longestObject": "fs07:/data",
            "longestDuration": "15h12m",
            "unmeasured": 0,
        },
        "recommendation": {
            "drives": 2,
            "maxAgents": 4,
            "duration": "20h52m",
            "lowerBound": "20h50m",
            "boundBy": "LongestObject",
            "restoreStretch": {"median": 3.41, "worst": 11, "worstObject": "fs07:/data"},
            "comparedTo": {
                "traditional": {"duration": "43h", "savedPercent": 51},
                "lbf": {"duration": "31h45m", "savedPercent": 34},
            },
            "freedDrives": ["lto-2", "lto-3"],
        },
        "alternatives": [
            {"objective": "WithinPercent", "percent": 15, "drives": 1, "maxAgents": 7, "duration": "23h40m"}
        ],
        "schedule": {
            "cronJobs": 86,
            "nextScheduleTime": "2026-01-05T12:00:00Z",
            "lastScheduleTime": "2025-12-29T12:00:00Z",
        },
    }
    assert isinstance(written["alternatives"][0]["percent"], int)


def _condition(status: ConditionStatus, reason: str = "Planned") -> Condition:
    return Condition(type="Ready", status=status, reason=reason, last_transition_time=MONDAY)


def test_a_condition_keeps_its_time_until_its_status_changes():
    """`lastTransitionTime` tells since when, not when it was last looked at."""
    later = MONDAY + timedelta(hours=1, microseconds=5)
    before = (_condition(ConditionStatus.TRUE),)
    (same,) = merge_conditions(before, [_condition(ConditionStatus.TRUE, "Replanned")], now=later)
    (changed,) = merge_conditions(before, [_condition(ConditionStatus.FALSE)], now=later)
    (new,) = merge_conditions((), before, now=later)
    assert (same.last_transition_time, same.reason) == (MONDAY, "Replanned")
    assert changed.last_transition_time == new.last_transition_time == MONDAY + timedelta(hours=1)


@pytest.mark.parametrize(
    ("selector", "want"),
    [
        ({}, True),
        ({"matchLabels": {"tier": "gold"}}, True),
        ({"matchLabels": {"tier": "silver"}}, False),
        ({"matchLabels": {"other": ""}}, False),
        ({"matchExpressions": [{"key": "tier", "operator": "In", "values": ["gold", "silver"]}]}, True),
        ({"matchExpressions": [{"key": "other", "operator": "In", "values": ["gold"]}]}, False),
        ({"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["gold"]}]}, False),
        ({"matchExpressions": [{"key": "other", "operator": "NotIn", "values": ["gold"]}]}, True),
        ({"matchExpressions": [{"key": "tier", "operator": "Exists"}]}, True),
        ({"matchExpressions": [{"key": "tier", "operator": "DoesNotExist"}]}, False),
        ({"matchLabels": {"tier": "gold"}, "matchExpressions": [{"key": "x", "operator": "Exists"}]}, False),
    ],
)
def test_a_selector_selects_as_kubernetes_does(selector: dict[str, object], want: bool):
    """The command line selects from files what the operator selects from the cluster."""
    assert LabelSelector.read(selector).matches({"tier": "gold"}) is want
