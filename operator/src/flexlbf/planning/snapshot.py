"""What is observed of the cluster for one policy: plain data, frozen, the only input of planning."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import ValidationError

from flexlbf.api.model import explain
from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy, BackupSet, LabelSelector, TapePool
from flexlbf.history.ledger import RecordedRun
from flexlbf.planning.findings import Reason, Unplannable

Model = TypeVar("Model", BackupPolicy, BackupSet, TapePool, BackupClass)

RawObject = Mapping[str, Any]
"""A resource as the API server or a file gives it."""

Histories = Mapping[str, Mapping[str, tuple[RecordedRun, ...]]]
"""The recorded runs that count, oldest first, by set and object."""


@dataclass(frozen=True)
class PolicySnapshot:
    """A policy and everything that it refers to, as read.

    Attributes:
        policy: the BackupPolicy.
        backup_sets: the sets that it refers to and that exist, in any order.
        tape_pool: its TapePool, None if there is none.
        backup_class: its BackupClass, None if there is none.
        config_maps: for each ConfigMap that a set's history comes from, its data; absent if there is none.
        namespace_labels: labels of the policy's namespace.
        histories: the runs that were recorded; those of sessions underway are not among them.
    """

    policy: RawObject
    backup_sets: tuple[RawObject, ...] = ()
    tape_pool: RawObject | None = None
    backup_class: RawObject | None = None
    config_maps: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    namespace_labels: Mapping[str, str] = field(default_factory=dict)
    histories: Histories = field(default_factory=dict)


@dataclass(frozen=True)
class Resources:
    """A snapshot's resources, parsed and all there."""

    policy: BackupPolicy
    backup_sets: tuple[BackupSet, ...]
    tape_pool: TapePool
    backup_class: BackupClass
    config_maps: Mapping[str, Mapping[str, str]]
    histories: Histories = field(default_factory=dict)


def refers_to_set(policy: RawObject, backup_set: RawObject) -> bool:
    """Whether a policy names or selects a set of its namespace; False if it is too broken to tell."""
    refs = _dig(policy, "spec", "backupSets") or {}
    metadata = backup_set.get("metadata") or {}
    if refs.get("names") is not None:
        return metadata.get("name") in refs["names"]
    try:
        selector = LabelSelector.read(refs.get("selector"))
    except ValidationError:
        return False
    return selector.matches(metadata.get("labels") or {})


def history_config_maps(backup_set: RawObject) -> str | None:
    """The name of the ConfigMap that a set's history comes from."""
    name = _dig(backup_set, "spec", "historyFrom", "configMap")
    return name if isinstance(name, str) else None


def resolve(snapshot: PolicySnapshot) -> Resources:
    """Parse a snapshot; raises Unplannable naming what is missing, not allowed or broken."""
    policy = read(BackupPolicy, snapshot.policy)
    sets = tuple(
        sorted((read(BackupSet, each) for each in snapshot.backup_sets), key=lambda each: each.metadata.name)
    )
    _require_sets(policy, sets)
    if snapshot.tape_pool is None:
        raise Unplannable(
            Reason.TAPE_POOL_NOT_FOUND,
            f"there is no TapePool {policy.spec.tape_pool!r}: create it or name another in spec.tapePool",
        )
    if snapshot.backup_class is None:
        raise Unplannable(
            Reason.BACKUP_CLASS_NOT_FOUND,
            f"there is no BackupClass {policy.spec.backup_class!r}: create it or name another in "
            "spec.backupClass",
        )
    pool, backup_class = read(TapePool, snapshot.tape_pool), read(BackupClass, snapshot.backup_class)
    for each in (pool, backup_class):
        _require_open(each, policy.metadata.namespace, snapshot.namespace_labels)
    return Resources(policy, sets, pool, backup_class, snapshot.config_maps, snapshot.histories)


def _require_open(offered: TapePool | BackupClass, namespace: str | None, labels: Mapping[str, str]) -> None:
    """Raise Unplannable if a pool or a class is not for the policy's namespace."""
    allowed = offered.spec.allowed_namespaces
    if allowed is not None and not allowed.matches(labels):
        raise Unplannable(
            Reason.NAMESPACE_NOT_ALLOWED,
            f"{offered.kind} {offered.metadata.name!r} does not allow namespace {namespace!r}: ask "
            "its administrator to select the namespace in spec.allowedNamespaces",
        )


def _require_sets(policy: BackupPolicy, sets: tuple[BackupSet, ...]) -> None:
    found = {each.metadata.name for each in sets}
    missing = [name for name in policy.spec.backup_sets.names or () if name not in found]
    if missing:
        raise Unplannable(
            Reason.BACKUP_SET_NOT_FOUND,
            f"there is no BackupSet {', '.join(map(repr, missing))} in namespace "
            f"{policy.metadata.namespace!r}: create it or take it out of spec.backupSets.names",
        )
    if not sets:
        raise Unplannable(
            Reason.BACKUP_SET_NOT_FOUND,
            f"spec.backupSets.selector selects no BackupSet in namespace {policy.metadata.namespace!r}: "
            "label one or change the selector",
        )


def read(model: type[Model], raw: RawObject) -> Model:
    """Parse a resource; raises Unplannable with what is wrong, field by field."""
    try:
        return model.read(raw)
    except ValidationError as error:
        name = _dig(raw, "metadata", "name")
        raise Unplannable(
            Reason.INVALID_RESOURCE, f"{model.__name__} {name!r}: {'; '.join(explain(error)[:3])}"
        ) from error


def _dig(raw: Any, *path: str) -> Any:
    for key in path:
        raw = raw.get(key) if isinstance(raw, Mapping) else None
    return raw
