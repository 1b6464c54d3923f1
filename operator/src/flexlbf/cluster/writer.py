"""Act: the one place that writes. It makes CronJobs and status what a plan wants, and nothing else."""

import asyncio
import hashlib
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flexlbf.cluster.client import FIELD_MANAGER, ApiError, KubeClient
from flexlbf.cluster.index import Accepted
from flexlbf.cluster.observed import ObservedCronJob
from flexlbf.cluster.resources import CRON_JOBS, EVENTS, Resource
from flexlbf.cluster.state import ClusterState, key_of
from flexlbf.planning.emitted import Emitted
from flexlbf.planning.findings import Finding
from flexlbf.planning.snapshot import RawObject

logger = logging.getLogger(__name__)

CONCURRENT_WRITES = 24
COMPARED_AT_ONCE = 50
"""CronJobs compared before the event loop gets a turn; about 10 ms."""

Manifest = dict[str, Any]


async def _nothing() -> None:
    """No write at all."""


class WriteFailed(Exception):  # noqa: N818 - it is an outcome, told in the policy's status
    """Some of a policy's CronJobs could not be written; the rest were."""

    def __init__(self, refused: Sequence[ApiError], writes: int) -> None:
        super().__init__(f"{len(refused)} of {writes} writes of CronJobs failed: {refused[0]}")
        self.for_good = all(error.invalid for error in refused)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A CronJob that a plan wants.

    Attributes:
        recipe: what its manifest is made of: equal recipes, equal manifests.
        manifest: as it is applied.
        digest: of the manifest.
    """

    recipe: tuple[object, ...]
    manifest: Manifest
    digest: bytes

    @classmethod
    def of(cls, recipe: tuple[object, ...], manifest: Manifest) -> "Wanted":
        """A manifest and what it was made of."""
        text = json.dumps(manifest, sort_keys=True).encode()
        return cls(recipe, manifest, hashlib.blake2b(text, digest_size=16).digest())


@dataclass(frozen=True, slots=True)
class Changes:
    """What has to be written so that the CronJobs are as planned."""

    apply: list[Wanted]
    delete: list[ObservedCronJob]

    def __len__(self) -> int:
        return len(self.apply) + len(self.delete)

    def sparing(self, name: str) -> "Changes":
        """The same, but a CronJob of this name is not deleted."""
        return Changes(self.apply, [each for each in self.delete if each.name != name])


class Writer:
    """Writes CronJobs, statuses and events.

    What the server made of each CronJob is remembered, so that one whose fields it writes in another way
    than we do (`1000m` as `1`) is not taken for changed again and again.
    """

    def __init__(self, client: KubeClient, state: ClusterState) -> None:
        self._client = client
        self._state = state
        self._accepted = state.cron_jobs.accepted
        self._slots = asyncio.Semaphore(CONCURRENT_WRITES)

    async def compare(self, owner: str, planned: Iterable[Emitted]) -> Changes:
        """Hold the CronJobs observed, of the policy with a uid, against those planned."""
        left = self._state.cron_jobs.of(owner)
        apply = []
        for index, each in enumerate(planned):
            if index % COMPARED_AT_ONCE == COMPARED_AT_ONCE - 1:
                await asyncio.sleep(0)
            observed = left.pop(each.name, None)
            if observed is not None and self._is_accepted(observed, each.recipe):
                continue
            wanted = Wanted.of(each.recipe, each.build())
            if observed is None or not self._is_as_wanted(observed, wanted):
                apply.append(wanted)
        return Changes(apply, [each for each in left.values() if not each.deleted])

    def _is_accepted(self, observed: ObservedCronJob, recipe: tuple[object, ...]) -> bool:
        """Whether neither side has changed since they were last held against each other."""
        known = self._accepted.get((observed.namespace, observed.name))
        return known is not None and known.observed == observed.digest and known.recipe == recipe

    def _is_as_wanted(self, observed: ObservedCronJob, wanted: Wanted) -> bool:
        known = self._accepted.get((observed.namespace, observed.name))
        unchanged = known is not None and (known.observed, known.manifest) == (observed.digest, wanted.digest)
        if unchanged or observed.satisfies(wanted.manifest):
            self._accept(observed, wanted)
            return True
        return False

    def _accept(self, observed: ObservedCronJob, wanted: Wanted) -> None:
        place = (observed.namespace, observed.name)
        self._accepted[place] = Accepted(wanted.recipe, wanted.digest, observed.digest)

    async def write(self, changes: Changes) -> None:
        """Write the changes, many at a time.

        Raises:
            WriteFailed: some writes were refused; the others are done.
        """
        first, *others = [self._guarded(self._apply(each)) for each in changes.apply] or [_nothing()]
        jobs = [*others, *(self._guarded(self._delete(each)) for each in changes.delete)]
        # What the server refuses for its form it refuses in all alike: one attempt tells.
        refusal = await first
        if refusal and refusal.invalid:
            for each in jobs:
                each.close()
            raise WriteFailed([refusal], len(changes))
        refused = [error for error in (refusal, *await asyncio.gather(*jobs)) if error]
        if refused:
            raise WriteFailed(refused, len(changes))

    async def suspend(self, owner: str, *, suspend: bool) -> None:
        """Suspend the CronJobs of a policy that can't be planned, or let them go on; raises WriteFailed."""
        others = [each for each in self._state.cron_jobs.of(owner).values() if each.suspended != suspend]
        changed = [self._guarded(self._set_suspend(each, suspend=suspend)) for each in others]
        refused = [error for error in await asyncio.gather(*changed) if error]
        if refused:
            raise WriteFailed(refused, len(changed))

    async def _set_suspend(self, each: ObservedCronJob, *, suspend: bool) -> None:
        body = {"metadata": {"uid": each.uid}, "spec": {"suspend": suspend}}
        written = await self._client.patch(CRON_JOBS, each.name, each.namespace, body)
        self._state.cron_jobs.put(ObservedCronJob.of(written))

    async def delete_all(self, owner: str) -> None:
        """Delete the CronJobs of a policy; raises WriteFailed."""
        left = [each for each in self._state.cron_jobs.of(owner).values() if not each.deleted]
        await self.write(Changes([], left))

    async def _guarded(self, write: Any) -> ApiError | None:
        async with self._slots:
            try:
                await write
            except ApiError as error:
                return error
        return None

    async def _apply(self, wanted: Wanted) -> None:
        written = await self._client.apply(CRON_JOBS, wanted.manifest)
        observed = ObservedCronJob.of(written, pack=False)
        self._state.cron_jobs.put(observed)
        self._accept(observed, wanted)

    async def _delete(self, each: ObservedCronJob) -> None:
        await self._client.delete(CRON_JOBS, each.name, each.namespace, each.uid)
        self._state.cron_jobs.drop(each.namespace, each.name, each.uid)

    async def write_status(
        self,
        resource: Resource,
        raw: RawObject,
        status: Mapping[str, Any],
        *,
        manager: str = FIELD_MANAGER,
    ) -> None:
        """Write a manager's part of a status; an object that is gone, or another of its name, needs none.

        Raises ApiError.
        """
        metadata = {"name": raw["metadata"]["name"], "uid": raw["metadata"]["uid"]}
        if resource.namespaced:
            metadata["namespace"] = raw["metadata"]["namespace"]
        body = {
            "apiVersion": resource.api_version,
            "kind": raw["kind"],
            "metadata": metadata,
            "status": status,
        }
        try:
            written = await self._client.apply(resource, body, subresource="status", manager=manager)
        except ApiError as error:
            if error.status not in {404, 409}:  # a conflict is about the uid: all else is forced
                raise
            return
        # An answer that brings a newer spec along is left to its event, which has it planned.
        if written["metadata"].get("generation") == raw["metadata"].get("generation"):
            self._state.put(resource, written)

    async def tell(self, raw: RawObject, kind: str, action: str, finding: Finding, now: str) -> None:
        """Record an event about a policy (`kind` is Normal or Warning); that it fails stops nothing."""
        key = key_of(raw)
        body = {
            "metadata": {"generateName": f"{key.name[:200].rstrip('-.')}-", "namespace": key.namespace},
            "eventTime": now,
            "type": kind,
            "reason": finding.reason.value,
            "note": finding.message.encode()[:1000].decode(errors="ignore"),
            "action": action,
            "reportingController": "flexlbf.io/operator",
            "reportingInstance": "flexlbf-operator",
            "regarding": {
                "apiVersion": raw["apiVersion"],
                "kind": raw["kind"],
                "name": key.name,
                "namespace": key.namespace,
                "uid": raw["metadata"]["uid"],
            },
        }
        try:
            await self._client.create(EVENTS, key.namespace, body)
        except ApiError as error:
            logger.warning("Recording an event about %s: %s", key, error)
