"""Forecasts when running sessions will be over, beside the event loop."""

import asyncio
import logging
from datetime import datetime, timedelta

from flexlbf.cluster.runindex import RunIndex
from flexlbf.handlers.livesession import SessionRun, Standing, nanoseconds
from flexlbf.handlers.planner import Planner, PlanningError
from flexlbf.scheduling.dispatch import ActiveStream
from flexlbf.scheduling.forecast import Outlook, RunningStream, forecast_end, remaining

logger = logging.getLogger(__name__)

FORECAST_EVERY = timedelta(seconds=10)
PATIENCE_SECONDS = 1.0


class Forecaster:
    """Keeps `expected_end` of sessions; a forecast is made in a planning process, one a session at a time."""

    def __init__(self, runs: RunIndex, planner: Planner) -> None:
        self._runs = runs
        self._planner = planner
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def look_ahead(self, session: SessionRun, standing: Standing, now: datetime) -> None:
        """Have a forecast made if the last is old; the first is waited for a moment, for the first status."""
        uid = session.job.uid
        running = self._tasks.get(uid)
        if running and not running.done():
            return
        if session.forecast_at and now - session.forecast_at < FORECAST_EVERY:
            return
        first = session.forecast_at is None
        session.forecast_at = now
        outlook = self._outlook(session, standing, now)
        task = self._tasks[uid] = asyncio.create_task(self._forecast(session, outlook))
        task.add_done_callback(lambda done: self._made(uid, done))
        if first:
            await asyncio.wait({task}, timeout=PATIENCE_SECONDS)

    def _made(self, uid: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(uid) is task:
            del self._tasks[uid]
        if not task.cancelled() and (error := task.exception()):
            logger.error("Forecasting", exc_info=error)

    async def _forecast(self, session: SessionRun, outlook: Outlook) -> None:
        try:
            end = await self._planner.run(forecast_end, outlook)
        except PlanningError as error:
            logger.warning("Forecasting %s: %s", session.job.place.name, error)
            return
        if end is not None:
            session.expected_end = session.started + timedelta(microseconds=end // 1000)

    def _outlook(self, session: SessionRun, standing: Standing, now: datetime) -> Outlook:
        factor = session.factor
        running = []
        for run in self._runs.open_streams(session.policy.spec.tape_pool):
            own = run.job is not None and run.job.owner == session.job.uid
            job = session.jobs.get(run.facts.obj) if own else None
            planned = job.duration if job else 0
            elapsed = nanoseconds(now - (run.began or now))
            stream = ActiveStream(run.facts.drive, run.facts.rate)
            host = job.host if job else None
            running.append(RunningStream(stream, remaining(planned, elapsed, factor), own, host))
        return Outlook(
            jobs=session.plan.jobs,
            scheduler=session.plan.scheduler,
            drives=session.plan.drives,
            waiting=tuple(standing.waiting),
            running=tuple(running),
            now=nanoseconds(now - session.started),
            factor=factor,
        )
