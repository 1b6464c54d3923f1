"""All policies at a glance: a row of each, by namespace."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from flexlbf.planning.sessionwords import session_of
from flexlbf.planning.times import read_time
from flexlbf.report.standing import Verdict, verdicts

NONE = "-"


@dataclass(frozen=True, slots=True)
class Row:
    """A policy in the overview.

    Attributes:
        ready: its condition Ready, or Stalled where that says more; None before it was looked at.
        window: its condition WindowFit; None likewise.
        drives, agents, duration: as recommended.
        session: how its last or running session stands; empty if it had none.
        running: whether that is not over.
        done, objects: how many of that session's objects need no more time, and how many there are.
        following: when the next session begins, None if that is not known.
    """

    namespace: str
    name: str
    ready: Verdict | None
    window: Verdict | None
    drives: str
    agents: str
    duration: str
    session: str
    running: bool
    done: int
    objects: int
    following: datetime | None


@dataclass(frozen=True, slots=True)
class Group:
    """The policies of a namespace."""

    namespace: str
    rows: tuple[Row, ...]


def overview(policies: Iterable[Mapping[str, Any]], now: datetime) -> tuple[Group, ...]:
    """The policies by namespace and name."""
    rows = sorted((_row(each, now) for each in policies), key=lambda row: (row.namespace, row.name))
    return tuple(
        Group(namespace, tuple(of_namespace))
        for namespace, of_namespace in groupby(rows, key=lambda row: row.namespace)
    )


def _row(policy: Mapping[str, Any], now: datetime) -> Row:
    metadata, status = policy["metadata"], policy.get("status") or {}
    best, schedule = status.get("recommendation") or {}, status.get("schedule") or {}
    conditions = {each.kind: each for each in verdicts(policy)}
    session = session_of(policy, now)
    following = read_time(schedule.get("nextScheduleTime"))
    return Row(
        namespace=metadata["namespace"],
        name=metadata["name"],
        ready=conditions.get("Stalled") or conditions.get("Ready"),
        window=conditions.get("WindowFit"),
        drives=str(best.get("drives", NONE)),
        agents=str(best.get("maxAgents", NONE)),
        duration=str(best.get("duration", NONE)),
        session=session.words if session else _last(status),
        running=bool(session and session.running),
        done=session.settled if session else 0,
        objects=session.objects if session else 0,
        following=following if following and following > now else None,
    )


def _last(status: Mapping[str, Any]) -> str:
    """A session that Kubernetes ran by the plan, as it was measured."""
    last = status.get("lastSession") or {}
    if not last:
        return ""
    forecast = f", forecast {last['forecast']}" if last.get("forecast") else ""
    return f"{last.get('objects'):,} objects in {last.get('duration')}{forecast}"
