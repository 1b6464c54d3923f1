"""Follows one kind: lists it, watches it, and lists again whenever the watch can't go on."""

import asyncio
import logging
import random
import time
from collections.abc import Callable
from contextlib import aclosing
from typing import Any, Generic, TypeVar

from flexlbf.cluster.client import ApiError, KubeClient
from flexlbf.cluster.resources import Resource

logger = logging.getLogger(__name__)

WATCH_SECONDS = 120
"""A watch is begun anew so often, from where it was: so long a dead connection can go unseen."""

Raw = dict[str, Any]
Seen = TypeVar("Seen")


class Reflector(Generic[Seen]):
    """Keeps telling about one kind until it is cancelled.

    Args:
        read: what to keep of an object; whole objects are never held by the thousand.
        on_list: gets everything there is and the version it was read at, at the start and after each gap
            in the watch.
        on_change: gets (deleted?, object) for each change in between.

    Attributes:
        heard: when the server was last heard of this kind, a bookmark included, as a Unix time; 0 for never.
    """

    def __init__(  # noqa: PLR0913 - all but two are named
        self,
        client: KubeClient,
        resource: Resource,
        *,
        read: Callable[[Raw], Seen],
        on_list: Callable[[list[Seen], int], None],
        on_change: Callable[[bool, Seen], None],
        labels: str = "",
        metadata_only: bool = False,
    ) -> None:
        self._client = client
        self._resource = resource
        self._read = read
        self._on_list = on_list
        self._on_change = on_change
        self._selection: dict[str, Any] = {"labels": labels, "metadata_only": metadata_only}
        self.synced = asyncio.Event()
        self.heard = 0.0

    @property
    def plural(self) -> str:
        """The kind that is followed."""
        return self._resource.plural

    async def run(self) -> None:
        """List and watch for ever; what goes wrong is logged and tried again, later each time."""
        delay = 1.0
        while True:
            try:
                version = await self._list()
                delay = 1.0
                await self._follow(version)
            except Exception as error:  # noqa: BLE001 - a follower that dies unseen would freeze the state
                if isinstance(error, ApiError) and error.gone:
                    continue
                logger.warning("Following %s: %s: %s", self._resource.plural, type(error).__name__, error)
                await asyncio.sleep(delay * random.uniform(0.5, 1.5))  # noqa: S311 - only spreads load
                delay = min(delay * 2, 30)

    async def relist(self) -> None:
        """Read everything at the newest version now, beside what the watch brings; raises ApiError."""
        await self._list()

    async def _list(self) -> str:
        seen: list[Seen] = []
        version = ""
        async for items, version in self._client.pages(self._resource, **self._selection):  # noqa: B007
            seen += [each for each in map(self._seen, items) if each is not None]
        self.heard = time.time()
        self._on_list(seen, int(version))
        self.synced.set()
        return version

    async def _follow(self, version: str) -> None:
        """Watch from a version on, again and again, until a watch breaks."""
        while True:
            events = self._client.watch(self._resource, version, **self._selection, seconds=WATCH_SECONDS)
            async with aclosing(events):
                async for kind, raw in events:
                    self.heard = time.time()
                    version = raw["metadata"]["resourceVersion"]
                    if kind != "BOOKMARK":
                        self._tell(kind == "DELETED", raw)

    def _tell(self, deleted: bool, raw: Raw) -> None:
        seen = self._seen(raw)
        if seen is None:
            return
        try:
            self._on_change(deleted, seen)
        except Exception:
            logger.exception("Taking in %s", _name(raw))

    def _seen(self, raw: Raw) -> Seen | None:
        """What to keep of an object; one that can't be read must not keep the others from being followed."""
        try:
            return self._read(raw)
        except Exception:
            logger.exception("Reading %s", _name(raw))
            return None


def _name(raw: Raw) -> str:
    metadata = raw.get("metadata") or {}
    return f"{metadata.get('namespace')}/{metadata.get('name')}"
