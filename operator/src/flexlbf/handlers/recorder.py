"""Records the runs of Planned policies, and tells which of their sessions are underway.

The dispatcher does both for the sessions that the operator runs.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Protocol

from flexlbf.api.durations import Duration
from flexlbf.api.v1alpha1 import Execution
from flexlbf.cluster.client import ApiError
from flexlbf.cluster.plannedruns import planned_policy, recordable, session_of_job
from flexlbf.cluster.runs import Run
from flexlbf.cluster.state import ClusterState, Key, key_of
from flexlbf.handlers.observe import session_begun
from flexlbf.history.ledger import Run as RecordableRun
from flexlbf.manifests.names import planned_session_name
from flexlbf.planning.snapshot import RawObject

logger = logging.getLogger(__name__)

GATHER_SECONDS = 2.0
GATHER_RUNS = 200
"""Runs are recorded together after so long, or as soon as there are so many."""

FIRST_RETRY_SECONDS = 1.0
LAST_RETRY_SECONDS = 60.0


class Histories(Protocol):
    """Where runs are recorded."""

    async def record(self, namespace: str, runs: Iterable[RecordableRun]) -> None:
        """Record runs; raises ApiError, and all may be given again."""


class Recorder:
    """Gathers the runs of plans that have ended, and records them.

    Args:
        changed: hears of a policy which sessions of its plan are underway.
        ask: has a policy reconciled, in a moment.
        clock: the present time.
    """

    def __init__(
        self,
        state: ClusterState,
        histories: Histories,
        changed: Callable[[Key, Execution, frozenset[str]], None],
        ask: Callable[[Key], None],
        clock: Callable[[], datetime],
    ) -> None:
        self._state = state
        self._histories = histories
        self._changed = changed
        self._ask = ask
        self._clock = clock
        self._waiting: dict[str, dict[str, set[RecordableRun]]] = {}
        self._open: dict[Key, dict[str, set[str]]] = {}
        self._ends: dict[Key, tuple[str, datetime]] = {}
        self._leading = False
        self._some = asyncio.Event()
        self._many = asyncio.Event()

    def seen(self, run: Run) -> None:
        """Take in a run as it is now; those of no plan are nobody's business here.

        To be called for each run whose Job or pod has changed, and for all there are after a list.
        """
        policy = planned_policy(self._state, run)
        if policy is None or run.job is None:
            return
        key = Key(run.job.place.namespace, policy)
        found = recordable(self._state, run) if self._leading else None
        if found is not None:
            self._waiting.setdefault(key.namespace, {}).setdefault(found.session, set()).add(found)
            self._some.set()
            if self._gathered() >= GATHER_RUNS:
                self._many.set()
        self._note(key, session_of_job(policy, run.job), run.job.uid, is_open=run.succeeded is None)

    def gone(self, run: Run) -> None:
        """The Job of a run was deleted: it will not end any more."""
        policy = planned_policy(self._state, run)
        if policy is not None and run.job is not None:
            session = session_of_job(policy, run.job)
            self._note(Key(run.job.place.namespace, policy), session, run.job.uid, is_open=False)

    def _note(self, key: Key, session: str, job: str, *, is_open: bool) -> None:
        """Keep what is open of each session, and look at the policy when a session's first or last is."""
        sessions = self._open.setdefault(key, {})
        was_open = session in sessions
        jobs = sessions.setdefault(session, set())
        (jobs.add if is_open else jobs.discard)(job)
        if not jobs:
            del sessions[session]
        if (session in sessions) != was_open:
            self._look_and_ask(key)

    def _gathered(self) -> int:
        return sum(len(runs) for sessions in self._waiting.values() for runs in sessions.values())

    def forget(self, key: Key) -> None:
        """A policy is gone."""
        self._open.pop(key, None)
        self._ends.pop(key, None)
        self._changed(key, Execution.PLANNED, frozenset())

    def look(self, key: Key) -> float | None:
        """Tell which sessions of a policy's plan are underway now.

        One is from its start until its planned end has passed, none of its Jobs is active, and what they came
        to is recorded.

        Returns:
            Seconds until the planned end of the last one; None if that has passed.
        """
        policy = self._state.policies.get(key)
        if policy is None:
            return None
        sessions = set(self._open.get(key, {}))
        waiting = self._waiting.get(key.namespace, {})
        seconds = None
        planned = self._planned(policy)
        if planned is not None:
            name, end = planned
            left = (end - self._clock()).total_seconds()
            if left > 0:
                sessions.add(name)
                seconds = left
        known = self._state.underway.get((key, Execution.PLANNED), frozenset())
        self._changed(key, Execution.PLANNED, frozenset(sessions | (known & waiting.keys())))
        return seconds

    def _look_and_ask(self, key: Key) -> None:
        """Look; a session that is new has its policy reconciled, and that waits for its end."""
        before = self._ends.get(key)
        if self.look(key) is not None and self._ends.get(key) != before:
            self._ask(key)

    def _planned(self, policy: RawObject) -> tuple[str, datetime] | None:
        """The last session of a policy's plan, and when it is to end by the plan that it began with.

        A longer plan that is made later is the next session's: by it, one that is over would run again.
        """
        if (policy.get("spec") or {}).get("execution") == Execution.ADAPTIVE.value:
            return None
        begun = session_begun(policy, self._state.cron_jobs.of(policy["metadata"]["uid"]).values())
        if begun is None:
            return None
        key, name = key_of(policy), planned_session_name(policy["metadata"]["name"], begun)
        known = self._ends.get(key)
        if known is not None and known[0] == name:
            return known
        planned = ((policy.get("status") or {}).get("schedule") or {}).get("duration")
        try:
            length = Duration.parse(str(planned))
        except ValueError:
            return None
        self._ends[key] = name, begun + timedelta(milliseconds=length.milliseconds)
        return self._ends[key]

    def begin_term(self) -> None:
        """From now on runs are to be recorded; all there are will be `seen` again."""
        self._leading = True
        self._waiting.clear()

    async def run_for_ever(self) -> None:
        """Record what has been gathered, until the term ends; what fails is tried again, later each time."""
        try:
            await self._record_for_ever()
        finally:
            self._leading = False
            self._waiting.clear()

    async def _record_for_ever(self) -> None:
        delay = FIRST_RETRY_SECONDS
        while True:
            await self._some.wait()
            try:
                async with asyncio.timeout(GATHER_SECONDS):
                    await self._many.wait()
            except TimeoutError:
                pass
            try:
                await self.flush()
                delay = FIRST_RETRY_SECONDS
            except Exception as error:  # noqa: BLE001 - a recorder that dies unseen would lose all that follows
                logger.warning("Recording runs: %s: %s", type(error).__name__, error)
                await asyncio.sleep(getattr(error, "retry_after", None) or delay)
                delay = min(delay * 2, LAST_RETRY_SECONDS)
                self._some.set()

    async def flush(self) -> None:
        """Record all that waits; raises ApiError, and what is not recorded goes on waiting."""
        self._some.clear()
        self._many.clear()
        failed: ApiError | None = None
        for namespace, waiting in list(self._waiting.items()):
            gathered = {session: frozenset(runs) for session, runs in waiting.items()}
            try:
                await self._histories.record(namespace, frozenset().union(*gathered.values()))
            except ApiError as error:
                failed = error
                continue
            # Until they are stored they wait, so that their session is not taken for ended.
            for session, runs in gathered.items():
                waiting[session] -= runs
                if not waiting[session]:
                    del waiting[session]
            if not waiting:
                del self._waiting[namespace]
            for key in [key for key in self._state.policies if key.namespace == namespace]:
                self._look_and_ask(key)
        if failed is not None:
            raise failed
