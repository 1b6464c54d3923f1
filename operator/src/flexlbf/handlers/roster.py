"""Which sessions run, and by what: a policy and a plan, or what stands for them."""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Protocol, TypeVar

from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy, TapePool
from flexlbf.cluster.client import ApiError
from flexlbf.cluster.jobs import JobWriter
from flexlbf.cluster.owners import GONE, Owners
from flexlbf.cluster.resources import TAPE_POOLS
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob
from flexlbf.cluster.sessions import policy_of
from flexlbf.cluster.state import ClusterState, Key, spec_field
from flexlbf.handlers.livesession import SessionRun
from flexlbf.handlers.settling import Ledger
from flexlbf.handlers.tracing import span
from flexlbf.planning.findings import Finding, Unplannable
from flexlbf.planning.plan import SessionPlan
from flexlbf.planning.snapshot import RawObject, read
from flexlbf.planning.stranding import plan_stand_in, policy_stand_in, stalled_since

logger = logging.getLogger(__name__)

Kind = TypeVar("Kind", BackupPolicy, BackupClass, TapePool)


class Plans(Protocol):
    """What planning has found of policies."""

    def session_of(self, key: Key) -> SessionPlan | None:
        """The session that a policy's plan has, or had while it could still be planned; None without one."""

    def why_no_session(self, key: Key) -> Finding | None:
        """Why a policy has none as it is now; None if it has one, or is being planned."""


class Roster:
    """Keeps the sessions that run in memory; each can be made anew from the cluster at any time.

    A session whose policy or plan is not there any more goes on with what was last known. If nobody
    knows, as after a restart, it runs by what stands for them: what runs is seen to its end, nothing starts,
    and if nobody mends that in time, it is given up.

    Attributes:
        live: the sessions, by the uid of their Jobs.
        unbegun: pools on which a session could not be begun.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts that it puts together
        self,
        state: ClusterState,
        runs: RunIndex,
        writer: JobWriter,
        owners: Owners,
        ledger: Ledger,
        plans: Plans,
        clock: Callable[[], datetime],
    ) -> None:
        self._state = state
        self._runs = runs
        self._writer = writer
        self._owners = owners
        self._ledger = ledger
        self._plans = plans
        self._clock = clock
        self.live: dict[str, SessionRun] = {}
        self.unbegun: set[str] = set()

    async def of_pool(self, pool: str) -> list[SessionRun]:
        """The sessions that run on a pool, by rank; of each policy the first, since it has one at a time."""
        self.unbegun.discard(pool)
        found: list[SessionRun] = []
        first: set[Key] = set()
        underway = {job.uid: job for job in self._runs.sessions() if job.underway}
        for uid in self.live.keys() - underway.keys():
            del self.live[uid]
        for job in sorted(underway.values(), key=lambda each: (each.created, each.place)):
            key = policy_of(self._state, job)
            if key is None or key in first or self._pool_of(key, job) != pool:
                continue
            first.add(key)
            session = await self._session(job, key, pool)
            if session is not None:
                found.append(session)
        return sorted(found, key=lambda each: each.rank)

    def running(self) -> dict[Key, SessionRun]:
        """The sessions that run now, by policy."""
        underway = {job.uid for job in self._runs.sessions() if job.underway}
        # Of a policy's sessions the first runs, and the next waits for its end.
        found = sorted(self.live.values(), key=lambda each: each.started, reverse=True)
        return {each.key: each for each in found if each.job.uid in underway}

    def pool(self, name: str) -> TapePool | None:
        """A pool, None if it is gone or can't be read."""
        return _read(TapePool, self._state.objects[TAPE_POOLS].get(Key("", name)))

    async def of_no_policy(self, job: ObservedJob) -> SessionRun | None:
        """A session that has no policy any more; None if it has, seen or not seen yet; raises ApiError."""
        known = self.live.get(job.uid)
        if policy_of(self._state, job) is not None or (why := await self._owners.lost(job)) is None:
            return None
        if known is None:
            namespace = job.place.namespace
            policy = policy_stand_in(namespace, job.policy or job.place.name, None)
            plan = plan_stand_in("", (), None)
            session = SessionRun(job, policy, plan, self._start(job), stand_in=True)
            sets = (each["metadata"]["name"] for each in self._state.sets_in(namespace))
            known = await self._begin(session, sets)
        known.job = job
        known.block(why, self._clock())
        return known

    def _pool_of(self, key: Key, job: ObservedJob) -> str:
        """Where a session runs: by the last plan there was, also when its policy has another pool since."""
        known = self.live.get(job.uid)
        plan = self._plans.session_of(key) or (known.plan if known and not known.stand_in else None)
        return plan.pool if plan else str(spec_field(self._state.policies[key], "tapePool"))

    async def _session(self, job: ObservedJob, key: Key, pool: str) -> SessionRun | None:
        raw = self._state.policies[key]
        known = self.live.get(job.uid)
        last = known if known and not known.stand_in else None
        policy = _read(BackupPolicy, raw) or (last.policy if last else None)
        plan = self._plans.session_of(key) or (last.plan if last else None)
        deleted = bool(raw["metadata"].get("deletionTimestamp"))
        why = GONE if deleted else self._plans.why_no_session(key)
        try:
            if policy and plan:
                session = await self._whole(known, job, policy, plan)
            elif why is not None:
                session = await self._standing_in(job, raw, policy, pool)
            else:
                return None  # it is being planned
        except ApiError as error:
            # The others of the pool go on meanwhile.
            logger.warning("Beginning session %s: %s; again soon", job.place.name, error)
            self.unbegun.add(pool)
            return None
        if why is not None and (deleted or session.stand_in or self.pool(pool) is None):
            session.block(why, max(stalled_since(raw) or self._clock(), job.created))
        else:
            session.unblock()
        return session

    async def _whole(
        self, known: SessionRun | None, job: ObservedJob, policy: BackupPolicy, plan: SessionPlan
    ) -> SessionRun:
        sets = {origin.backup_set for origin in plan.origins.values()}
        if known is None:
            return await self._begin(SessionRun(job, policy, plan, self._start(job)), sets)
        if known.stand_in:
            recorded = self._ledger.of_session(job.place.namespace, sets, known.id)
            known.become_whole(job, policy, plan, recorded)
        else:
            known.follow(job, policy, plan)
        return known

    async def _standing_in(
        self, job: ObservedJob, raw: RawObject, policy: BackupPolicy | None, pool: str
    ) -> SessionRun:
        metadata, sets = raw["metadata"], self._state.sets_of(raw)
        policy = policy or policy_stand_in(metadata["namespace"], metadata["name"], metadata["uid"])
        plan = plan_stand_in(pool, sets, _read(BackupClass, self._state.class_of(raw)))
        known = self.live.get(job.uid)
        if known is not None:
            same = (known.plan.jobs, known.plan.pod) == (plan.jobs, plan.pod)
            known.follow(job, policy, known.plan if same else plan)
            return known
        session = SessionRun(job, policy, plan, self._start(job), stand_in=True)
        return await self._begin(session, (each["metadata"]["name"] for each in sets))

    def _start(self, job: ObservedJob) -> datetime:
        return job.started or self._clock().replace(microsecond=0)

    async def _begin(self, session: SessionRun, sets: Iterable[str]) -> SessionRun:
        """Begin a session, or go on with it after a restart, by what is recorded of it; raises ApiError."""
        job = session.job
        if job.started is None:
            named = {"namespace": session.key.namespace, "policy": session.key.name}
            with span("session start", session=job.place.name, **named):
                await self._writer.begin(job, session.started)
        session.remember(self._ledger.of_session(job.place.namespace, set(sets), session.id))
        self.live[job.uid] = session
        logger.info("Session %s of %s runs: %d objects", job.place.name, session.key, len(session.jobs))
        return session


def _read(model: type[Kind], raw: RawObject | None) -> Kind | None:
    """One of our kinds; None if it is not there, or is not as its schema says."""
    if raw is None:
        return None
    try:
        return read(model, raw)
    except Unplannable:
        return None
