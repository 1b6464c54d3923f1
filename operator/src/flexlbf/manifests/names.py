"""Names and labels of emitted objects: the same object has the same name from plan to plan."""

import hashlib
import re

CRON_JOB_NAME_LIMIT = 52
"""Kubernetes adds 11 characters for the names of a CronJob's Jobs."""

LABEL_LIMIT = 63
MANAGER = "flexlbf-operator"

LABEL_MANAGED_BY = "app.kubernetes.io/managed-by"
LABEL_POLICY = "flexlbf.io/policy"
LABEL_BACKUP_SET = "flexlbf.io/backup-set"
LABEL_DRIVE = "flexlbf.io/drive"
ANNOTATION_OBJECT = "flexlbf.io/object"
ANNOTATION_OFFSET = "flexlbf.io/planned-offset"

_DIGEST_LENGTH = 10
_PART_LENGTH = (CRON_JOB_NAME_LIMIT - _DIGEST_LENGTH - 2) // 2


def cron_job_name(policy: str, obj: str) -> str:
    """The name of an object's CronJob: readable, at most 52 characters, and told apart by a digest."""
    digest = _digest(f"{policy}\0{obj}")
    parts = [_slug(policy), _slug(obj), digest]
    return "-".join(part for part in parts if part)


def label_value(text: str) -> str:
    """A label value for a name that may be longer than the 63 characters a label takes."""
    if len(text) <= LABEL_LIMIT:
        return text
    kept = text[: LABEL_LIMIT - _DIGEST_LENGTH - 1].rstrip("-._")
    return f"{kept}-{_digest(text)}"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_PART_LENGTH].strip("-")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]
