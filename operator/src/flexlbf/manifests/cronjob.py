"""The CronJob that backs one object up at its planned start, and what all emitted Jobs have in common."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from flexlbf.api.durations import format_duration
from flexlbf.api.v1alpha1 import BackupClassSpec, BackupPolicy, PodOverrides
from flexlbf.manifests.names import (
    ANNOTATION_HOST,
    ANNOTATION_OBJECT,
    ANNOTATION_OFFSET,
    ANNOTATION_RATE,
    ANNOTATION_SET,
    LABEL_BACKUP_SET,
    LABEL_DRIVE,
    LABEL_MANAGED_BY,
    LABEL_POLICY,
    LABEL_POOL,
    LABEL_ROLE,
    MANAGER,
    ROLE_OBJECT,
    cron_job_name,
    label_value,
)
from flexlbf.manifests.pod import Stream, pod_template
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE

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
    labels = stream_labels(start.stream)
    annotations = {
        **stream_annotations(start.stream),
        ANNOTATION_OFFSET: format_offset(start.offset),
    }
    job_spec = {
        "backoffLimit": spec.retries,
        **time_limits(spec),
        "template": annotated_pod_template(
            spec, policy.spec.pod_overrides, start.stream, labels, annotations
        ),
    }
    template = {"metadata": {"labels": labels, "annotations": annotations}, "spec": job_spec}
    return {
        "apiVersion": API_VERSION,
        "kind": "CronJob",
        "metadata": {
            "name": start.cron_job,
            "namespace": policy.metadata.namespace,
            "labels": labels,
            "annotations": annotations,
            **owners(policy),
        },
        "spec": {**cron_job_settings(policy, spec), "schedule": start.schedule, "jobTemplate": template},
    }


def cron_job_settings(policy: BackupPolicy, spec: BackupClassSpec) -> dict[str, Any]:
    """What all CronJobs of a policy have in common."""
    return {
        "timeZone": policy.spec.time_zone,
        "suspend": policy.spec.suspend,
        "concurrencyPolicy": "Forbid",
        "startingDeadlineSeconds": spec.starting_deadline.whole_seconds,
        "successfulJobsHistoryLimit": spec.successful_jobs_history_limit,
        "failedJobsHistoryLimit": spec.failed_jobs_history_limit,
    }


def stream_labels(stream: Stream) -> dict[str, str]:
    """By these a stream is counted towards its drive, whoever started it."""
    return {
        LABEL_MANAGED_BY: MANAGER,
        LABEL_ROLE: ROLE_OBJECT,
        LABEL_POLICY: label_value(stream.policy),
        LABEL_BACKUP_SET: label_value(stream.backup_set),
        LABEL_POOL: label_value(stream.pool),
        LABEL_DRIVE: stream.drive,
    }


def stream_annotations(stream: Stream) -> dict[str, str]:
    """The object and its set, and the rate in bytes a second that it is planned with."""
    return {
        ANNOTATION_OBJECT: stream.obj,
        ANNOTATION_SET: stream.backup_set,
        ANNOTATION_RATE: format_rate(stream.rate),
        **({ANNOTATION_HOST: stream.host} if stream.host else {}),
    }


def annotated_pod_template(
    spec: BackupClassSpec,
    overrides: PodOverrides | None,
    stream: Stream,
    labels: dict[str, str],
    annotations: dict[str, str],
) -> dict[str, Any]:
    """The stream's pod; ours win over the class's labels and annotations."""
    template = pod_template(spec, overrides, stream, labels)
    template["metadata"]["annotations"] = {**template["metadata"].get("annotations", {}), **annotations}
    return template


def time_limits(spec: BackupClassSpec) -> dict[str, Any]:
    """The fields of a Job's spec that end or remove it in time."""
    limits: dict[str, Any] = {}
    if spec.active_deadline:
        limits["activeDeadlineSeconds"] = spec.active_deadline.whole_seconds
    if spec.ttl_after_finished:
        limits["ttlSecondsAfterFinished"] = spec.ttl_after_finished.whole_seconds
    return limits


def owners(policy: BackupPolicy) -> dict[str, Any]:
    """The owner of what is emitted; a plan made from files has no policy in a cluster that could own."""
    return {"ownerReferences": [owner_reference(policy)]} if policy.metadata.uid else {}


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


def format_rate(rate: int) -> str:
    """Micro-bytes a second as bytes a second, exactly: `8000000`, `2666666.666667`."""
    whole, rest = divmod(rate, MICROBYTES_PER_BYTE)
    return f"{whole}.{rest:06d}".rstrip("0") if rest else str(whole)


def parse_rate(text: str) -> int:
    """The reverse of `format_rate`; raises ValueError."""
    try:
        rate = int(Decimal(text).scaleb(6))
    except (InvalidOperation, OverflowError) as error:
        raise ValueError(f"{text!r} is no rate in bytes a second") from error
    if rate < 0:
        raise ValueError(f"{text!r} is a rate below 0")
    return rate
