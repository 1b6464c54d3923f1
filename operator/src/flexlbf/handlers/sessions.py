"""Runs the sessions of a pool: what of them may start, and what of them is over."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import Place
from flexlbf.cluster.state import Key
from flexlbf.handlers.dispatcher import Dispatcher
from flexlbf.handlers.livesession import SessionRun, Standing
from flexlbf.handlers.observe import Task
from flexlbf.handlers.roster import Roster
from flexlbf.handlers.settling import RECORD_EVERY, REPORT_EVERY, Settler
from flexlbf.handlers.workqueue import WorkQueue

SOON = timedelta(milliseconds=100)
BEGIN_AGAIN_SECONDS = 2.0
TIDY_SECONDS = 1.0
SETTLE_SECONDS = 0.2
"""Seconds in which what is to be settled is gathered: nobody waits for it."""


def exact_now() -> datetime:
    """The wall clock, for what is done at an instant."""
    return datetime.now(UTC)


class SessionReconciler:
    """Starts what may start and ends what is over; safe to run at any time and any number of times.

    Args:
        queue: takes what is to be settled.
    """

    def __init__(
        self,
        runs: RunIndex,
        roster: Roster,
        dispatcher: Dispatcher,
        settler: Settler,
        queue: WorkQueue[Task],
        clock: Callable[[], datetime] = exact_now,
    ) -> None:
        self._runs = runs
        self._roster = roster
        self._dispatcher = dispatcher
        self._settler = settler
        self._queue = queue
        self._clock = clock
        self._over: dict[Key, SessionRun] = {}

    async def take_over(self) -> None:
        """Forget all that was only in memory: another may have led meanwhile."""
        self._roster.live.clear()
        self._over.clear()

    async def reconcile(self, key: Key) -> float | None:
        """Go on with the sessions of a pool: start what may start.

        Returns:
            Seconds after which to look again at the latest; None if none runs.
        """
        sessions = await self._roster.of_pool(key.name)
        again = BEGIN_AGAIN_SECONDS if key.name in self._roster.unbegun else None
        if not sessions:
            return again
        now = self._clock()
        standings = [(each, self._standing(each, now)) for each in sessions]
        pool = self._roster.pool(key.name)
        if pool is None:
            for session, standing in standings:
                session.hold(f"TapePool {key.name!r} is not there, or can't be read", standing)
        else:
            await self._dispatcher.dispatch(pool, standings, self._roster.live.values(), now)
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
        lost = await self._roster.of_no_policy(job) if job.underway else None
        session = lost or self._roster.live.get(job.uid)
        if job.underway and session is not None:
            now = self._clock()
            await self._settler.settle(session, lambda: self._standing(session, now), now)
            self._over[key] = session
        again = await self._tidy(key)
        # Of no pool are they that have lost their policy: nothing else would have them looked at.
        return again if lost is None or key not in self._over else again or REPORT_EVERY.total_seconds()

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
        ends = (session.window_end, session.given_up_at)
        times += [each for each in ends if each and each > now]
        return max(min(times) - now, SOON)

    def _standing(self, session: SessionRun, now: datetime) -> Standing:
        session.heed(self._runs)
        return session.standing(self._runs.of_session(session.job.uid), now)
