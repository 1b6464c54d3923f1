"""Plan without a cluster: from resources as files hold them to what the operator would write."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy
from flexlbf.history.ledger import RecordedRun, merged
from flexlbf.manifests.backuphistory import read_shard
from flexlbf.planning.decide import examine
from flexlbf.planning.emitted import emitted
from flexlbf.planning.examined import Examined
from flexlbf.planning.plan import Plan
from flexlbf.planning.snapshot import PolicySnapshot, RawObject, history_config_maps, read, refers_to_set
from flexlbf.planning.status import ScheduleTimes, planned_status
from flexlbf.planning.times import next_session

Place = tuple[str, str, str]
"""Kind, namespace (empty for cluster-scoped kinds) and name."""

OWN_GROUP = "flexlbf.io/"
OWN_KINDS = frozenset({"TapePool", "BackupClass", "BackupSet", "BackupHistory", "BackupPolicy"})
CLUSTER_SCOPED = frozenset({"TapePool", "BackupClass", "Namespace"})


class DuplicateResourceError(ValueError):
    """One resource is given twice."""


@dataclass(frozen=True)
class PlannedPolicy:
    """A policy, its plan and what the operator would write for it."""

    examined: Examined
    policy: dict[str, Any]
    cron_jobs: tuple[dict[str, Any], ...]

    @property
    def plan(self) -> Plan:
        """What was decided."""
        return self.examined.plan

    @property
    def name(self) -> str:
        """Namespace and name."""
        metadata = self.policy["metadata"]
        return f"{metadata['namespace']}/{metadata['name']}"


@dataclass
class Fleet:
    """Resources of a cluster that need not exist."""

    resources: dict[Place, RawObject] = field(default_factory=dict)

    def add(self, raw: RawObject, default_namespace: str = "default") -> None:
        """Take in a resource of any kind; raises DuplicateResourceError."""
        metadata = raw.get("metadata") or {}
        kind, version = str(raw.get("kind")), str(raw.get("apiVersion"))
        if kind in OWN_KINDS and not version.startswith(OWN_GROUP):
            kind = f"{version}/{kind}"  # another's, of the same name
        namespace = "" if kind in CLUSTER_SCOPED else metadata.get("namespace") or default_namespace
        place = (kind, namespace, str(metadata.get("name")))
        if place in self.resources:
            raise DuplicateResourceError(f"{kind} {place[2]!r} is given twice: keep one of the two")
        placed = {**metadata, "namespace": namespace} if namespace else metadata
        self.resources[place] = {**raw, "metadata": placed}

    def policies(self) -> list[RawObject]:
        """All policies, by namespace and name."""
        return [raw for place, raw in sorted(self.resources.items()) if place[0] == "BackupPolicy"]

    def plan(self, policy: RawObject, now: datetime) -> PlannedPolicy:
        """What the operator would write for a policy at an instant."""
        examined = examine(self.snapshot(policy))
        plan = examined.plan
        spec = policy.get("spec") or {}
        runs = plan.cron_jobs and not spec.get("suspend")
        following = next_session(spec["schedule"], spec.get("timeZone") or "Etc/UTC", now) if runs else None
        times = ScheduleTimes(following=following)
        status = planned_status(policy, plan, times, cron_jobs=plan.cron_jobs, now=now)
        shown = {**{key: value for key, value in policy.items() if key != "status"}, "status": status}
        return PlannedPolicy(examined, shown, tuple(self._cron_jobs(policy, plan)))

    def snapshot(self, policy: RawObject) -> PolicySnapshot:
        """A policy and everything that it refers to."""
        namespace = policy["metadata"]["namespace"]
        spec = policy.get("spec") or {}
        sets = [raw for raw in self._of("BackupSet", namespace) if refers_to_set(policy, raw)]
        labels = self.resources.get(("Namespace", "", namespace), {}).get("metadata", {}).get("labels") or {}
        return PolicySnapshot(
            policy=policy,
            backup_sets=tuple(sets),
            tape_pool=self.resources.get(("TapePool", "", str(spec.get("tapePool")))),
            backup_class=self.resources.get(("BackupClass", "", str(spec.get("backupClass")))),
            config_maps=self.config_maps(namespace, sets),
            histories=self.histories(namespace, sets),
            namespace_labels={"kubernetes.io/metadata.name": namespace, **labels},
        )

    def _of(self, kind: str, namespace: str) -> Iterator[RawObject]:
        return (raw for place, raw in self.resources.items() if place[:2] == (kind, namespace))

    def config_maps(self, namespace: str, sets: Iterable[RawObject]) -> dict[str, Mapping[str, str]]:
        """The data of the ConfigMaps that sets of a namespace have their history from."""
        found = {}
        for name in {name for each in sets if (name := history_config_maps(each))}:
            raw = self.resources.get(("ConfigMap", namespace, name))
            if raw is not None:
                found[name] = raw.get("data") or {}
        return found

    def histories(
        self, namespace: str, sets: Iterable[RawObject]
    ) -> dict[str, dict[str, tuple[RecordedRun, ...]]]:
        """What was recorded of sets of a namespace: in files no session is underway."""
        shards = [read_shard(raw) for raw in self._of("BackupHistory", namespace)]
        names = [str(each["metadata"]["name"]) for each in sets]
        return {name: merged(shard for origin, shard in shards if origin == name) for name in names}

    def _cron_jobs(self, policy: RawObject, plan: Plan) -> Iterator[dict[str, Any]]:
        if not plan.cron_jobs:
            return
        parsed = read(BackupPolicy, policy)
        backup_class = read(BackupClass, self.resources["BackupClass", "", parsed.spec.backup_class])
        for each in emitted(parsed, backup_class, plan):
            yield each.build()
