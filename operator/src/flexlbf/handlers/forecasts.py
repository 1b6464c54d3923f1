"""Forecasts when running sessions will be over, beside the event loop."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import Run
from flexlbf.cluster.state import Key
from flexlbf.handlers.livesession import SessionRun, Standing, nanoseconds
from flexlbf.handlers.planner import Planner, PlanningError
from flexlbf.manifests.names import label_value
from flexlbf.planning.plan import SessionPlan
from flexlbf.scheduling import Job
from flexlbf.scheduling.dispatch import ActiveStream
from flexlbf.scheduling.forecast import Outlook, RunningStream, forecast_end, remaining

logger = logging.getLogger(__name__)

FORECAST_EVERY = timedelta(seconds=10)
PATIENCE_SECONDS = 1.0


class Forecaster:
    """Keeps `expected_end` of sessions; a forecast is made in a planning process, one a session at a time.

    Args:
        live: the sessions that run, by the uid of their Jobs.
        plan_of: the session that a policy's latest plan has, None without one.
    """

    def __init__(
        self,
        runs: RunIndex,
        planner: Planner,
        live: Mapping[str, SessionRun],
        plan_of: Callable[[Key], SessionPlan | None],
    ) -> None:
        self._runs = runs
        self._planner = planner
        self._live = live
        self._plan_of = plan_of
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def look_ahead(self, session: SessionRun, standing: Standing, now: datetime) -> None:
        """Have a forecast made if the last is old; the first is waited for a moment, for the first status.

        Nobody can tell the end of one of which nothing starts as things are.
        """
        if session.blocked:
            session.expected_end = None
            return
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
        planned = _PlannedJobs(self._plan_of)
        hosts = {host.name: host for host in session.live.hosts}
        pool, running = label_value(session.plan.pool), []
        for run in self._runs.all_open_streams():
            here = run.facts.pool == pool
            # The hosts of another namespace are others, whatever they are called.
            near = run.namespace == session.key.namespace
            host = hosts.get(run.facts.host or "") if near else None
            if not here and host is None:
                continue
            whose = self._live.get(run.job.owner) if run.job else None
            job = whose.jobs.get(run.facts.obj) if whose else planned.of(run)
            elapsed = nanoseconds(now - (run.began or now))
            left = remaining(job.duration if job else 0, elapsed, whose.factor if whose else 1.0)
            stream = ActiveStream(run.facts.drive, run.facts.rate) if here else None
            running.append(RunningStream(stream, left, whose is session, host))
        return Outlook(
            jobs=session.plan.jobs,
            scheduler=session.plan.scheduler,
            drives=session.plan.drives,
            waiting=tuple(standing.waiting),
            running=tuple(running),
            now=nanoseconds(now - session.started),
            factor=session.factor,
        )


class _PlannedJobs:
    """What the plans of policies say of streams that no session of the operator's has."""

    def __init__(self, plan_of: Callable[[Key], SessionPlan | None]) -> None:
        self._plan_of = plan_of
        self._jobs: dict[Key, dict[str, Job]] = {}

    def of(self, run: Run) -> Job | None:
        key = Key(run.namespace, run.facts.policy)
        if key not in self._jobs:
            plan = self._plan_of(key)
            self._jobs[key] = {job.name: job for job in plan.jobs} if plan else {}
        return self._jobs[key].get(run.facts.obj)
