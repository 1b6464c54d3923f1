"""The API server as the keeper of a Lease meets it: versions, conflicts, a network that delays and loses."""

import asyncio
import copy
from collections.abc import Callable, Mapping
from typing import Any

from flexlbf.cluster.client import ApiError
from flexlbf.cluster.leadership import WRITE_SECONDS, Leadership
from flexlbf.cluster.resources import Resource
from unit.cluster.virtualtime import now

Raw = dict[str, Any]
Delays = Callable[[], tuple[float, float]]


class LeaseStore:
    """One Lease, as the API server keeps it."""

    def __init__(self) -> None:
        self.lease: Raw | None = None
        self.down = False
        self._version = 0

    def create(self, body: Mapping[str, Any]) -> Raw:
        if self.lease is not None:
            raise ApiError(409, "AlreadyExists", "there is one")
        return self._store(body)

    def replace(self, body: Mapping[str, Any]) -> Raw:
        if self.lease is None:
            raise ApiError(404, "NotFound", "there is none")
        if body["metadata"]["resourceVersion"] != self.lease["metadata"]["resourceVersion"]:
            raise ApiError(409, "Conflict", "it has changed")
        return self._store(body)

    def read(self) -> Raw:
        if self.lease is None:
            raise ApiError(404, "NotFound", "there is none")
        return copy.deepcopy(self.lease)

    def delete(self) -> None:
        self.lease = None

    @property
    def holder(self) -> str:
        return "" if self.lease is None else str(self.lease["spec"].get("holderIdentity") or "")

    def _store(self, body: Mapping[str, Any]) -> Raw:
        self._version += 1
        self.lease = copy.deepcopy(dict(body))
        self.lease["metadata"]["resourceVersion"] = str(self._version)
        return copy.deepcopy(self.lease)


class StoreClient:
    """One operator's way to the store.

    Args:
        delays: seconds to the store and back, for each request; what takes longer than the client waits
            arrives all the same.
    """

    def __init__(self, store: LeaseStore, identity: str, delays: Delays = lambda: (0.01, 0.01)) -> None:
        self.leadership = Leadership(identity, now)
        self._store = store
        self._delays = delays

    async def get(self, resource: Resource, name: str, namespace: str, timeout: float) -> Raw:  # noqa: ARG002, ASYNC109
        return await self._ask(self._store.read)

    async def create(self, resource: Resource, namespace: str, body: Mapping[str, Any]) -> Raw:  # noqa: ARG002
        return await self._ask(lambda: self._store.create(body))

    async def replace(self, resource: Resource, body: Mapping[str, Any]) -> Raw:  # noqa: ARG002
        return await self._ask(lambda: self._store.replace(body))

    async def _ask(self, request: Callable[[], Raw]) -> Raw:
        there, back = self._delays()
        under_way = asyncio.ensure_future(self._deliver(request, there, back))
        under_way.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                return await asyncio.shield(under_way)
        except TimeoutError as error:
            raise ApiError(0, "Unreachable", "no answer in time") from error

    async def _deliver(self, request: Callable[[], Raw], there: float, back: float) -> Raw:
        await asyncio.sleep(there)
        if self._store.down:
            raise ApiError(0, "Unreachable", "connection refused")
        try:
            return request()
        finally:
            await asyncio.sleep(back)
