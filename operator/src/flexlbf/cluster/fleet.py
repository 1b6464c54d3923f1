"""A cluster's resources as a fleet that can be planned offline: what is there, for a person to look at."""

from collections.abc import Collection, Iterable
from typing import Any

from flexlbf.cluster.client import ApiError
from flexlbf.cluster.person import PersonClient
from flexlbf.cluster.resources import (
    BACKUP_CLASSES,
    BACKUP_HISTORIES,
    BACKUP_POLICIES,
    BACKUP_SETS,
    CONFIG_MAPS,
    NAMESPACES,
    TAPE_POOLS,
)
from flexlbf.planning.offline import Fleet
from flexlbf.planning.snapshot import RawObject, history_config_maps

NAMESPACED = (BACKUP_SETS, BACKUP_HISTORIES, BACKUP_POLICIES)


async def read_fleet(client: PersonClient, namespaces: Collection[str] = ()) -> Fleet:
    """All that policies are planned from.

    Args:
        client: whose rights decide what may be read.
        namespaces: whose policies; all without any.

    Raises:
        ApiError: something may not be read, or the cluster does not know the kinds.
    """
    fleet = Fleet()
    for resource in (TAPE_POOLS, BACKUP_CLASSES):
        _take(fleet, await client.all_of(resource))
    for namespace in sorted(namespaces) or (None,):
        for resource in NAMESPACED:
            _take(fleet, await client.all_of(resource, namespace))
    await _histories(client, fleet)
    await _labels(client, fleet)
    return fleet


def overlaid(fleet: Fleet, files: Fleet) -> Fleet:
    """The fleet with the resources of files in place of its own, as applying them would leave it.

    What is replaced keeps its identity: what is emitted names it as its owner.
    """
    resources = dict(fleet.resources)
    for place, raw in files.resources.items():
        known = resources.get(place, {}).get("metadata", {})
        kept = {key: known[key] for key in ("uid",) if key in known}
        resources[place] = {**raw, "metadata": {**raw["metadata"], **kept}}
    return Fleet(resources)


def _take(fleet: Fleet, raws: Iterable[RawObject]) -> None:
    for raw in raws:
        fleet.add(raw)


async def _histories(client: PersonClient, fleet: Fleet) -> None:
    """The ConfigMaps that sets have their history from, and no others: they may hold anything."""
    sets = [raw for place, raw in fleet.resources.items() if place[0] == "BackupSet"]
    wanted = {(str(raw["metadata"]["namespace"]), name) for raw in sets if (name := history_config_maps(raw))}
    for namespace, name in sorted(wanted):
        try:
            found = await client.get(CONFIG_MAPS, name, namespace)
        except ApiError as error:
            if not error.not_found:
                raise
            continue
        fleet.add({"apiVersion": "v1", "kind": "ConfigMap", **found})


async def _labels(client: PersonClient, fleet: Fleet) -> None:
    """The labels of the policies' namespaces, which pools may ask for.

    Who may not read namespaces is told by the plan that the pool does not allow his, if it asks for any.
    """
    for namespace in sorted({place[1] for place in fleet.resources if place[0] == "BackupPolicy"}):
        try:
            found: dict[str, Any] = await client.get(NAMESPACES, namespace)
        except ApiError as error:
            if error.status not in {403, 404}:
                raise
            continue
        fleet.add({"apiVersion": "v1", "kind": "Namespace", **found})
