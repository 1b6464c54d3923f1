"""Runs the sessions of a pool: which there are, what of them may start, and what of them is over."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy, TapePool
from flexlbf.cluster.client import ApiError
from flexlbf.cluster.jobs import JobWriter
from flexlbf.cluster.resources import TAPE_POOLS
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, Place
from flexlbf.cluster.sessions import policy_of
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.handlers.dispatcher import Dispatcher
from flexlbf.handlers.livesession import SessionRun, Standing
from flexlbf.handlers.observe import Task
from flexlbf.handlers.settling import RECORD_EVERY, REPORT_EVERY, Ledger, Settler
from flexlbf.handlers.workqueue import WorkQueue
from flexlbf.planning.findings import Unplannable
from flexlbf.planning.plan import SessionPlan
from flexlbf.planning.snapshot import read

logger = logging.getLogger(__name__)

SOON = timedelta(milliseconds=100)
BEGIN_AGAIN_SECONDS = 2.0
TIDY_SECONDS = 1.0
SETTLE_SECONDS = 0.2
"""Seconds in which what is to be settled is gathered: nobody waits for it."""

PlanOf = Callable[[Key], SessionPlan | None]


def exact_now() -> datetime:
    """The wall clock, for what is done at an instant."""
    return datetime.now(UTC)


class SessionReconciler:
    """Starts what may start and ends what is over; safe to run at any time and any number of times.

    Args:
        plan_of: the session that a policy's latest plan has, None without one.
        queue: takes what is to be settled.
        live: where it keeps the sessions that run, by the uid of their Jobs.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts that it puts together
        self,
        state: ClusterState,
        runs: RunIndex,
        writer: JobWriter,
        ledger: Ledger,
        dispatcher: Dispatcher,
        settler: Settler,
        plan_of: PlanOf,
        queue: WorkQueue[Task],
        live: dict[str, SessionRun],
        clock: Callable[[], datetime] = exact_now,
    ) -> None:
        self._state = state
        self._runs = runs
        self._writer = writer
        self._ledger = ledger
        self._dispatcher = dispatcher
        self._settler = settler
        self._plan_of = plan_of
        self._queue = queue
        self._clock = clock
        self._live = live
        self._over: dict[Key, SessionRun] = {}
        self._unbegun: set[str] = set()

    async def take_over(self) -> None:
        """Forget all that was only in memory: another may have led meanwhile."""
        self._live.clear()
        self._over.clear()

    async def reconcile(self, key: Key) -> float | None:
        """Go on with the sessions of a pool: start what may start.

        Returns:
            Seconds after which to look again at the latest; None if none runs.
        """
        self._unbegun.discard(key.name)
        sessions = await self._sessions(key.name)
        again = BEGIN_AGAIN_SECONDS if key.name in self._unbegun else None
        raw = self._state.objects[TAPE_POOLS].get(key)
        if not sessions or raw is None:
            return again
        now = self._clock()
        try:
            pool = read(TapePool, raw)
        except Unplannable as verdict:
            logger.warning("The sessions of pool %s wait: %s", key, verdict)
            return REPORT_EVERY.total_seconds()
        standings = [(each, self._standing(each, now)) for each in sessions]
        await self._dispatcher.dispatch(pool, standings, self._live.values(), now)
        for session in sessions:
            settling = Task("settle", Key(*session.job.place))
            if not self._queue.backs_off(settling):
                self._queue.add(settling, SETTLE_SECONDS)
        waits = [self._next(each, now).total_seconds() for each in sessions]
        return min([*waits, again] if again else waits)

    async def settle(self, key: Key) -> float | None:
        """Record, report and end one session, beside what starts; raises ApiError, to be tried again."""
        job = self._runs.job(Place(*key))
        if job is None:
            self._over.pop(key, None)
            return None
        session = self._live.get(job.uid)
        if job.underway and session is not None:
            now = self._clock()
            await self._settler.settle(session, lambda: self._standing(session, now), now)
            self._over[key] = session
        return await self._tidy(key)

    async def _tidy(self, key: Key) -> float | None:
        """See a session that is over to where only those of its Jobs are left that are to be kept."""
        session = self._over.get(key)
        job = self._runs.job(Place(*key))
        if session is None or (job is not None and job.underway):
            return None
        if job is not None and job.uid == session.job.uid and not await self._settler.tidy(session):
            return TIDY_SECONDS
        self._over.pop(key, None)
        return None

    def _next(self, session: SessionRun, now: datetime) -> timedelta:
        """When to look at a session if nothing happens: to record, to report, or as its window ends."""
        times = [(session.reported or now) + REPORT_EVERY]
        if session.unsettled:
            times.append((session.recorded_at or now) + RECORD_EVERY)
        if session.window_end and session.window_end > now:
            times.append(session.window_end)
        return max(min(times) - now, SOON)

    def _standing(self, session: SessionRun, now: datetime) -> Standing:
        session.heed(self._runs)
        return session.standing(self._runs.of_session(session.job.uid), now)

    async def _sessions(self, pool: str) -> list[SessionRun]:
        """The sessions that run on a pool, by rank; of each policy the first, since it has one at a time."""
        found: list[SessionRun] = []
        first: set[Key] = set()
        underway = {job.uid: job for job in self._runs.sessions() if job.underway}
        for uid in self._live.keys() - underway.keys():
            del self._live[uid]
        for job in sorted(underway.values(), key=lambda each: (each.created, each.place)):
            key = policy_of(self._state, job)
            policy = self._read_policy(key, job) if key else None
            if key is None or policy is None or policy.spec.tape_pool != pool:
                continue
            if key in first:
                continue
            first.add(key)
            session = await self._session(job, policy, key)
            if session is not None and session.plan.pool == pool:
                found.append(session)
        return sorted(found, key=lambda each: each.rank)

    def _read_policy(self, key: Key, job: ObservedJob) -> BackupPolicy | None:
        """The policy, or what it last was when it could be read."""
        try:
            return read(BackupPolicy, self._state.policies[key])
        except Unplannable:
            known = self._live.get(job.uid)
            return known.policy if known else None

    async def _session(self, job: ObservedJob, policy: BackupPolicy, key: Key) -> SessionRun | None:
        known = self._live.get(job.uid)
        plan = self._plan_of(key) or (known.plan if known else None)
        raw_class = self._state.class_of({"spec": {"backupClass": policy.spec.backup_class}})
        try:
            backup_class = read(BackupClass, raw_class) if raw_class else None
        except Unplannable:
            backup_class = None
        backup_class = backup_class or (known.backup_class if known else None)
        if plan is None or backup_class is None:
            return None  # it is being planned, or can't be; the policy's status says so
        if known is not None:
            known.follow(job, policy, backup_class, plan)
            return known
        started = job.started
        if started is None:
            started = self._clock().replace(microsecond=0)
            try:
                await self._writer.begin(job, started)
            except ApiError as error:
                # The others of the pool go on meanwhile.
                logger.warning("Beginning session %s: %s; again soon", job.place.name, error)
                self._unbegun.add(policy.spec.tape_pool)
                return None
        session = self._live[job.uid] = SessionRun(job, policy, backup_class, plan, started)
        sets = {origin.backup_set for origin in plan.origins.values()}
        session.remember(self._ledger.of_session(job.place.namespace, sets, session.id))
        logger.info("Session %s of %s runs: %d objects", job.place.name, key, len(plan.jobs))
        return session
