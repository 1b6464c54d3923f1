"""Names and labels of emitted objects: the same object has the same name from plan to plan."""

import hashlib
import re
from datetime import datetime

CRON_JOB_NAME_LIMIT = 52
"""Kubernetes adds 11 characters for the names of a CronJob's Jobs."""

LABEL_LIMIT = 63
NAME_LIMIT = 253
MANAGER = "flexlbf-operator"

LABEL_MANAGED_BY = "app.kubernetes.io/managed-by"
LABEL_POLICY = "flexlbf.io/policy"
LABEL_BACKUP_SET = "flexlbf.io/backup-set"
LABEL_DRIVE = "flexlbf.io/drive"
LABEL_POOL = "flexlbf.io/pool"
LABEL_SESSION = "flexlbf.io/session"
LABEL_ROLE = "flexlbf.io/role"
ROLE_SESSION = "session"
ROLE_OBJECT = "object"
ANNOTATION_OBJECT = "flexlbf.io/object"
ANNOTATION_OFFSET = "flexlbf.io/planned-offset"
ANNOTATION_HOST = "flexlbf.io/host"
ANNOTATION_RATE = "flexlbf.io/rate"
ANNOTATION_ATTEMPT = "flexlbf.io/attempt"
ANNOTATION_SET = "flexlbf.io/backup-set"
ANNOTATION_RUN_TOKEN = "flexlbf.io/run-token"  # noqa: S105 - it asks for a session and opens nothing
SESSION_MANAGER = "flexlbf.io/session"
"""The `managedBy` of a session's Job: Kubernetes' own Job controller leaves it alone."""

JOB_NAME_LIMIT = 63
"""Pods are labelled with the name of their Job."""

_DIGEST_LENGTH = 10
_PART_LENGTH = (CRON_JOB_NAME_LIMIT - _DIGEST_LENGTH - 2) // 2


def cron_job_name(policy: str, obj: str) -> str:
    """The name of an object's CronJob: readable, at most 52 characters, and told apart by a digest."""
    digest = _digest(f"{policy}\0{obj}")
    parts = [_slug(policy), _slug(obj), digest]
    return "-".join(part for part in parts if part)


def session_cron_job_name(policy: str) -> str:
    """The name of the CronJob that begins a policy's sessions."""
    return cron_job_name(policy, "")


def manual_session_name(policy: str, token: str) -> str:
    """The name of the session Job that a run token asks for: one for each token."""
    digest = _digest(f"{policy}\0{token}")
    return f"{_slug(policy)}-run-{digest}"


def object_job_name(session: str, session_uid: str, obj: str, attempt: int) -> str:
    """The name of an object's Job: determined by the session, the object and the attempt."""
    digest = _digest(f"{session_uid}\0{obj}")
    suffix = digest if attempt == 1 else f"{digest}-{attempt}"
    room = JOB_NAME_LIMIT - len(suffix) - 2 - _PART_LENGTH
    parts = [_slug(session, room), _slug(obj), suffix]
    return "-".join(part for part in parts if part)


def label_value(text: str) -> str:
    """A label value for a name that may be longer than the 63 characters a label takes."""
    return _shortened(text, LABEL_LIMIT)


def history_name(backup_set: str, number: int) -> str:
    """The name of a shard of a set's history."""
    suffix = f"-{number}"
    return f"{_shortened(backup_set, NAME_LIMIT - len(suffix))}{suffix}"


def planned_session_name(policy: str, start: datetime) -> str:
    """The name of a session that no Job stands for, as the session Job that began then would be called."""
    return f"{session_cron_job_name(policy)}-{int(start.timestamp()) // 60}"


def managed_session_name(policy: str, uid: str) -> str:
    """What a session that the operator runs is called in the history; two Jobs of one name are two."""
    return f"{session_cron_job_name(policy)}-{uid[:8]}"


def is_session_of(policy: str, session: str) -> bool:
    """Whether a session is one of a policy's, by its name in the history."""
    return session.rpartition("-")[0] == session_cron_job_name(policy)


def _shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return f"{text[: limit - _DIGEST_LENGTH - 1].rstrip('-._')}-{_digest(text)}"


def _slug(text: str, length: int = _PART_LENGTH) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:length].strip("-")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]
