"""The operator's working parts, put together: observers, queue and workers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from flexlbf.cluster.client import ApiError, KubeClient
from flexlbf.cluster.gather import Gatherer
from flexlbf.cluster.histories import HistoryWriter
from flexlbf.cluster.jobs import JobWriter
from flexlbf.cluster.lease import LeaseKeeper
from flexlbf.cluster.owners import Owners
from flexlbf.cluster.podreader import PodReader
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.state import ClusterState
from flexlbf.cluster.writer import Writer
from flexlbf.handlers.dispatcher import Dispatcher
from flexlbf.handlers.forecasts import Forecaster
from flexlbf.handlers.manualruns import ManualRuns
from flexlbf.handlers.metrics.collector import OperatorCollector
from flexlbf.handlers.metrics.instruments import Instruments, MeteredPlanner, MeteredQueue
from flexlbf.handlers.metrics.samples import Sources
from flexlbf.handlers.observe import Observer, Task
from flexlbf.handlers.observeruns import RunObserver
from flexlbf.handlers.policies import PolicyReconciler
from flexlbf.handlers.pools import PoolReconciler
from flexlbf.handlers.recorder import Recorder
from flexlbf.handlers.roster import Roster
from flexlbf.handlers.sessionreports import SessionReports
from flexlbf.handlers.sessions import SessionReconciler, exact_now
from flexlbf.handlers.settling import Settler
from flexlbf.handlers.tracing import span
from flexlbf.handlers.workers import Workers

logger = logging.getLogger(__name__)

WORKERS = 4
START_RETRY_SECONDS = 2.0


def utc_now() -> datetime:
    """The wall clock, to the second: finer than that nothing of ours is shown."""
    return datetime.now(UTC).replace(microsecond=0)


class Controller:
    """Reconciles policies and pools until it is stopped, whenever this operator leads.

    Attributes:
        on_leading: awaited at the begin of each term, before anything is reconciled; what fails with an
            ApiError is awaited again.
        has_read: whether the cluster was read; before that everything is only half known.
    """

    on_leading: list[Callable[[], Awaitable[None]]]

    def __init__(self, client: KubeClient, namespace: str, clock: Callable[[], datetime] = utc_now) -> None:
        self._lease = LeaseKeeper(client, namespace)
        self._client = client
        self._clock = clock
        self.state = ClusterState()
        self._instruments = Instruments()
        self.queue: MeteredQueue[Task] = MeteredQueue("plans", self._instruments)
        # For itself, since a drive that has room should not wait until some other policy is planned.
        self.live_queue: MeteredQueue[Task] = MeteredQueue("sessions", self._instruments)
        self.runs = RunIndex()
        self.has_read = False
        self.observer = Observer(client, self.state, self.queue)
        self._planner = MeteredPlanner(self._instruments)
        writer = Writer(client, self.state)
        self.gatherer = Gatherer(client, self.state)
        self.histories = HistoryWriter(client, self.state, self.observer.history_recorded)
        self._recorder = Recorder(
            self.state,
            self.histories,
            self.observer.sessions_changed,
            lambda key: self.observer.ask(Task("policy", key)),
            clock,
        )
        self._run_observer = RunObserver(
            client, self.state, self.runs, self.observer, self._recorder, self.live_queue
        )
        jobs = JobWriter(client, self.runs)
        self._policies = PolicyReconciler(
            self.state,
            self.gatherer,
            self._planner,
            writer,
            self._recorder,
            ManualRuns(self.state, self.runs, jobs),
            clock,
        )
        self._pools = PoolReconciler(self.state, self._planner, writer, clock)
        roster = self._roster = Roster(
            self.state, self.runs, jobs, Owners(client), self.histories, self._policies, exact_now
        )
        forecaster = Forecaster(self.runs, self._planner, roster.live, self._policies.session_of)
        reports = SessionReports(self.state, writer, clock)
        settler = Settler(
            self.runs,
            jobs,
            PodReader(client, self._run_observer.pod_changed),
            self.histories,
            reports,
            forecaster,
            self._run_observer.session_changed,
        )
        dispatcher = Dispatcher(self.runs, jobs)
        self._sessions = SessionReconciler(self.runs, roster, dispatcher, settler, self.live_queue)
        self.on_leading = [
            self.observer.take_over,
            self._run_observer.take_over,
            reports.take_over,
            self._sessions.take_over,
        ]
        self._reflectors = [*self.observer.reflectors(), *self._run_observer.reflectors]
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Read everything, then begin to reconcile: on half a picture, policies would seem broken."""
        self._tasks = [asyncio.create_task(each.run()) for each in self._reflectors]
        for each in self._reflectors:
            await each.synced.wait()
        await self._list_own_kinds()
        self.has_read = True
        self._tasks.append(asyncio.create_task(self.observer.relist_for_ever()))
        logger.info(
            "Watching %d policies and %d CronJobs", len(self.state.policies), len(self.state.cron_jobs)
        )
        self._tasks.append(asyncio.create_task(self._lease.run(self._lead)))

    async def _lead(self) -> None:
        """Reconcile everything anew, and then what changes: the last leader may have left off anywhere."""
        self._instruments.takeovers.inc()
        # The framework's watches may be behind after an outage, or when this process was stopped.
        for prepare in (self.observer.list_own_kinds, *self.on_leading):
            await _insist(prepare)
        self.observer.ask_for_all()
        async with asyncio.TaskGroup() as workers:
            workers.create_task(self._recorder.run_for_ever())
            told = self._instruments.reconciliation
            for _ in range(WORKERS):
                workers.create_task(Workers(self.queue, self._plan, told).work())
                workers.create_task(Workers(self.live_queue, self._run_sessions, told).work())

    async def _list_own_kinds(self) -> None:
        while True:
            try:
                await self.observer.list_own_kinds()
            except ApiError as error:
                hint = ": are the CRDs installed?" if error.not_found else ""
                logger.warning("Reading our kinds: %s%s", error, hint)
                await asyncio.sleep(START_RETRY_SECONDS)
            else:
                return

    async def stop(self) -> None:
        """Stop; whatever was half done is done by the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._planner.close()

    @property
    def alive(self) -> bool:
        """Whether every part still runs."""
        return bool(self._tasks) and not any(task.done() for task in self._tasks)

    def metrics(self) -> OperatorCollector:
        """What Prometheus may know of all this."""
        leadership, reflectors = self._client.leadership, self._reflectors
        sources = Sources(
            self.state,
            self.runs,
            self._policies.plan_of,
            self._roster.running,
            lambda: leadership.leading,
            self._clock,
            lambda: [*self.observer.heard.items(), *((each.plural, each.heard) for each in reflectors)],
            self._client.errors,
        )
        return OperatorCollector(sources, self._instruments, (self.queue, self.live_queue))

    async def _plan(self, task: Task) -> float | None:
        if task.kind == "pool":
            await self._pools.reconcile(task.key)
            return None
        with span("reconcile", namespace=task.key.namespace, policy=task.key.name):
            try:
                return await self._policies.reconcile(task.key)
            finally:  # what failed may still have found a plan, or why there is none
                self._run_observer.ask_for_pool_of(task.key)

    async def _run_sessions(self, task: Task) -> float | None:
        if task.kind == "settle":
            return await self._sessions.settle(task.key)
        return await self._sessions.reconcile(task.key)


async def _insist(prepare: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            return await prepare()
        except ApiError as error:
            logger.warning("Taking over: %s", error)
            await asyncio.sleep(START_RETRY_SECONDS)
