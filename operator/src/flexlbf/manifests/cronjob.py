"""The CronJob that backs one object up at its planned start."""

from dataclasses import dataclass
from typing import Any

from flexlbf.api.durations import format_duration
from flexlbf.api.v1alpha1 import BackupClassSpec, BackupPolicy
from flexlbf.manifests.names import (
    ANNOTATION_OBJECT,
    ANNOTATION_OFFSET,
    LABEL_BACKUP_SET,
    LABEL_DRIVE,
    LABEL_MANAGED_BY,
    LABEL_POLICY,
    MANAGER,
    cron_job_name,
    label_value,
)
from flexlbf.manifests.pod import Stream, pod_template

API_VERSION = "batch/v1"


@dataclass(frozen=True, slots=True)
class PlannedStart:
    """When and where one object starts: `offset` minutes into the session, which is the cron `schedule`."""

    stream: Stream
    offset: int
    schedule: str

    @property
    def cron_job(self) -> str:
        """The name of the CronJob."""
        return cron_job_name(self.stream.policy, self.stream.obj)


def cron_job(policy: BackupPolicy, spec: BackupClassSpec, start: PlannedStart) -> dict[str, Any]:
    """The CronJob of one planned start, as it is applied: the fields that the operator owns."""
    labels = {
        LABEL_MANAGED_BY: MANAGER,
        LABEL_POLICY: label_value(policy.metadata.name),
        LABEL_BACKUP_SET: label_value(start.stream.backup_set),
        LABEL_DRIVE: start.stream.drive,
    }
    annotations = {
        ANNOTATION_OBJECT: start.stream.obj,
        ANNOTATION_OFFSET: format_offset(start.offset),
    }
    template = pod_template(spec, policy.spec.pod_overrides, start.stream, labels)
    template["metadata"]["annotations"] = {**template["metadata"].get("annotations", {}), **annotations}
    return {
        "apiVersion": API_VERSION,
        "kind": "CronJob",
        "metadata": {
            "name": start.cron_job,
            "namespace": policy.metadata.namespace,
            "labels": labels,
            "annotations": annotations,
            # A plan made from files has no policy in a cluster that could own anything.
            **({"ownerReferences": [owner_reference(policy)]} if policy.metadata.uid else {}),
        },
        "spec": {
            "schedule": start.schedule,
            "timeZone": policy.spec.time_zone,
            "suspend": policy.spec.suspend,
            "concurrencyPolicy": "Forbid",
            "startingDeadlineSeconds": spec.starting_deadline.whole_seconds,
            "successfulJobsHistoryLimit": spec.successful_jobs_history_limit,
            "failedJobsHistoryLimit": spec.failed_jobs_history_limit,
            "jobTemplate": {
                "metadata": {"labels": labels, "annotations": annotations},
                "spec": _job_spec(spec, template),
            },
        },
    }


def _job_spec(spec: BackupClassSpec, template: dict[str, Any]) -> dict[str, Any]:
    job: dict[str, Any] = {"backoffLimit": spec.retries, "template": template}
    if spec.active_deadline:
        job["activeDeadlineSeconds"] = spec.active_deadline.whole_seconds
    if spec.ttl_after_finished:
        job["ttlSecondsAfterFinished"] = spec.ttl_after_finished.whole_seconds
    return job


def owner_reference(policy: BackupPolicy) -> dict[str, Any]:
    """Lets Kubernetes delete what was emitted when the policy is deleted."""
    return {
        "apiVersion": policy.api_version,
        "kind": policy.kind,
        "name": policy.metadata.name,
        "uid": policy.metadata.uid or "",
        "controller": True,
        "blockOwnerDeletion": False,
    }


def format_offset(minutes: int) -> str:
    """Minutes into the session as `0m`, `45m` or `1h5m`."""
    return format_duration(minutes * 60) if minutes else "0m"
