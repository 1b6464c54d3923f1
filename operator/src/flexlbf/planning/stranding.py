"""Sessions that can't go on as things are: until when somebody may mend that, and what then is left out."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError

from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy, Condition, ConditionStatus, ConditionType
from flexlbf.planning.findings import LED_BY_NOBODY, Finding
from flexlbf.planning.plan import CheckedPod, SessionPlan
from flexlbf.planning.snapshot import RawObject
from flexlbf.scheduling import FlexLBF, Job

PATIENCE = timedelta(minutes=15)
"""So long a session without a window, or whose window has ended, waits for its policy to be mended."""

_SPEC: dict[str, Any] = {"schedule": "0 0 * * *", "backupSets": {"names": ["gone"]}, "tapePool": "gone"}
_POD: dict[str, Any] = {"spec": {"containers": [{"name": "none", "image": "none"}]}}


def given_up_at(why: Finding, since: datetime, window_end: datetime | None) -> datetime:
    """When a session that can't go on since an instant is given up.

    It waits until its window ends, for it would have gone on until then; without a window, or after it, a
    while. Who has deleted the policy, or what ties the session to it, wants nothing of it any more.
    """
    if why.reason in LED_BY_NOBODY:
        return since
    return window_end if window_end and window_end > since else since + PATIENCE


def stalled_since(policy: RawObject) -> datetime | None:
    """Since when a policy can't be planned, by its own status: restarts of the operator do not count."""
    for raw in (policy.get("status") or {}).get("conditions") or ():
        if raw.get("type") == ConditionType.STALLED:
            try:
                condition = Condition.read(raw)
            except ValidationError:
                return None
            return condition.last_transition_time if condition.status is ConditionStatus.TRUE else None
    return None


def policy_stand_in(namespace: str, name: str, uid: str | None) -> BackupPolicy:
    """A policy that says nothing but who it is, in the place of one that can't be read or is gone."""
    metadata = {"namespace": namespace, "name": name, "uid": uid}
    return BackupPolicy.read({"metadata": metadata, "spec": {**_SPEC, "backupClass": "gone"}})


def _class_stand_in() -> BackupClass:
    """A class in the place of one that is gone: nothing is tried again, and no pod is made by it."""
    return BackupClass.read({"metadata": {"name": "gone"}, "spec": {"podTemplate": _POD, "retries": 0}})


def plan_stand_in(
    pool: str, backup_sets: Iterable[RawObject], backup_class: BackupClass | None
) -> SessionPlan:
    """A plan of what the sets that are there name, on no drive, in the place of one that there is not.

    The class, if there is one, only says how often is tried again and how many Jobs are kept: no pod is made.
    """
    objects = (each for one in backup_sets for each in (one.get("spec") or {}).get("objects") or ())
    names = sorted({str(each["name"]) for each in objects if each.get("name")})
    jobs = tuple(Job(name, 1, 1) for name in names)
    pod = CheckedPod((backup_class or _class_stand_in()).spec, None)
    return SessionPlan(jobs, FlexLBF(), (), {}, {}, 0, pool, pod)
