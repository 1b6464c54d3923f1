"""What a policy's status says of the session that the operator runs, or ran last."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flexlbf.api.quantities import format_bytes
from flexlbf.api.v1alpha1 import Condition, ConditionStatus, ConditionType, SessionState, SessionStatus
from flexlbf.api.v1alpha1 import SessionWaiting as WaitingStatus
from flexlbf.api.v1alpha1.policystatus import SHOWN_OBJECTS
from flexlbf.planning.findings import Finding, Reason


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

    @property
    def state(self) -> SessionState:
        """Whether it runs, and how it ended."""
        if self.ended is None:
            return SessionState.RUNNING
        return SessionState.FAILED if self.failed or self.skipped else SessionState.SUCCEEDED

    @property
    def finding(self) -> Finding:
        """The reason of `SessionComplete`."""
        backed_up = f"{self.name}: {self.done} of {self.objects} objects backed up"
        if self.ended is None:
            return Finding(Reason.SESSION_RUNNING, backed_up)
        if self.failed:
            also = f"; not started before the window ended: {_named(self.skipped)}" if self.skipped else ""
            return Finding(Reason.SESSION_FAILED, f"{backed_up}; failed: {_named(self.failed)}{also}")
        if self.skipped:
            told = f"{backed_up}; not started before the window ended: {_named(self.skipped)}"
            return Finding(Reason.WINDOW_ENDED, told)
        return Finding(Reason.SESSION_SUCCEEDED, backed_up)


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
        skipped=len(progress.skipped),
        skipped_objects=tuple(progress.skipped[:SHOWN_OBJECTS]) or None,
        bytes=format_bytes(progress.size),
    )


def _to_seconds(instant: datetime | None) -> datetime | None:
    return instant.replace(microsecond=0) if instant else None


def _named(objects: Sequence[str]) -> str:
    more = len(objects) - SHOWN_OBJECTS
    return ", ".join(objects[:SHOWN_OBJECTS]) + (f" and {more} more" if more > 0 else "")
