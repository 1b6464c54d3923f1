"""Writes the Jobs of sessions: those of their objects, and the status of the session's own."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from flexlbf.api.timestamps import format_timestamp
from flexlbf.cluster.client import ApiError, KubeClient
from flexlbf.cluster.resources import JOBS
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob
from flexlbf.planning.findings import Finding

CONCURRENT_DELETES = 8
"""So many Jobs are deleted at a time: what starts meanwhile should not wait for a connection."""


class JobWriter:
    """Writes Jobs; what the API server answers is in the index before anything else is decided."""

    def __init__(self, client: KubeClient, runs: RunIndex) -> None:
        self._client = client
        self._runs = runs
        self._deletions = asyncio.Semaphore(CONCURRENT_DELETES)

    async def create(self, manifest: Mapping[str, Any]) -> None:
        """Create a Job; one of its name that is there, which this was asked to create before, is as good.

        Raises:
            ApiError: it was refused, or it is not known whether it was created.
        """
        namespace, name = manifest["metadata"]["namespace"], manifest["metadata"]["name"]
        try:
            written = await self._client.create(JOBS, namespace, dict(manifest))
        except ApiError as error:
            if error.status != 409:
                raise
            written = await self._client.get(JOBS, name, namespace)
        self._runs.put_job(ObservedJob.of(written))

    async def delete(self, job: ObservedJob) -> None:
        """Delete a Job and its pods; raises ApiError."""
        async with self._deletions:
            await self._client.delete(JOBS, job.place.name, job.place.namespace, job.uid)

    async def begin(self, job: ObservedJob, started: datetime) -> None:
        """A session's work begins; raises ApiError."""
        await self._patch_status(job, {"startTime": format_timestamp(started), "active": 0, "ready": 0})

    async def count(self, job: ObservedJob, active: int, succeeded: int, failed: int) -> None:
        """How many of a session's objects are where; raises ApiError."""
        counts = {"active": active, "ready": active, **_counted(job, succeeded, failed)}
        if job.counts != (active, counts["succeeded"], counts["failed"]):
            await self._patch_status(job, counts)

    async def finish(
        self, job: ObservedJob, finding: Finding, counts: tuple[int, int], ended: datetime, *, succeeded: bool
    ) -> None:
        """A session is over, with so many objects backed up and failed; raises ApiError.

        The conditions are those with which the Job controller itself ends a Job.
        """
        status: dict[str, Any] = {"active": 0, "ready": 0, **_counted(job, *counts)}
        kinds = ("SuccessCriteriaMet", "Complete") if succeeded else ("FailureTarget", "Failed")
        stamp = format_timestamp(ended)
        status["conditions"] = [
            {
                "type": kind,
                "status": "True",
                "reason": finding.reason.value,
                "message": finding.message[:1000],
                "lastProbeTime": stamp,
                "lastTransitionTime": stamp,
            }
            for kind in kinds
        ]
        if succeeded:
            status["completionTime"] = stamp
        await self._patch_status(job, status)

    async def _patch_status(self, job: ObservedJob, status: Mapping[str, Any]) -> None:
        body = {"metadata": {"uid": job.uid}, "status": status}
        written = await self._client.patch(
            JOBS, job.place.name, job.place.namespace, body, subresource="status"
        )
        self._runs.put_job(ObservedJob.of(written))


def _counted(job: ObservedJob, succeeded: int, failed: int) -> dict[str, int]:
    """Objects may leave a session, and failed ones may be tried again; the API server lets no count sink."""
    _, succeeded_before, failed_before = job.counts
    return {"succeeded": max(succeeded, succeeded_before), "failed": max(failed, failed_before)}
