"""A policy's status in words: its settings, and how its session stands."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flexlbf.api.durations import format_duration
from flexlbf.planning.times import read_time
from flexlbf.planning.wording import bytes_told, count_of

BAR = 24
RUNNING = "Running"


@dataclass(frozen=True, slots=True)
class SessionView:
    """What a status says of a session.

    Attributes:
        raw: `status.session`.
        now: when it is looked at.
    """

    raw: Mapping[str, Any]
    now: datetime

    @property
    def running(self) -> bool:
        """Whether it is not over."""
        return self.raw.get("state") == RUNNING

    @property
    def objects(self) -> int:
        """How many there are."""
        return int(self.raw.get("objects") or 0)

    @property
    def settled(self) -> int:
        """How many need no more time: backed up, given up or left out."""
        return sum(int(self.raw.get(name) or 0) for name in ("done", "failed", "skipped"))

    @property
    def bar(self) -> str:
        """How far it is, for where nothing moves: `[#####-----]`."""
        filled = BAR * self.settled // self.objects if self.objects else BAR
        return f"[{'#' * filled}{'-' * (BAR - filled)}]"

    @property
    def words(self) -> str:
        """How it stands, in a line."""
        return ", ".join(self._parts())

    @property
    def waiting(self) -> str | None:
        """What is first of those that wait, and why it does."""
        waiting = self.raw.get("waiting") or {}
        if not waiting.get("head"):
            return None
        reason = f": {waiting['reason']}" if waiting.get("reason") else ""
        return f"{waiting['head']} waits{reason}"

    def _parts(self) -> Iterator[str]:
        yield f"{self.raw.get('done') or 0:,} of {count_of(self.objects, 'object')} backed up"
        for key, word in (("failed", "failed"), ("skipped", "left out"), ("running", "running")):
            if self.raw.get(key):
                yield f"{self.raw[key]:,} {word}"
        waiting = (self.raw.get("waiting") or {}).get("objects")
        if waiting:
            yield f"{waiting:,} waiting"
        if self.raw.get("bytes"):
            yield f"{bytes_told(str(self.raw['bytes']))} written"
        yield from self._end()

    def _end(self) -> Iterator[str]:
        started, ended = read_time(self.raw.get("started")), read_time(self.raw.get("ended"))
        expected = read_time(self.raw.get("expectedEnd"))
        if started and ended:
            yield f"{str(self.raw.get('state')).lower()} after {_length(started, ended)}"
        elif expected and expected > self.now:
            yield f"over in {_length(self.now, expected)}"
        elif expected:
            yield "over any moment"


def session_of(policy: Mapping[str, Any], now: datetime) -> SessionView | None:
    """The session of a policy's status, None if it tells of none."""
    raw = (policy.get("status") or {}).get("session")
    return SessionView(raw, now) if raw else None


def settings_row(policy: Mapping[str, Any]) -> tuple[str, ...]:
    """Ready, drives, agents, duration, whether the window fits, and the next session."""
    status = policy.get("status") or {}
    best, schedule = status.get("recommendation") or {}, status.get("schedule") or {}
    conditions = {each["type"]: each for each in status.get("conditions") or ()}
    ready, fit = conditions.get("Ready", {}), conditions.get("WindowFit", {})
    return (
        f"{ready.get('status', '-')} ({ready['reason']})" if ready else "-",
        str(best.get("drives", "-")),
        str(best.get("maxAgents", "-")),
        best.get("duration", "-"),
        fit.get("reason", "-"),
        schedule.get("nextScheduleTime", "-"),
    )


def _length(start: datetime, end: datetime) -> str:
    return format_duration(max(0.0, (end - start).total_seconds()))
