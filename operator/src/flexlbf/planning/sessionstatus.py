"""What a policy's status says of the session that the operator runs, or ran last."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flexlbf.api.quantities import format_bytes
from flexlbf.api.v1alpha1 import Condition, ConditionStatus, ConditionType, SessionState, SessionStatus
from flexlbf.api.v1alpha1 import SessionWaiting as WaitingStatus
from flexlbf.api.v1alpha1.policystatus import SHOWN_OBJECTS
from flexlbf.planning.findings import LED_BY_NOBODY, Finding, Reason

WHY_SHOWN = 1000
"""So many characters of why a policy can't be planned; its own condition has them all."""


@dataclass(frozen=True, slots=True)
class SessionWaiting:
    """How many objects wait, the first of them, and why that one does."""

    objects: int
    head: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SessionProgress:
    """How a session stands.

    Attributes:
        name: of its Job.
        objects: how many it has to back up, all told.
        failed, skipped: objects that were given up, in order of their names.
        nameless: how many more were left out, whose names nobody knows any more.
        blocked: why nothing could start; then that, and not the window's end, is why objects were left out.
        size: bytes written by those that are done.
        expected_end: forecast; None if that can't be said.
        ended: None while it runs.
    """

    name: str
    started: datetime
    objects: int
    released: int
    running: int
    waiting: SessionWaiting
    done: int
    failed: Sequence[str]
    skipped: Sequence[str]
    size: int
    expected_end: datetime | None = None
    ended: datetime | None = None
    nameless: int = 0
    blocked: Finding | None = None

    @property
    def left_out(self) -> int:
        """How many objects were."""
        return len(self.skipped) + self.nameless

    @property
    def state(self) -> SessionState:
        """Whether it runs, and how it ended."""
        if self.ended is None:
            return SessionState.RUNNING
        return SessionState.FAILED if self.failed or self.left_out else SessionState.SUCCEEDED

    @property
    def finding(self) -> Finding:
        """The reason of `SessionComplete`."""
        backed_up = f"{self.name}: {self.done} of {self.objects} objects backed up"
        if self.ended is None:
            held = f"; nothing more starts, since {_why(self.blocked)}" if self.blocked else ""
            return Finding(Reason.SESSION_RUNNING, backed_up + held)
        failed = f"; failed: {_named(self.failed)}" if self.failed else ""
        since = f"since {_why(self.blocked)}" if self.blocked else "before the window ended"
        left_out = f"; not started {since}: {_named(self.skipped, self.nameless)}" if self.left_out else ""
        return Finding(self._reason, f"{backed_up}{failed}{left_out}")

    @property
    def _reason(self) -> Reason:
        """How it ended, in a word."""
        if self.blocked and self.left_out:
            deleted = self.blocked.reason is Reason.POLICY_DELETED
            return Reason.POLICY_DELETED if deleted else Reason.SESSION_ABANDONED
        if self.failed:
            return Reason.SESSION_FAILED
        return Reason.WINDOW_ENDED if self.left_out else Reason.SESSION_SUCCEEDED


def session_status(
    progress: SessionProgress, generation: int, now: datetime, before: Condition | None, token: str | None
) -> dict[str, Any]:
    """The part of a policy's status that tells of its session.

    Args:
        progress: how the session stands.
        generation: of the policy that it was found for.
        now: for a condition that changes.
        before: the condition `SessionComplete` as it is.
        token: the last run token that was served.
    """
    finding, state = progress.finding, progress.state
    status = ConditionStatus.TRUE if state is SessionState.SUCCEEDED else ConditionStatus.FALSE
    changed = before is None or before.status != status
    condition = Condition(
        type=ConditionType.SESSION_COMPLETE,
        status=status,
        reason=finding.reason,
        message=finding.message,
        observed_generation=generation,
        last_transition_time=now if changed or before is None else before.last_transition_time,
    )
    shown: dict[str, Any] = {"conditions": [condition.to_api()], "session": _shown(progress).to_api()}
    return {**shown, "runToken": token} if token else shown


def _shown(progress: SessionProgress) -> SessionStatus:
    waiting = progress.waiting
    return SessionStatus(
        name=progress.name,
        state=progress.state,
        started=progress.started,
        expected_end=_to_seconds(progress.expected_end) if progress.ended is None else None,
        ended=_to_seconds(progress.ended),
        objects=progress.objects,
        released=progress.released,
        running=progress.running,
        waiting=WaitingStatus(objects=waiting.objects, head=waiting.head, reason=waiting.reason[:512] or None)
        if progress.ended is None
        else None,
        done=progress.done,
        failed=len(progress.failed),
        failed_objects=tuple(progress.failed[:SHOWN_OBJECTS]) or None,
        skipped=progress.left_out,
        skipped_objects=tuple(progress.skipped[:SHOWN_OBJECTS]) or None,
        bytes=format_bytes(progress.size),
    )


def _to_seconds(instant: datetime | None) -> datetime | None:
    return instant.replace(microsecond=0) if instant else None


def _why(blocked: Finding) -> str:
    if blocked.reason in LED_BY_NOBODY:
        return blocked.message
    return f"the policy gives no plan to run ({blocked.reason}: {blocked.message[:WHY_SHOWN]})"


def _named(objects: Sequence[str], nameless: int = 0) -> str:
    shown = ", ".join(objects[:SHOWN_OBJECTS])
    if not objects:
        return f"{nameless} whose names nobody knows any more"
    more = max(len(objects) - SHOWN_OBJECTS, 0) + nameless
    return f"{shown} and {more} more" if more else shown
