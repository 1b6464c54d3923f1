"""Tells of sessions in their policies' statuses and in events.

This part of a status has a field manager of its own, so that it and the plan's never take each other back.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from flexlbf.api.v1alpha1 import Condition, ConditionType, SessionState
from flexlbf.cluster.resources import BACKUP_POLICIES
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.cluster.writer import Writer
from flexlbf.handlers.livesession import SessionRun
from flexlbf.manifests.names import ANNOTATION_RUN_TOKEN
from flexlbf.planning.sessionstatus import SessionProgress, session_status
from flexlbf.planning.snapshot import RawObject

SESSIONS = "flexlbf-operator-sessions"
"""The field manager of what is told of sessions."""


class SessionReports:
    """Writes what a policy's status says of its session."""

    def __init__(self, state: ClusterState, writer: Writer, clock: Callable[[], datetime]) -> None:
        self._state = state
        self._writer = writer
        self._clock = clock
        self._told: dict[Key, dict[str, Any]] = {}

    async def take_over(self) -> None:
        """Another may have told other things meanwhile."""
        self._told.clear()

    async def report(self, session: SessionRun, progress: SessionProgress) -> None:
        """Tell how a session stands, and once it is over that its run token was served; raises ApiError."""
        policy = self._policy_of(session)
        if policy is None:
            return
        token = (policy.get("status") or {}).get("runToken")
        if progress.ended is not None:
            token = session.job.annotations.get(ANNOTATION_RUN_TOKEN, token)
        generation = policy["metadata"].get("generation") or 0
        now = self._clock().replace(microsecond=0)
        status = session_status(progress, generation, now, _condition(policy), token)
        if self._told.get(session.key) == status:
            return
        await self._writer.write_status(BACKUP_POLICIES, policy, status, manager=SESSIONS)
        self._told[session.key] = status

    async def tell_end(self, session: SessionRun, progress: SessionProgress) -> None:
        """An event that a session is over, by name with what was not backed up."""
        policy = self._policy_of(session)
        if policy is not None:
            kind = "Normal" if progress.state is SessionState.SUCCEEDED else "Warning"
            stamp = self._clock().strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            await self._writer.tell(policy, kind, "Session", progress.finding, stamp)

    def _policy_of(self, session: SessionRun) -> RawObject | None:
        """None if it is gone, though another may have its name since."""
        policy = self._state.policies.get(session.key)
        return policy if policy and policy["metadata"]["uid"] == session.policy.metadata.uid else None


def _condition(policy: RawObject) -> Condition | None:
    for raw in (policy.get("status") or {}).get("conditions") or ():
        if raw.get("type") == ConditionType.SESSION_COMPLETE:
            try:
                return Condition.read(raw)
            except ValidationError:
                return None
    return None
