"""What the administrator's class lets a policy do: checks that only planning can make."""

import posixpath
from collections.abc import Iterable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from flexlbf.api.v1alpha1 import (
    BackupClass,
    BackupPolicy,
    BackupPolicySpec,
    Override,
    PodOverrides,
    Source,
)
from flexlbf.planning.cron import CronError, CronSchedule
from flexlbf.planning.findings import Reason, Unplannable
from flexlbf.planning.workload import PlannableObject


def parse_schedule(spec: BackupPolicySpec) -> CronSchedule:
    """The policy's schedule; raises Unplannable if Kubernetes would refuse it."""
    try:
        return CronSchedule.parse(spec.schedule)
    except CronError as error:
        raise Unplannable(Reason.INVALID_SCHEDULE, f"spec.{error}") from error


def parse_time_zone(spec: BackupPolicySpec) -> ZoneInfo:
    """The policy's time zone; raises Unplannable if there is none of that name."""
    try:
        return ZoneInfo(spec.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Unplannable(
            Reason.UNKNOWN_TIME_ZONE,
            f"there is no time zone {spec.time_zone!r}: write an IANA name in spec.timeZone, such as "
            "Europe/Berlin or Etc/UTC",
        ) from error


def require_allowed_overrides(policy: BackupPolicy, backup_class: BackupClass) -> None:
    """Raise Unplannable if the policy sets of its pods what the class does not let it."""
    allowed = backup_class.spec.allowed_overrides
    refused = [each.value for each in overrides_used(policy.spec.pod_overrides) if each not in allowed]
    if refused:
        raise Unplannable(
            Reason.OVERRIDE_NOT_ALLOWED,
            f"BackupClass {backup_class.metadata.name!r} does not let a policy set {', '.join(refused)}: "
            "leave that out of spec.podOverrides or ask the class's administrator for allowedOverrides",
        )


def overrides_used(overrides: PodOverrides | None) -> Iterable[Override]:
    """What a policy sets of its pods."""
    if overrides is None:
        return ()
    used = {
        Override.RESOURCES: overrides.resources,
        Override.NODE_SELECTOR: overrides.node_selector,
        Override.TOLERATIONS: overrides.tolerations,
        Override.PRIORITY_CLASS_NAME: overrides.priority_class_name,
        Override.RATE_LIMIT: overrides.rate_limit,
    }
    return (override for override, value in used.items() if value is not None)


def require_allowed_sources(objects: Iterable[PlannableObject], backup_class: BackupClass) -> None:
    """Raise Unplannable for the first object whose data the class does not let a pod read."""
    for each in objects:
        refusal = _refusal(each.source, backup_class)
        if refusal:
            raise Unplannable(
                Reason.SOURCE_NOT_ALLOWED,
                f"object {each.job.name!r} of BackupSet {each.backup_set!r}: BackupClass "
                f"{backup_class.metadata.name!r} {refusal}",
            )


def _refusal(source: Source, backup_class: BackupClass) -> str | None:
    allowed = backup_class.spec.source
    if source.claim_name and not allowed.claims:
        return "allows no PersistentVolumeClaims: ask its administrator for source.claims"
    if source.host_path and not any(is_below(source.host_path, each) for each in allowed.host_paths):
        return (
            f"does not allow hostPath {source.host_path!r}: it takes paths below "
            f"{', '.join(allowed.host_paths) or 'none'}"
        )
    return None


def is_below(path: str, folder: str) -> bool:
    """Whether an absolute path is a folder or lies below it, `..` and doubled slashes resolved."""
    path, folder = _normal(path), _normal(folder)
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _normal(path: str) -> str:
    return "/" + posixpath.normpath(path).lstrip("/")
