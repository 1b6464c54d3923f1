"""Keeps the Lease by which several operators agree on who writes, as Kubernetes' own controllers do.

Whether another's Lease has run out is told by our own clock, from when we saw its record change; clocks of
different machines are never compared. Every write of the record names the version that it replaces.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from flexlbf.cluster.client import ApiError
from flexlbf.cluster.leadership import LEASE_SECONDS, RENEW_SECONDS, WRITE_SECONDS, Leadership
from flexlbf.cluster.resources import LEASES, Resource

logger = logging.getLogger(__name__)

NAME = "flexlbf-operator"
RETRY_SECONDS = 2.0
"""A leader renews, and the others look, this often; the others a little later at random."""

NAMESPACE_FILE = Path("/var/run/secrets/kubernetes.io/serviceaccount/namespace")

Raw = dict[str, Any]
Lead = Callable[[], Coroutine[Any, Any, None]]


class LeaseClient(Protocol):
    """What the keeper asks of the API server."""

    leadership: Leadership

    async def get(self, resource: Resource, name: str, namespace: str, timeout: float) -> Raw:  # noqa: ASYNC109
        """Raises ApiError."""

    async def create(self, resource: Resource, namespace: str, body: Mapping[str, Any]) -> Raw:
        """Raises ApiError."""

    async def replace(self, resource: Resource, body: Mapping[str, Any]) -> Raw:
        """Raises ApiError."""


def own_namespace() -> str:
    """The pod's namespace; outside of a cluster `default`."""
    try:
        return NAMESPACE_FILE.read_text().strip() or "default"
    except OSError:
        return "default"


class LeaseKeeper:
    """Waits for the Lease, leads while it can renew it, and waits again."""

    def __init__(self, client: LeaseClient, namespace: str) -> None:
        self._client = client
        self._namespace = namespace
        self._leadership = client.leadership
        self._clock = client.leadership.clock
        self._mine: Raw | None = None
        """The Lease as the server has it, as long as we know it to be ours."""
        self._record: Raw = {}
        """What another's Lease said when it was last seen to change, and when that was."""
        self._observed = 0.0
        self._said = ""

    async def run(self, lead: Lead) -> None:
        """Lead whenever it is our turn, until cancelled; then the Lease is given to whoever waits.

        Args:
            lead: is begun for each term and cancelled at its end. It never ends by itself: an error of its
                ends this, too.
        """
        logger.info("Candidate for the Lease %s/%s as %s", self._namespace, NAME, self._leadership.identity)
        try:
            while True:
                await self._acquire()
                await self._hold(lead)
        finally:
            await self._release()

    async def _acquire(self) -> None:
        while True:
            try:
                if await self._attempt():
                    logger.info("Leading since %s as %s", _wall_clock(), self._leadership.identity)
                    self._said = ""
                    return
            except ApiError as error:
                if error.status != 409:  # who was quicker is seen the next time
                    self._say(logging.WARNING, f"Taking the Lease {self._namespace}/{NAME}: {_advice(error)}")
            await asyncio.sleep(RETRY_SECONDS * random.uniform(1.0, 1.2))  # noqa: S311 - only spreads load

    async def _hold(self, lead: Lead) -> None:
        term, renewing = asyncio.create_task(lead()), asyncio.create_task(self._renew_until_lost())
        try:
            ended, _ = await asyncio.wait((term, renewing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._leadership.lost()
            term.cancel()
            renewing.cancel()
            await asyncio.wait((term, renewing))
        for each in ended:
            each.result()
        if term in ended:
            raise RuntimeError("leading ended by itself")

    async def _renew_until_lost(self) -> None:
        while True:
            await asyncio.sleep(max(0.0, min(RETRY_SECONDS, self._leadership.left)))
            if not self._leadership.leading:
                logger.warning("Leading no more: the Lease was not renewed for %g s", RENEW_SECONDS)
                return
            try:
                if not await self._attempt():
                    logger.warning("Leading no more: another took the Lease")
                    return
            except ApiError as error:
                logger.warning("Renewing the Lease: %s", error)

    async def _attempt(self) -> bool:
        """Take or renew the Lease; False if it is another's. Raises ApiError, after which it may be ours."""
        lease, self._mine = self._mine, None
        lease = lease or await self._look()
        if not self._is_free():
            holder = self._record["holderIdentity"]
            self._say(logging.INFO, f"Waiting: {holder} leads")
            return False
        sent = self._clock()
        if lease is None:
            body = {"metadata": {"name": NAME, "namespace": self._namespace}, "spec": self._claim({})}
            self._mine = await self._client.create(LEASES, self._namespace, body)
        else:
            self._mine = await self._client.replace(LEASES, {**lease, "spec": self._claim(lease["spec"])})
        self._record = self._mine["spec"]
        self._leadership.renewed(sent)
        return True

    async def _look(self) -> Raw | None:
        """Read the Lease. One that was deleted is its last holder's until that one's time is over."""
        try:
            lease = await self._client.get(LEASES, NAME, self._namespace, timeout=WRITE_SECONDS)
        except ApiError as error:
            if not error.not_found:
                raise
            return None
        if lease["spec"] != self._record:
            self._record, self._observed = lease["spec"], self._clock()
        return lease

    def _is_free(self) -> bool:
        if self._record.get("holderIdentity") in {None, "", self._leadership.identity}:
            return True
        lasts: int = self._record.get("leaseDurationSeconds") or LEASE_SECONDS
        return self._clock() >= self._observed + lasts

    def _claim(self, before: Raw) -> Raw:
        now = _wall_clock()
        ours = before.get("holderIdentity") == self._leadership.identity
        changes = 0 if ours or not before else 1
        return {
            **before,
            "holderIdentity": self._leadership.identity,
            "leaseDurationSeconds": LEASE_SECONDS,
            "acquireTime": (before.get("acquireTime") if ours else None) or now,
            "renewTime": now,
            "leaseTransitions": (before.get("leaseTransitions") or 0) + changes,
        }

    async def _release(self) -> None:
        """Let the next one lead at once, unless something of ours may still be under way."""
        if self._mine is None or not self._leadership.settled:
            return
        spec = {**self._mine["spec"], "renewTime": _wall_clock(), "leaseDurationSeconds": 1}
        del spec["holderIdentity"]
        try:
            await self._client.replace(LEASES, {**self._mine, "spec": spec})
        except ApiError as error:
            logger.warning("Giving the Lease back: %s", error)
        else:
            logger.info("Gave the Lease back")

    def _say(self, level: int, what: str) -> None:
        """Say a thing once, not every two seconds."""
        if what != self._said:
            self._said = what
            logger.log(level, "%s", what)


def _advice(error: ApiError) -> str:
    if error.status == 403:
        return f"{error}; config/rbac has the Role for it"
    if error.not_found:
        return f"{error}; create the namespace, or name another with --lease-namespace"
    return str(error)


def _wall_clock() -> str:
    """As the API server writes it; people read it, nothing is decided by it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
