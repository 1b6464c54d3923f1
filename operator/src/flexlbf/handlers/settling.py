"""Settles what has ended: records it, deletes its Jobs, tells how the session stands, and ends it."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from flexlbf.api.v1alpha1 import SessionState
from flexlbf.cluster.jobs import JobWriter
from flexlbf.cluster.podreader import PodReader
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, Run
from flexlbf.handlers.forecasts import Forecaster
from flexlbf.handlers.livesession import SessionRun, Standing, nanoseconds
from flexlbf.handlers.sessionreports import SessionReports
from flexlbf.history.ledger import Outcome
from flexlbf.history.ledger import Run as MeasuredRun

logger = logging.getLogger(__name__)

RECORD_EVERY = timedelta(seconds=1)
"""What has ended in so long is recorded together."""

REPORT_EVERY = timedelta(seconds=5)
"""A policy's status tells of its session so often."""

SHORTEST = timedelta(milliseconds=1)


class Ledger(Protocol):
    """Where it is recorded what became of objects, before their Jobs are deleted."""

    async def record(self, namespace: str, runs: Sequence[MeasuredRun]) -> None:
        """Record runs; raises ApiError."""

    def of_session(self, namespace: str, sets: Collection[str], session: str) -> Mapping[str, Outcome]:
        """What is recorded of a session."""


class Settler:
    """Settles sessions.

    Args:
        ended: called with the Job of a session that is over.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts that it puts together
        self,
        runs: RunIndex,
        writer: JobWriter,
        pods: PodReader,
        ledger: Ledger,
        reports: SessionReports,
        forecaster: Forecaster,
        ended: Callable[[ObservedJob], None],
    ) -> None:
        self._runs = runs
        self._writer = writer
        self._pods = pods
        self._ledger = ledger
        self._reports = reports
        self._forecaster = forecaster
        self._ended = ended

    async def settle(self, session: SessionRun, stand: Callable[[], Standing], now: datetime) -> None:
        """Settle one session; `stand` says where its objects are at any moment; raises ApiError."""
        due = session.reported is None or now - session.reported >= REPORT_EVERY
        over = stand().over
        await self._record(session, now, everything=over)
        standing = stand()  # an object may have been added meanwhile, and have started
        # Taken back if it could not be ended and something waits by now: that is to start, after all.
        session.ending = over and standing.over
        if session.ending:
            session.reported = now
            await self._finish(session, standing, now)
        elif due:
            await self._report(session, standing, now)

    async def _report(self, session: SessionRun, standing: Standing, now: datetime) -> None:
        session.reported = now
        await self._writer.count(session.job, len(standing.running), len(standing.done), len(standing.failed))
        await self._forecaster.look_ahead(session, standing, now)
        await self._reports.report(session, session.progress(standing))

    async def _record(self, session: SessionRun, now: datetime, *, everything: bool) -> None:
        """Record what has ended, then delete the Jobs that are too many."""
        if not everything and session.recorded_at and now - session.recorded_at < RECORD_EVERY:
            return
        news = self._news(session)
        if any(run.untold for run in news):
            await self._pods.read(session.job)  # Jobs are watched apart from pods, and may be ahead
            news = self._news(session)
        if news:
            session.recorded_at = now
            found = [measured_run(run, session.id) for run in news]
            await self._ledger.record(session.job.place.namespace, found)
            for run in news:
                session.note(run)
        await self.tidy(session)

    def _news(self, session: SessionRun) -> list[Run]:
        ended = (run for run in self._runs.of_session(session.job.uid) if run.succeeded is not None)
        return [run for run in ended if run.job_name not in session.settled]

    async def tidy(self, session: SessionRun) -> bool:
        """Delete the Jobs of objects that are more than the class keeps of a session; raises ApiError.

        A Job may go once its own status, and not only its pod's, says that it has ended.

        Returns:
            Whether no Job is left that has yet to say so.
        """
        jobs = [run.job for run in self._runs.of_session(session.job.uid) if run.job and not run.job.deleted]
        limits = session.plan.pod.spec
        failed = [job for job in jobs if job.outcome == "Failed"]
        good = [job for job in jobs if job.outcome == "Complete"]
        spare = [
            *_all_but_the_last(failed, limits.failed_jobs_history_limit),
            *_all_but_the_last(good, limits.successful_jobs_history_limit),
        ]
        known = [job for job in spare if job.place.name in session.settled]
        await asyncio.gather(*(self._writer.delete(job) for job in known))
        return len(failed) + len(good) == len(jobs)

    async def _finish(self, session: SessionRun, standing: Standing, now: datetime) -> None:
        """End a session: first it is told, then its Job says so, so that nothing is forgotten in between."""
        progress = session.progress(standing, now)
        await self._reports.report(session, progress)
        succeeded = progress.state is SessionState.SUCCEEDED
        counts = (len(standing.done), len(standing.failed) + progress.left_out)
        await self._writer.finish(session.job, progress.finding, counts, now, succeeded=succeeded)
        logger.info(
            "Session %s of %s is over: %s", session.job.place.name, session.key, progress.finding.message
        )
        await self._reports.tell_end(session, progress)
        self._ended(self._runs.session(session.job.uid) or session.job)


def _all_but_the_last(jobs: Sequence[ObservedJob], kept: int) -> list[ObservedJob]:
    return sorted(jobs, key=lambda job: (job.created, job.place))[: max(len(jobs) - kept, 0)]


def measured_run(run: Run, session: str) -> MeasuredRun:
    """What one try came to, for the history; one whose container never started took no time to speak of."""
    began = run.began
    assert run.succeeded is not None
    assert began is not None
    return MeasuredRun(
        backup_set=run.facts.backup_set,
        obj=run.facts.obj,
        session=session,
        start=began,
        duration=nanoseconds(max(run.lasted or SHORTEST, SHORTEST)),
        size=run.pod.bytes if run.pod else None,
        succeeded=run.succeeded,
        attempt=run.facts.attempt,
    )
