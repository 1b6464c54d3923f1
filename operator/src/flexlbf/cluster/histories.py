"""Records what runs came to in the BackupHistories of their sets."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from flexlbf.cluster.client import ApiError, KubeClient
from flexlbf.cluster.historyindex import ObservedHistory
from flexlbf.cluster.resources import BACKUP_HISTORIES, BACKUP_SETS
from flexlbf.cluster.runs import Place
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.history.ledger import Outcome, Run, Shard, record
from flexlbf.manifests.backuphistory import backup_history
from flexlbf.manifests.names import LABEL_BACKUP_SET, label_value
from flexlbf.planning.snapshot import RawObject

logger = logging.getLogger(__name__)

TRIES = 3
"""How often a set's histories are read anew, when somebody else has written them, before it is an error."""

CONCURRENT_SETS = 8

Told = Callable[[Key, frozenset[str]], None]
"""Hears of a set of which something was recorded, and in which sessions that ran."""


class HistoryWriter:
    """Writes histories; there must be no other writer at the same time, which the Lease sees to."""

    def __init__(
        self, client: KubeClient, state: ClusterState, told: Told = lambda _key, _sessions: None
    ) -> None:
        self._client = client
        self._state = state
        self._told = told
        self._locks: defaultdict[Place, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._slots = asyncio.Semaphore(CONCURRENT_SETS)

    async def record(self, namespace: str, runs: Iterable[Run]) -> None:
        """Record runs of objects of a namespace's sets; they are stored when this returns.

        Runs that are recorded already change nothing, so after an error all of them may be given again. Those
        of sets and objects that are not there any more are let go.

        Raises:
            ApiError: some are not stored; the caller is to try again.
        """
        by_set: dict[str, list[Run]] = {}
        for run in runs:
            by_set.setdefault(run.backup_set, []).append(run)
        recorded = [self._record(Place(namespace, name), own) for name, own in by_set.items()]
        for error in await asyncio.gather(*recorded, return_exceptions=True):
            if isinstance(error, BaseException):
                raise error

    def of_session(self, namespace: str, sets: Iterable[str], session: str) -> dict[str, Outcome]:
        """What became of the objects of sets that ran in a session, as far as it is recorded and observed."""
        found = [self._state.objects[BACKUP_SETS].get(Key(namespace, name)) for name in sets]
        return self._state.histories.outcomes([each for each in found if each], session)

    async def refresh(self, namespace: str, sets: Iterable[str]) -> None:
        """Read the histories of sets at their newest version, as after taking over; raises ApiError."""
        for name in sets:
            await self._reload(Place(namespace, name))

    async def _record(self, place: Place, runs: list[Run]) -> None:
        async with self._slots, self._locks[place]:
            for tries_left in reversed(range(TRIES)):
                backup_set = self._state.objects[BACKUP_SETS].get(Key(*place))
                if backup_set is None:
                    logger.info("BackupSet %s/%s is gone, and with it its history", *place)
                    return
                try:
                    await self._write(place, backup_set, runs)
                except ApiError as error:
                    if error.namespace_is_ending:
                        logger.info("Namespace %s ends, and with it the history of %s", *place)
                        return
                    if error.status not in {404, 409} or not tries_left:
                        raise
                    await self._reload(place)
                else:
                    return

    async def _write(self, place: Place, backup_set: RawObject, runs: list[Run]) -> None:
        known = {str(each["name"]) for each in (backup_set.get("spec") or {}).get("objects") or ()}
        there = {each.shard.number: each for each in self._state.histories.of(backup_set) if each.is_ours}
        changed = record([each.shard for each in there.values()], runs, known)
        for shard in changed:
            body = backup_history(place.namespace, place.name, backup_set["metadata"]["uid"], shard)
            written = await self._put(body, there.get(shard.number))
            self._state.histories.put(_observed(written, place, backup_set["metadata"]["uid"], shard))
        if changed:
            self._told(Key(*place), frozenset(run.session for run in runs))

    async def _put(self, body: dict[str, Any], before: ObservedHistory | None) -> dict[str, Any]:
        if before is None:
            return await self._client.create(BACKUP_HISTORIES, body["metadata"]["namespace"], body)
        body["metadata"] |= {"uid": before.uid, "resourceVersion": str(before.version)}
        return await self._client.replace(BACKUP_HISTORIES, body)

    async def _reload(self, place: Place) -> None:
        labels = f"{LABEL_BACKUP_SET}={label_value(place.name)}"
        found: list[ObservedHistory] = []
        version = "0"
        async for items, version in self._client.pages(BACKUP_HISTORIES, labels=labels):  # noqa: B007
            observed = map(self._state.histories.read, items)
            found += [each for each in observed if each.set_place == place]
        for each in self._state.histories.listed_of(place, found, int(version)):
            logger.debug("History %s/%s was another than known", *each.place)


def _observed(written: RawObject, set_place: Place, owner: str, shard: Shard) -> ObservedHistory:
    """What was written, without reading it all again."""
    metadata = written["metadata"]
    place = Place(metadata["namespace"], metadata["name"])
    return ObservedHistory(place, metadata["uid"], int(metadata["resourceVersion"]), owner, set_place, shard)
