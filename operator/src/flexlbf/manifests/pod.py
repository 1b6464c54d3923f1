"""The pod of one backup: the administrator's template, what a user may set, and the object.

Whoever may create a policy must not gain a pod of his own making by it. So the user's share is first
narrowed to what the class allows, then the class's own fields are laid over it, and the operator's come
last. Nothing that a user writes is ever expanded: every `$` of his in an environment value is doubled.
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flexlbf.api.v1alpha1 import BackupClassSpec, PodOverrides, Source

SOURCE_VOLUME = "flexlbf-source"


@dataclass(frozen=True, slots=True)
class Stream:
    """What one pod is told of its backup.

    Attributes:
        obj: the object's name.
        backup_set: the set that it belongs to.
        policy: the policy.
        source: where the object's data is.
        drive: the drive's name in its pool.
        device: the drive's device, None if the pool names none.
        max_throughput: bytes a second that the drive sustains.
        pool: the drive's TapePool.
        rate: micro-bytes a second that the stream is planned with.
        host: the machine that sends it, None if the set names none.
    """

    obj: str
    backup_set: str
    policy: str
    source: Source
    drive: str
    device: str | None
    max_throughput: int
    pool: str
    rate: int
    host: str | None = None


def pod_template(
    spec: BackupClassSpec, overrides: PodOverrides | None, stream: Stream, labels: Mapping[str, str]
) -> dict[str, Any]:
    """The pod template of a stream's Job, with the labels given."""
    metadata = spec.pod_template.metadata.to_api() if spec.pod_template.metadata else {}
    pod = _merge(_user_share(overrides), spec.pod_template.pod_spec())
    container = _target(spec, pod)
    _give_resources(container, overrides)
    _give_environment(container, _environment(spec, overrides, stream))
    _mount_source(spec, stream.source, pod, container)
    pod.setdefault("restartPolicy", "Never")
    pod.setdefault("automountServiceAccountToken", False)
    # Always said: the API server copies it to the field's old name, from which it would come back when left
    # out, so that a class could never take an account back.
    account = pod.pop("serviceAccount", None) or "default"
    pod["serviceAccountName"] = spec.service_account_name or pod.get("serviceAccountName") or account
    metadata["labels"] = {**metadata.get("labels", {}), **labels}
    return {"metadata": metadata, "spec": pod}


def _user_share(overrides: PodOverrides | None) -> dict[str, Any]:
    """The part of a pod's spec that a user may set, container and environment aside."""
    if overrides is None:
        return {}
    share = overrides.to_api()
    return {key: share[key] for key in ("nodeSelector", "tolerations", "priorityClassName") if key in share}


def _merge(user: Mapping[str, Any], administrator: Mapping[str, Any]) -> dict[str, Any]:
    """Both, the administrator's winning; of lists that both have, both parts."""
    merged = copy.deepcopy({**user, **administrator})
    for key in user.keys() & administrator.keys():
        if isinstance(user[key], Mapping):
            merged[key] = _merge(user[key], administrator[key])
        elif isinstance(user[key], list):
            merged[key] = [*copy.deepcopy(administrator[key]), *copy.deepcopy(user[key])]
    return merged


def _target(spec: BackupClassSpec, pod: dict[str, Any]) -> dict[str, Any]:
    containers: list[dict[str, Any]] = pod["containers"]
    return next((each for each in containers if each["name"] == spec.container), containers[0])


def _give_resources(container: dict[str, Any], overrides: PodOverrides | None) -> None:
    if overrides and overrides.resources:
        container["resources"] = _merge(overrides.resources.to_api(), container.get("resources") or {})


def _environment(
    spec: BackupClassSpec, overrides: PodOverrides | None, stream: Stream
) -> dict[str, str | None]:
    source = stream.source
    volume = source.claim_name or source.host_path
    return {
        "FLEXLBF_OBJECT": stream.obj,
        "FLEXLBF_BACKUP_SET": stream.backup_set,
        "FLEXLBF_POLICY": stream.policy,
        "FLEXLBF_SOURCE": source.value or volume,
        "FLEXLBF_SOURCE_PATH": spec.source.mount_path if volume else None,
        "FLEXLBF_DRIVE": stream.drive,
        "FLEXLBF_DEVICE": stream.device,
        "FLEXLBF_MAX_THROUGHPUT": str(stream.max_throughput),
        "FLEXLBF_RATE_LIMIT": str(overrides.rate_limit) if overrides and overrides.rate_limit else None,
    }


def _give_environment(container: dict[str, Any], values: Mapping[str, str | None]) -> None:
    """Put the operator's variables first, so that the class's own may refer to them; none twice."""
    ours = [{"name": name, "value": _literal(value)} for name, value in values.items() if value is not None]
    names = {each["name"] for each in ours}
    container["env"] = [*ours, *(each for each in container.get("env") or () if each["name"] not in names)]


def _literal(text: str) -> str:
    """A value in which Kubernetes finds no `$(VARIABLE)` to expand."""
    return text.replace("$", "$$")


def _mount_source(
    spec: BackupClassSpec, source: Source, pod: dict[str, Any], container: dict[str, Any]
) -> None:
    if source.claim_name:
        volume = {"persistentVolumeClaim": {"claimName": source.claim_name, "readOnly": True}}
    elif source.host_path:
        volume = {"hostPath": {"path": source.host_path, "type": "Directory"}}
    else:
        return
    pod.setdefault("volumes", []).append({"name": SOURCE_VOLUME, **volume})
    mount = {"name": SOURCE_VOLUME, "mountPath": spec.source.mount_path, "readOnly": True}
    container.setdefault("volumeMounts", []).append(mount)
