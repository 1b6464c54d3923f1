"""The session of an adaptive policy: its CronJob, its Job, and the Jobs of its objects.

The session's own Job never has a pod: `managedBy` makes Kubernetes' Job controller leave it to the operator.
"""

from dataclasses import dataclass
from typing import Any

from flexlbf.api.v1alpha1 import BackupClassSpec, BackupPolicy, PodOverrides
from flexlbf.manifests.cronjob import (
    API_VERSION,
    annotated_pod_template,
    cron_job_settings,
    owners,
    stream_annotations,
    stream_labels,
    time_limits,
)
from flexlbf.manifests.names import (
    ANNOTATION_ATTEMPT,
    ANNOTATION_RUN_TOKEN,
    LABEL_MANAGED_BY,
    LABEL_POLICY,
    LABEL_ROLE,
    LABEL_SESSION,
    MANAGER,
    ROLE_SESSION,
    SESSION_MANAGER,
    label_value,
    manual_session_name,
    object_job_name,
    session_cron_job_name,
)
from flexlbf.manifests.pod import Stream


@dataclass(frozen=True, slots=True)
class SessionSize:
    """How many objects a session backs up, and how many at a time at the most: what its Job shows."""

    objects: int
    parallelism: int


@dataclass(frozen=True, slots=True)
class SessionJob:
    """The Job that is a session, by its identity."""

    namespace: str
    name: str
    uid: str


def session_cron_job(policy: BackupPolicy, spec: BackupClassSpec, size: SessionSize) -> dict[str, Any]:
    """The CronJob that begins a policy's sessions, as it is applied."""
    return {
        "apiVersion": API_VERSION,
        "kind": "CronJob",
        "metadata": {
            "name": session_cron_job_name(policy.metadata.name),
            "namespace": policy.metadata.namespace,
            "labels": _labels(policy),
            **owners(policy),
        },
        "spec": {
            **cron_job_settings(policy, spec),
            "schedule": policy.spec.schedule,
            "jobTemplate": _job_template(policy, spec, size),
        },
    }


def manual_session_job(
    policy: BackupPolicy, spec: BackupClassSpec, size: SessionSize, token: str
) -> dict[str, Any]:
    """The Job of a session that a run token asks for."""
    template = _job_template(policy, spec, size)
    return {
        "apiVersion": API_VERSION,
        "kind": "Job",
        "metadata": {
            **template["metadata"],
            "name": manual_session_name(policy.metadata.name, token),
            "namespace": policy.metadata.namespace,
            "annotations": {ANNOTATION_RUN_TOKEN: token},
            **owners(policy),
        },
        "spec": template["spec"],
    }


def object_job(
    spec: BackupClassSpec, overrides: PodOverrides | None, session: SessionJob, stream: Stream, attempt: int
) -> dict[str, Any]:
    """The Job of one object in a session, by a class that was found to allow the overrides and the source.

    It has no time to live of its own: what became of it is recorded first, and then the operator deletes it.
    """
    labels = {**stream_labels(stream), LABEL_SESSION: label_value(session.name)}
    annotations = {**stream_annotations(stream), ANNOTATION_ATTEMPT: str(attempt)}
    limits = {key: value for key, value in time_limits(spec).items() if key == "activeDeadlineSeconds"}
    owner = {
        "apiVersion": API_VERSION,
        "kind": "Job",
        "name": session.name,
        "uid": session.uid,
        "controller": True,
        "blockOwnerDeletion": False,
    }
    return {
        "apiVersion": API_VERSION,
        "kind": "Job",
        "metadata": {
            "name": object_job_name(session.name, session.uid, stream.obj, attempt),
            "namespace": session.namespace,
            "labels": labels,
            "annotations": annotations,
            "ownerReferences": [owner],
        },
        "spec": {
            # The dispatcher tries again, in the scheduler's order and when a drive has room for it.
            "backoffLimit": 0,
            "podReplacementPolicy": "Failed",
            **limits,
            "template": annotated_pod_template(spec, overrides, stream, labels, annotations),
        },
    }


def _labels(policy: BackupPolicy) -> dict[str, str]:
    return {
        LABEL_MANAGED_BY: MANAGER,
        LABEL_ROLE: ROLE_SESSION,
        LABEL_POLICY: label_value(policy.metadata.name),
    }


def _job_template(policy: BackupPolicy, spec: BackupClassSpec, size: SessionSize) -> dict[str, Any]:
    limits = {key: value for key, value in time_limits(spec).items() if key == "ttlSecondsAfterFinished"}
    labels = _labels(policy)
    return {
        "metadata": {"labels": labels},
        "spec": {
            "managedBy": SESSION_MANAGER,
            "completions": max(size.objects, 1),
            "parallelism": max(size.parallelism, 1),
            **limits,
            "template": {"metadata": {"labels": labels}, "spec": _no_pod(spec)},
        },
    }


def _no_pod(spec: BackupClassSpec) -> dict[str, Any]:
    """A Job has to have a template; no pod is ever made of this one."""
    image = spec.pod_template.pod_spec()["containers"][0].get("image") or "none"
    return {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [
            {
                "name": "session",
                "image": image,
                "command": ["false"],
                "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
            }
        ],
    }
