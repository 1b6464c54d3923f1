"""What was read of the cluster, held in memory: a cache that is only ever filled from the API server."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from flexlbf.api.v1alpha1 import Execution
from flexlbf.cluster.historyindex import HistoryIndex
from flexlbf.cluster.index import CronJobIndex, Graveyard
from flexlbf.cluster.resources import (
    BACKUP_CLASSES,
    BACKUP_POLICIES,
    BACKUP_SETS,
    OWN_KINDS,
    TAPE_POOLS,
    Resource,
)
from flexlbf.planning.snapshot import RawObject, history_config_maps, refers_to_set


class Key(NamedTuple):
    """An object's name; the namespace is empty for cluster-scoped kinds."""

    namespace: str
    name: str

    def __str__(self) -> str:
        """As people write it."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


def key_of(raw: RawObject) -> Key:
    """The key of an object."""
    return Key(raw["metadata"].get("namespace") or "", raw["metadata"]["name"])


def spec_field(raw: RawObject, name: str) -> Any:
    """A field of an object's spec, None if it is absent."""
    return (raw.get("spec") or {}).get(name)


def _same(one: RawObject, other: RawObject) -> bool:
    return bool(one["metadata"]["uid"] == other["metadata"]["uid"])


def _version(raw: RawObject) -> int:
    return int(raw["metadata"]["resourceVersion"])


@dataclass
class ClusterState:
    """The cluster as last read.

    Attributes:
        objects: our own kinds, by kind and key.
        cron_jobs: our CronJobs.
        config_maps: the version of every ConfigMap; contents are read when a plan needs them.
        namespaces: the labels of every namespace.
        histories: what was recorded of the objects of every set.
        underway: the sessions of a policy that have not ended, those of its plan and those of the operator;
            what is recorded of them does not count yet.
    """

    objects: dict[Resource, dict[Key, RawObject]] = field(
        default_factory=lambda: {resource: {} for resource in OWN_KINDS}
    )
    cron_jobs: CronJobIndex = field(default_factory=CronJobIndex)
    config_maps: dict[Key, str] = field(default_factory=dict)
    namespaces: dict[str, Mapping[str, str]] = field(default_factory=dict)
    histories: HistoryIndex = field(default_factory=HistoryIndex)
    underway: dict[tuple[Key, Execution], frozenset[str]] = field(default_factory=dict)
    _gone: Graveyard = field(default_factory=Graveyard)

    def put(self, resource: Resource, raw: RawObject) -> bool:
        """Take in an object; False if it is not newer than what is known, or gone."""
        if raw["metadata"]["uid"] in self._gone or self.knows(resource, raw):
            return False
        self.objects[resource][key_of(raw)] = raw
        return True

    def knows(self, resource: Resource, raw: RawObject) -> bool:
        """Whether this version of an object, or a newer one, was taken in."""
        known = self.objects[resource].get(key_of(raw))
        return known is not None and _same(known, raw) and _version(raw) <= _version(known)

    def drop(self, resource: Resource, raw: RawObject) -> None:
        """Forget a deleted object, unless another has taken its name since."""
        self._gone.bury(raw["metadata"]["uid"])
        known = self.objects[resource].get(key_of(raw))
        if known is not None and _same(known, raw):
            del self.objects[resource][key_of(raw)]

    @property
    def policies(self) -> dict[Key, RawObject]:
        """All policies."""
        return self.objects[BACKUP_POLICIES]

    def sets_of(self, policy: RawObject) -> list[RawObject]:
        """The sets that a policy refers to and that are there."""
        return [each for each in self.sets_in(key_of(policy).namespace) if refers_to_set(policy, each)]

    def sets_in(self, namespace: str) -> list[RawObject]:
        """The sets of a namespace."""
        return [each for key, each in self.objects[BACKUP_SETS].items() if key.namespace == namespace]

    def pool_of(self, policy: RawObject) -> RawObject | None:
        """A policy's TapePool."""
        return self.objects[TAPE_POOLS].get(Key("", str(spec_field(policy, "tapePool"))))

    def class_of(self, policy: RawObject) -> RawObject | None:
        """A policy's BackupClass."""
        return self.objects[BACKUP_CLASSES].get(Key("", str(spec_field(policy, "backupClass"))))

    def affected_by(self, resource: Resource, raw: RawObject) -> Iterator[Key]:
        """The policies whose plan depends on an object of our own kinds."""
        if resource == BACKUP_POLICIES:
            yield key_of(raw)
        elif resource == BACKUP_SETS:
            namespace = key_of(raw).namespace
            yield from (
                key
                for key, policy in self.policies.items()
                if key.namespace == namespace and refers_to_set(policy, raw)
            )
        else:
            field_name = "tapePool" if resource == TAPE_POOLS else "backupClass"
            yield from self._naming(field_name, key_of(raw).name)

    def _naming(self, field_name: str, name: str) -> Iterator[Key]:
        return (key for key, policy in self.policies.items() if spec_field(policy, field_name) == name)

    def affected_by_config_map(self, config_map: Key) -> set[Key]:
        """The policies whose sets have their history from a ConfigMap."""
        affected: set[Key] = set()
        for key, each in self.objects[BACKUP_SETS].items():
            if key.namespace == config_map.namespace and history_config_maps(each) == config_map.name:
                affected.update(self.affected_by(BACKUP_SETS, each))
        return affected

    def sessions_underway(self, namespace: str) -> frozenset[str]:
        """The sessions of a namespace's policies that have not ended: they may share sets."""
        found = (names for (key, _), names in self.underway.items() if key.namespace == namespace)
        return frozenset().union(*found)

    def affected_by_history(self, backup_set: Key) -> set[Key]:
        """The policies whose plan depends on what was recorded of a set."""
        known = self.objects[BACKUP_SETS].get(backup_set)
        return set(self.affected_by(BACKUP_SETS, known)) if known else set()

    def affected_by_session(self, policy: Key) -> set[Key]:
        """The policies whose plan depends on what counts when a session of a policy has ended."""
        known = self.policies.get(policy)
        sets = self.sets_of(known) if known else []
        return {key for each in sets for key in self.affected_by(BACKUP_SETS, each)}

    def affected_by_namespace(self, namespace: str) -> Iterable[Key]:
        """The policies of a namespace."""
        return [key for key in self.policies if key.namespace == namespace]
