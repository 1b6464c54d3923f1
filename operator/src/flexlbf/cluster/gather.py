"""Observe: everything that the plan of one policy depends on, as one frozen snapshot."""

from collections.abc import Mapping
from typing import Any

from flexlbf.cluster.client import ApiError, KubeClient
from flexlbf.cluster.resources import CONFIG_MAPS
from flexlbf.cluster.state import ClusterState, Key, key_of
from flexlbf.planning.snapshot import PolicySnapshot, RawObject, history_config_maps

Fingerprint = tuple[tuple[str, ...], ...]
"""Identities and versions of all that a snapshot holds: equal fingerprints, equal snapshots."""


class Gatherer:
    """Takes snapshots; reads the ConfigMaps that they need, once a version."""

    def __init__(self, client: KubeClient, state: ClusterState) -> None:
        self._client = client
        self._state = state
        self._contents: dict[Key, tuple[str, Mapping[str, str]]] = {}

    async def gather(
        self, policy: RawObject, also_underway: frozenset[str] = frozenset()
    ) -> tuple[PolicySnapshot, Fingerprint]:
        """The snapshot of a policy as things are now; raises ApiError if a ConfigMap can't be read.

        Args:
            policy: as it was read.
            also_underway: sessions that have not ended, besides those that the state knows of.
        """
        namespace = key_of(policy).namespace
        sets = self._state.sets_of(policy)
        wanted = sorted({name for each in sets if (name := history_config_maps(each))})
        found: dict[str, tuple[str, Mapping[str, str]]] = {}
        for name in wanted:
            content = await self._content(Key(namespace, name))
            if content:
                found[name] = content
        self._forget_others(namespace)
        underway = self._state.sessions_underway(namespace) | also_underway
        counted = {each["metadata"]["name"]: self._state.histories.counted(each, underway) for each in sets}
        snapshot = PolicySnapshot(
            policy={key: policy[key] for key in ("apiVersion", "kind", "metadata", "spec") if key in policy},
            backup_sets=tuple(sets),
            tape_pool=self._state.pool_of(policy),
            backup_class=self._state.class_of(policy),
            config_maps={name: data for name, (_, data) in found.items()},
            namespace_labels=self._state.namespaces.get(namespace, {}),
            histories={name: runs for name, (runs, _) in counted.items() if runs},
        )
        recorded = [(name, digest) for name, (_, digest) in sorted(counted.items()) if digest]
        return snapshot, (*_fingerprint(snapshot, found), *recorded)

    def _forget_others(self, namespace: str) -> None:
        """Drop the contents of ConfigMaps that no set of the namespace names any more."""
        held = [key for key in self._contents if key.namespace == namespace]
        named = {history_config_maps(each) for each in self._state.sets_in(namespace)} if held else set()
        for key in held:
            if key.name not in named:
                del self._contents[key]

    async def _content(self, key: Key) -> tuple[str, Mapping[str, str]] | None:
        """The version and the data of a ConfigMap, None if there is none."""
        version = self._state.config_maps.get(key)
        if version is None:
            self._contents.pop(key, None)
            return None
        known = self._contents.get(key)
        if known is None or known[0] != version:
            try:
                raw = await self._client.get(CONFIG_MAPS, key.name, key.namespace)
            except ApiError as error:
                if error.not_found:
                    return None
                raise
            known = self._contents[key] = raw["metadata"]["resourceVersion"], raw.get("data") or {}
        return known


def _fingerprint(snapshot: PolicySnapshot, config_maps: Mapping[str, tuple[str, Any]]) -> Fingerprint:
    """Generations count changes of specs only, so a write of our own to a status changes nothing here."""
    parts = [snapshot.policy, snapshot.tape_pool, snapshot.backup_class]
    sets = sorted(snapshot.backup_sets, key=lambda each: str(each["metadata"]["name"]))
    versions = [_version(each) for each in (*parts, *sets)]
    histories = [(name, version) for name, (version, _) in sorted(config_maps.items())]
    return (*versions, *histories, *sorted(snapshot.namespace_labels.items()))


def _version(raw: RawObject | None) -> tuple[str, ...]:
    if raw is None:
        return ()
    return str(raw["metadata"]["uid"]), str(raw["metadata"].get("generation"))
