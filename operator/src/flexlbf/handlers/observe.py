"""Observe: keeps `ClusterState` like the cluster, and asks for what has to be reconciled after a change."""

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, NamedTuple

from flexlbf.api.v1alpha1 import Execution
from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.historyindex import ObservedHistory
from flexlbf.cluster.observed import ObservedCronJob
from flexlbf.cluster.reflector import Reflector
from flexlbf.cluster.resources import (
    BACKUP_HISTORIES,
    BACKUP_POLICIES,
    CONFIG_MAPS,
    CRON_JOBS,
    NAMESPACES,
    OWN_KINDS,
    TAPE_POOLS,
    Resource,
)
from flexlbf.cluster.state import ClusterState, Key, key_of, spec_field
from flexlbf.handlers.workqueue import GATHER_SECONDS, WorkQueue
from flexlbf.manifests.names import LABEL_MANAGED_BY, MANAGER
from flexlbf.planning.snapshot import RawObject
from flexlbf.planning.status import session_start
from flexlbf.planning.times import session_of

logger = logging.getLogger(__name__)

RELIST_SECONDS = 600
"""Our own kinds are listed again this often, in case the framework lost an event."""


Kind = Literal["policy", "pool", "session", "settle"]


class Task(NamedTuple):
    """What is to be reconciled."""

    kind: Kind
    key: Key


_RECONCILED: dict[Resource, Kind] = {BACKUP_POLICIES: "policy", TAPE_POOLS: "pool"}


class Observer:
    """Feeds the state from kopf's events, from followed kinds, and from lists now and then.

    Attributes:
        heard: when each of our own kinds was last heard of, by its plural, as a Unix time.
    """

    def __init__(self, client: KubeClient, state: ClusterState, queue: WorkQueue[Task]) -> None:
        self._client = client
        self._state = state
        self._queue = queue
        self.heard: dict[str, float] = {}
        self._histories = Reflector(
            client,
            BACKUP_HISTORIES,
            read=state.histories.read,
            on_list=self.histories_listed,
            on_change=self.history_changed,
        )

    async def take_over(self) -> None:
        """Read the histories at their newest version: they say what of a session is done; raises ApiError."""
        await self._histories.relist()

    def reflectors(self) -> list[Reflector[Any]]:
        """Followers of the kinds that are many or not ours; of two kinds only the metadata are read."""
        return [
            self._histories,
            Reflector(
                self._client,
                CRON_JOBS,
                read=self._state.cron_jobs.read,
                on_list=self.cron_jobs_listed,
                on_change=self.cron_job_changed,
                labels=f"{LABEL_MANAGED_BY}={MANAGER}",
            ),
            Reflector(
                self._client,
                CONFIG_MAPS,
                read=lambda raw: (key_of(raw), raw["metadata"]["resourceVersion"]),
                on_list=self.config_maps_listed,
                on_change=self.config_map_changed,
                metadata_only=True,
            ),
            Reflector(
                self._client,
                NAMESPACES,
                read=lambda raw: (raw["metadata"]["name"], raw["metadata"].get("labels") or {}),
                on_list=self.namespaces_listed,
                on_change=self.namespace_changed,
                metadata_only=True,
            ),
        ]

    def ask(self, task: Task, delay: float = GATHER_SECONDS) -> None:
        """Ask for something to be reconciled, in a moment."""
        self._queue.add(task, delay)

    def ask_for_all(self) -> None:
        """Have every policy and every pool reconciled."""
        for resource, kind in _RECONCILED.items():
            for key in self._state.objects[resource]:
                self._queue.add(Task(kind, key))

    async def list_own_kinds(self) -> None:
        """Read all of our own kinds, and drop what is not there any more; raises ApiError."""
        for resource in OWN_KINDS:
            before: dict[Key, RawObject] = dict(self._state.objects[resource])
            async for items, _ in self._client.pages(resource):
                self.heard[resource.plural] = time.time()
                for raw in items:
                    before.pop(key_of(raw), None)
                    # Lists leave out what every item would repeat.
                    raw.setdefault("apiVersion", resource.api_version)
                    raw.setdefault("kind", KINDS[resource])
                    self.changed(resource, raw, deleted=False)
            for gone in before.values():
                self.changed(resource, gone, deleted=True)

    async def relist_for_ever(self) -> None:
        """List our own kinds every now and then."""
        while True:
            await asyncio.sleep(RELIST_SECONDS)
            try:
                await self.list_own_kinds()
            except Exception as error:  # noqa: BLE001 - the next round may do better
                logger.warning("Listing our kinds: %s", error)

    def changed(self, resource: Resource, raw: RawObject, *, deleted: bool) -> None:
        """An object of our own kinds changed."""
        self.heard[resource.plural] = time.time()
        if not deleted and self._state.knows(resource, raw):
            if resource == BACKUP_POLICIES:  # a status of our own writing, of which its pool has yet to tell
                self._pools_of(resource, raw)
            return
        before = self._state.objects[resource].get(key_of(raw))
        # What an old version was selected by counts too: a set may have lost the label that a policy wants.
        affected = set(self._state.affected_by(resource, before)) if before else set()
        if deleted:
            self._state.drop(resource, raw)
        elif not self._state.put(resource, raw):
            return
        affected |= set(self._state.affected_by(resource, raw))
        for key in affected:
            self._queue.add(Task("policy", key))
        self._pools_of(resource, before, raw)

    def _pools_of(self, resource: Resource, *versions: RawObject | None) -> None:
        """A pool's status tells of the pool and of all policies that use it."""
        for raw in filter(None, versions):
            if resource == TAPE_POOLS:
                self._queue.add(Task("pool", key_of(raw)))
            elif resource == BACKUP_POLICIES:
                pool = spec_field(raw, "tapePool")
                if isinstance(pool, str):
                    self._queue.add(Task("pool", Key("", pool)))

    def cron_jobs_listed(self, listed: list[ObservedCronJob], version: int) -> None:
        """All of our CronJobs were read as they were at a version; what is newer was written since."""
        gone = self._state.cron_jobs.places() - {(each.namespace, each.name) for each in listed}
        for each in listed:
            self.cron_job_changed(False, each)
        for namespace, name in gone:
            known = self._state.cron_jobs.get(namespace, name)
            if known and known.version <= version:
                self.cron_job_changed(True, known)

    def cron_job_changed(self, deleted: bool, each: ObservedCronJob) -> None:
        """A CronJob of ours changed: its policy is looked at if it may not be as planned any more."""
        if deleted:
            before = self._state.cron_jobs.get(each.namespace, each.name)
            if self._state.cron_jobs.drop(each.namespace, each.name, each.uid):
                self._ask_for_owner(each, before)
            return
        before = self._state.cron_jobs.put(each)
        if before is None or before.digest != each.digest or self._began_a_session(each):
            self._ask_for_owner(each, before)

    def _ask_for_owner(self, *versions: ObservedCronJob | None) -> None:
        """Also for the one that it had before: who takes a CronJob from its policy has it put right, too."""
        for each in filter(None, versions):
            if each.owner_name:
                self._queue.add(Task("policy", Key(each.namespace, each.owner_name)))

    def _began_a_session(self, each: ObservedCronJob) -> bool:
        """Whether it ran in a later session than the policy's status tells of."""
        policy = self._state.policies.get(Key(each.namespace, each.owner_name))
        if policy is None or each.last_schedule_time is None:
            return False
        known = session_start(policy)
        if known is not None and each.last_schedule_time <= known:
            return False
        start = _session_at(policy, each.last_schedule_time)
        return start is not None and (known is None or start > known)

    def histories_listed(self, listed: list[ObservedHistory], version: int) -> None:
        """All histories were read as they were at a version."""
        for each in self._state.histories.listed(listed, version):
            self.history_recorded(Key(*each.set_place))

    def history_changed(self, deleted: bool, each: ObservedHistory) -> None:
        """A history changed, and not by a write of ours, of which the state has told by itself."""
        index = self._state.histories
        if index.drop(each) if deleted else index.put(each):
            self.history_recorded(Key(*each.set_place))

    def history_recorded(self, backup_set: Key, sessions: frozenset[str] | None = None) -> None:
        """Something was recorded of a set; what was in sessions that are underway does not count yet."""
        if sessions is None or sessions - self._state.sessions_underway(backup_set.namespace):
            for key in self._state.affected_by_history(backup_set):
                self._queue.add(Task("policy", key))

    def sessions_changed(self, policy: Key, execution: Execution, underway: frozenset[str]) -> None:
        """The sessions of a policy that are underway, of its plan or of the operator.

        Whoever runs them tells; what those recorded that have ended counts from then on.
        """
        before = self._state.underway.pop((policy, execution), frozenset())
        if underway:
            self._state.underway[policy, execution] = underway
        if before - underway:
            for key in self._state.affected_by_session(policy):
                self._queue.add(Task("policy", key))

    def config_maps_listed(self, listed: list[tuple[Key, str]], _version: int) -> None:
        """The versions of all ConfigMaps were read."""
        for key in set(self._state.config_maps) - {key for key, _ in listed}:
            self.config_map_changed(True, (key, ""))
        for each in listed:
            self.config_map_changed(False, each)

    def config_map_changed(self, deleted: bool, each: tuple[Key, str]) -> None:
        """A ConfigMap changed; most are nobody's history."""
        key, version = each
        if deleted:
            self._state.config_maps.pop(key, None)
        elif self._state.config_maps.get(key) == version:
            return
        else:
            self._state.config_maps[key] = version
        for policy in self._state.affected_by_config_map(key):
            self._queue.add(Task("policy", policy))

    def namespaces_listed(self, listed: list[tuple[str, Mapping[str, str]]], _version: int) -> None:
        """The labels of all namespaces were read."""
        for name in set(self._state.namespaces) - {name for name, _ in listed}:
            del self._state.namespaces[name]
        for each in listed:
            self.namespace_changed(False, each)

    def namespace_changed(self, deleted: bool, each: tuple[str, Mapping[str, str]]) -> None:
        """A namespace changed: a pool may allow it or not by its labels."""
        name, labels = each
        if deleted:
            self._state.namespaces.pop(name, None)
        elif self._state.namespaces.get(name) != labels:
            self._state.namespaces[name] = labels
            for policy in self._state.affected_by_namespace(name):
                self._queue.add(Task("policy", policy))


def session_begun(policy: RawObject, cron_jobs: Iterable[ObservedCronJob]) -> datetime | None:
    """When a policy's last session began, by its status and by its CronJobs."""
    ran = max((each.last_schedule_time for each in cron_jobs if each.last_schedule_time), default=None)
    found = (session_start(policy), _session_at(policy, ran))
    return max((each for each in found if each), default=None)


KINDS = dict(zip(OWN_KINDS, ("TapePool", "BackupClass", "BackupSet", "BackupPolicy"), strict=True))


def _session_at(policy: RawObject, ran: datetime | None) -> datetime | None:
    """The start of the session in which something of a policy ran."""
    spec = policy.get("spec") or {}
    if ran is None:
        return None
    return session_of(str(spec.get("schedule")), str(spec.get("timeZone") or "Etc/UTC"), ran)
