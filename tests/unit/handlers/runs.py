"""Jobs and pods as the API server has them, for tests of what is made of them."""

import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from flexlbf.api.timestamps import format_timestamp
from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy, Source
from flexlbf.cluster.runs import ObservedJob, ObservedPod
from flexlbf.handlers.livesession import SessionRun
from flexlbf.planning.plan import CheckedPod, Origin, SessionPlan
from flexlbf.scheduling import FlexLBF, Host, Job, equal_drives
from support.resources import Raw, a_class, a_policy

NIGHT = datetime(2026, 1, 9, 22, tzinfo=UTC)
_versions = itertools.count(1)


def session_job(name: str = "weekly-1", *, uid: str | None = None, **status: Any) -> ObservedJob:
    """A session's Job, owned by the policy `weekly`."""
    return ObservedJob.of(
        {
            "metadata": {
                **_identity(name, uid or f"uid-{name}"),
                "labels": {"flexlbf.io/role": "session", "flexlbf.io/policy": "weekly"},
                "ownerReferences": [_owner("BackupPolicy", "weekly", "uid-of-BackupPolicy-weekly")],
            },
            "spec": {"managedBy": "flexlbf.io/session"},
            "status": status,
        }
    )


def object_job(
    obj: str,
    *,
    session: str = "weekly-1",
    attempt: int = 1,
    drive: str = "lto-0",
    pool: str = "library",
    host: str | None = None,
    **status: Any,
) -> ObservedJob:
    """The Job of an object."""
    return ObservedJob.of(
        {
            "metadata": {
                **_identity(f"{obj}-{attempt}", f"uid-{session}-{obj}-{attempt}"),
                **_facts(obj, attempt, drive, pool, host),
                "ownerReferences": [_owner("Job", session, f"uid-{session}")],
            },
            "spec": {"backoffLimit": 0},
            "status": status,
        }
    )


def raw_pod(
    obj: str,
    phase: str,
    *,
    session: str = "weekly-1",
    attempt: int = 1,
    drive: str = "lto-0",
    seconds: int = 60,
    message: str = '{"bytes": 1000}',
) -> Raw:
    """The pod of an object's Job; one that has ended ran from the night's beginning for so long."""
    job = f"{obj}-{attempt}"
    raw: Raw = {
        "metadata": {
            **_identity(f"{job}-pod", f"uid-{session}-{job}-pod"),
            **_facts(obj, attempt, drive),
            "ownerReferences": [_owner("Job", job, f"uid-{session}-{job}")],
        },
        "status": {"phase": phase},
    }
    if phase in {"Succeeded", "Failed"}:
        ended = {
            "startedAt": format_timestamp(NIGHT),
            "finishedAt": format_timestamp(NIGHT + timedelta(seconds=seconds)),
            "message": message,
        }
        raw["status"]["containerStatuses"] = [{"name": "agent", "state": {"terminated": ended}}]
    return raw


def pod(obj: str, phase: str, **how: Any) -> ObservedPod:
    """The same as it is observed."""
    return ObservedPod.of(raw_pod(obj, phase, **how))


def a_session(
    objects: str = "abc",
    retries: int = 1,
    *,
    name: str = "weekly-1",
    seconds: float = 60,
    agents: int = 2,
    host: Host | None = None,
    **policy: Any,
) -> SessionRun:
    """A session of objects that take a minute each, on the one drive `lto-0`."""
    jobs = tuple(replace(Job.of(each, seconds, 1), host=host) for each in objects)
    origins = {each: Origin("fleet", Source(value=each)) for each in objects}
    drives = (replace(equal_drives(1, 80, agents)[0], name="lto-0"),)
    read_class = BackupClass.read(a_class().setting(retries=retries).observed())
    pod = CheckedPod(read_class.spec, None)
    plan = SessionPlan(jobs, FlexLBF(), drives, {"lto-0": None}, origins, 0, "library", pod)
    read_policy = BackupPolicy.read(a_policy().setting(**policy).observed("backup"))
    return SessionRun(session_job(name), read_policy, plan, NIGHT)


def ended(kind: str) -> dict[str, Any]:
    """The status of a Job that is `Complete` or `Failed`."""
    return {"conditions": [{"type": kind, "status": "True"}]}


def _identity(name: str, uid: str) -> Raw:
    return {
        "name": name,
        "namespace": "backup",
        "uid": uid,
        "resourceVersion": str(next(_versions)),
        "creationTimestamp": format_timestamp(NIGHT),
    }


def _facts(obj: str, attempt: int, drive: str, pool: str = "library", host: str | None = None) -> Raw:
    return {
        "labels": {
            "flexlbf.io/role": "object",
            "flexlbf.io/policy": "weekly",
            "flexlbf.io/pool": pool,
            "flexlbf.io/drive": drive,
        },
        "annotations": {
            "flexlbf.io/object": obj,
            "flexlbf.io/backup-set": "fleet",
            "flexlbf.io/rate": "1000000.5",
            "flexlbf.io/attempt": str(attempt),
            **({"flexlbf.io/host": host} if host else {}),
        },
    }


def _owner(kind: str, name: str, uid: str) -> Raw:
    return {"apiVersion": "any/v1", "kind": kind, "name": name, "uid": uid, "controller": True}
