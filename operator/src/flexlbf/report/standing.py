"""How a policy stands, as its status tells and as its streams run: what changes while a page is looked at."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flexlbf.api.durations import format_duration
from flexlbf.planning.sessionwords import SessionView, session_of
from flexlbf.planning.times import read_time
from flexlbf.planning.wording import bytes_told, count_of
from flexlbf.report.model import Headline, Table

SHOWN_NAMES = 10
"""Of objects that failed or were left out so many are named."""

GOOD = {"Ready": "True", "WindowFit": "True", "SessionComplete": "True", "Drifted": "False"}
BAD = {
    "Ready": "False",
    "Stalled": "True",
    "WindowFit": "False",
    "SessionComplete": "False",
    "Drifted": "True",
}
SILENT = {"Stalled": "False", "Reconciling": "False"}
"""Conditions that say nothing while they don't hold."""

UNDERWAY = frozenset({"SessionRunning", "Planning", "Applying"})
"""Reasons of what is neither good nor bad yet."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A condition as it is shown.

    Attributes:
        verdict: `good`, `bad`, or neither.
        since: when it last changed, None if the status does not say.
    """

    kind: str
    status: str
    reason: str
    message: str
    verdict: str
    since: datetime | None


@dataclass(frozen=True, slots=True)
class OpenStream:
    """An object that is being backed up.

    Attributes:
        rate: MB/s that it was given.
        began: None if it has not started yet.
        attempt: which try it is, from 1.
    """

    obj: str
    drive: str
    rate: float
    began: datetime | None
    attempt: int


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar, in per cent of it.

    Attributes:
        kind: `done`, `failed`, `running` or `waiting`.
    """

    kind: str
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Progress:
    """The session that runs, or ran last, as its status tells.

    Attributes:
        name: of its Job.
        running: whether it is not over.
        words: how it stands, in a line.
        bar: how many of its objects are where.
        headlines: the figures in large print, while it runs.
        waiting: what waits first, and why; None where nothing does.
        troubles: what failed and what was left out, a line each.
    """

    name: str
    running: bool
    words: str
    bar: tuple[Part, ...]
    headlines: tuple[Headline, ...]
    waiting: str | None
    troubles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """How a policy stands.

    Attributes:
        namespace, policy: whose it is.
        verdicts: its conditions.
        progress: its session; None if the status tells of none.
        streams: what runs now; None where nothing does.
        schedule: when the last session began and the next does, as a line; empty if neither is known.
    """

    namespace: str
    policy: str
    verdicts: tuple[Verdict, ...]
    progress: Progress | None
    streams: Table | None
    schedule: str

    @property
    def name(self) -> str:
        """Namespace and name."""
        return f"{self.namespace}/{self.policy}"

    @property
    def running(self) -> bool:
        """Whether something of it runs, so that another look shows something else."""
        return self.streams is not None or (self.progress is not None and self.progress.running)


def standing_of(
    policy: Mapping[str, Any], streams: Iterable[OpenStream], window_end: datetime | None, now: datetime
) -> Standing:
    """How a policy stands at an instant.

    Args:
        policy: as the API server gives it.
        streams: what it has running.
        window_end: when the window of the session that runs ends.
        now: in UTC.
    """
    metadata = policy["metadata"]
    session = session_of(policy, now)
    return Standing(
        namespace=metadata["namespace"],
        policy=metadata["name"],
        verdicts=tuple(verdicts(policy)),
        progress=_progress(session, window_end) if session else None,
        streams=_streams(sorted(streams, key=lambda each: (each.drive, each.obj)), now),
        schedule=_schedule(policy, now),
    )


def verdicts(policy: Mapping[str, Any]) -> Iterator[Verdict]:
    """The conditions of a policy that say something, those it is stalled by first."""
    conditions = (policy.get("status") or {}).get("conditions") or ()
    for each in sorted(conditions, key=lambda condition: condition.get("type") != "Stalled"):
        kind, status, reason = each.get("type", ""), each.get("status", ""), each.get("reason", "")
        if SILENT.get(kind) == status:
            continue
        good, bad = GOOD.get(kind) == status, BAD.get(kind) == status
        told = "" if reason in UNDERWAY else "good" if good else "bad" if bad else ""
        since = read_time(each.get("lastTransitionTime"))
        yield Verdict(kind, status, reason, each.get("message", ""), told, since)


def _progress(session: SessionView, window_end: datetime | None) -> Progress:
    return Progress(
        name=str(session.raw.get("name")),
        running=session.running,
        words=session.words,
        bar=tuple(_bar(session)),
        headlines=tuple(_headlines(session, window_end)) if session.running else (),
        waiting=session.waiting if session.running else None,
        troubles=tuple(_troubles(session)),
    )


def _counts(session: SessionView) -> dict[str, int]:
    raw = session.raw
    return {
        "done": int(raw.get("done") or 0),
        "failed": int(raw.get("failed") or 0) + int(raw.get("skipped") or 0),
        "running": int(raw.get("running") or 0),
        "waiting": int((raw.get("waiting") or {}).get("objects") or 0),
    }


def _bar(session: SessionView) -> Iterator[Part]:
    counts = _counts(session)
    whole, start = max(session.objects, sum(counts.values()), 1), 0
    for kind, count in counts.items():
        if count:
            yield Part(kind, 100 * start / whole, 100 * count / whole)
        start += count


def _headlines(session: SessionView, window_end: datetime | None) -> Iterator[Headline]:
    raw, counts = session.raw, _counts(session)
    written = f"{bytes_told(str(raw['bytes']))} written" if raw.get("bytes") else ""
    yield Headline("Backed up", f"{counts['done']:,} of {session.objects:,}", written)
    yield Headline("Running", f"{counts['running']:,}", f"{int(raw.get('released') or 0):,} started so far")
    yield Headline("Waiting", f"{counts['waiting']:,}", "yet to start, or to start again")
    if counts["failed"]:
        yield Headline("Failed or left out", f"{counts['failed']:,}", "see below", "bad")
    yield _end(session, window_end)


def _end(session: SessionView, window_end: datetime | None) -> Headline:
    expected, started = (
        read_time(raw_end := session.raw.get("expectedEnd")),
        read_time(session.raw.get("started")),
    )
    begun = f"began {_clock(started)}" if started else ""
    if raw_end is None or expected is None:
        return Headline("Expected end", "not known yet", begun)
    left = (expected - session.now).total_seconds()
    value, at = f"in {format_duration(left)}" if left > 0 else "any moment", f"at {_clock(expected)}"
    if window_end is None:
        return Headline("Expected end", value, f"{at}; {begun}")
    spare = (window_end - expected).total_seconds()
    if spare >= 0:
        return Headline(
            "Expected end", value, f"{at}, {format_duration(spare)} before its window ends", "good"
        )
    return Headline("Expected end", value, f"{at}, {format_duration(-spare)} after its window ends", "bad")


def _troubles(session: SessionView) -> Iterator[str]:
    for key, words in (("failed", "failed"), ("skipped", "left out")):
        names, number = session.raw.get(f"{key}Objects") or (), int(session.raw.get(key) or 0)
        if names:
            more = number - min(len(names), SHOWN_NAMES)
            also = f" and {more:,} more" if more > 0 else ""
            yield f"{count_of(number, 'object')} {words}: {', '.join(names[:SHOWN_NAMES])}{also}"


def _streams(streams: list[OpenStream], now: datetime) -> Table | None:
    if not streams:
        return None
    rows = [
        (
            each.obj,
            each.drive,
            f"{each.rate:,.1f}",
            format_duration(max(0, int((now - each.began).total_seconds()))) if each.began else "starts",
            f"{each.attempt}" if each.attempt > 1 else "first",
        )
        for each in streams
    ]
    titles = ("<Object", "<Drive", "MB/s given", "Runs for", "Try")
    return Table.of(f"{count_of(len(rows), 'object')} being backed up now", titles, rows)


def _schedule(policy: Mapping[str, Any], now: datetime) -> str:
    schedule = (policy.get("status") or {}).get("schedule") or {}
    last, following = (read_time(schedule.get(f"{each}ScheduleTime")) for each in ("last", "next"))
    parts = [f"last session began {_clock(last)}"] if last else []
    if following and following > now:
        parts.append(f"next session {_clock(following)}")
    if (policy.get("spec") or {}).get("suspend"):
        parts.append("suspended: no session begins")
    return ", ".join(parts)


def _clock(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M} UTC"
