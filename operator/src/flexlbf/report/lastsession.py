"""The last real session of a policy: what is held beside its forecast."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from flexlbf.api.v1alpha1 import SessionStatus


@dataclass(frozen=True, slots=True)
class LastSession:
    """A session that runs, or ran last.

    Attributes:
        name: of its Job.
        state: `Running`, `Succeeded` or `Failed`.
        started: when it began.
        ended: when it ended; while it runs, when it is expected to, or None if that can't be said.
        objects, done, failed, skipped: how many objects it had, and what became of them.
        size: bytes written, as the status says it.
    """

    name: str
    state: str
    started: datetime
    ended: datetime | None
    objects: int
    done: int
    failed: int
    skipped: int
    size: str

    @property
    def running(self) -> bool:
        """Whether it is not over."""
        return self.state == "Running"

    @property
    def duration_s(self) -> float | None:
        """Seconds that it took, or is expected to take."""
        return None if self.ended is None else max(0.0, (self.ended - self.started).total_seconds())


def last_session(policy: Mapping[str, Any]) -> LastSession | None:
    """The session that the status of a policy tells of, if it has one and can be read."""
    status = policy.get("status")
    raw = status.get("session") if isinstance(status, Mapping) else None
    if not raw:
        return None
    try:
        told = SessionStatus.read(raw)
    except ValidationError:
        # A file's status is nobody's input: a report without it is better than none.
        return None
    end = told.ended or told.expected_end
    return LastSession(
        name=told.name,
        state=told.state.value,
        started=told.started.astimezone(UTC),
        ended=end.astimezone(UTC) if end else None,
        objects=told.objects,
        done=told.done,
        failed=told.failed,
        skipped=told.skipped,
        size=told.bytes or "",
    )
