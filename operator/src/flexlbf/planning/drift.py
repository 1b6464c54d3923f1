"""Drift: what the last session came to, held against what was forecast for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from flexlbf.api.durations import format_duration
from flexlbf.history.ledger import RecordedRun
from flexlbf.manifests.names import is_session_of
from flexlbf.planning.findings import Finding, Reason, Unplannable
from flexlbf.planning.snapshot import Histories, Resources
from flexlbf.planning.workload import plannable_objects
from flexlbf.scheduling.units import NANOSECONDS

SHOWN = 5
"""How many objects a message names."""

WEIGHT = 10
"""An object that takes less than a tenth of the session, forecast and measured, does not matter: doubled it
is hardly seen, and what takes seconds is often off by half."""

NO_SESSION = Finding(Reason.NO_SESSION_YET, "no session of this policy has been measured yet")


@dataclass(frozen=True, slots=True)
class Miss:
    """An object whose backup took another time than forecast; both in nanoseconds."""

    obj: str
    forecast: int
    measured: int

    @property
    def difference(self) -> int:
        """By how much, whatever the direction."""
        return abs(self.measured - self.forecast)


@dataclass(frozen=True, slots=True)
class MeasuredSession:
    """The last session of a policy that has ended, from what was recorded of it.

    Attributes:
        name: the session.
        start: when its first container began.
        duration: nanoseconds from there to the end of its last.
        objects: how many were backed up.
        missed: the objects that matter and that missed their forecast, the largest difference first; at most
            as many as are shown.
        misses: how many there are of them.
        size: bytes that they wrote, as far as they said.
    """

    name: str
    start: datetime
    duration: int
    objects: int
    missed: tuple[Miss, ...]
    misses: int
    size: int = 0


def last_measured(resources: Resources) -> MeasuredSession | None:
    """A policy's last session beside the forecast that there was, by all that was known before it began."""
    policy, histories = resources.policy, resources.histories
    session = last_session(policy.metadata.name, histories)
    if not session:
        return None
    before = known_before(histories, min(run.start for run in session.values()))
    try:
        then = plannable_objects(resources.backup_sets, resources.config_maps, before)
    except Unplannable:  # nothing at all was known then
        then = ()
    forecasts = {each.job.name: each.job.duration for each in then if each.measured}
    return measure(session, forecasts, policy.spec.drift_percent)


def last_session(policy: str, histories: Histories) -> dict[str, RecordedRun]:
    """The runs of a policy's latest session by object; empty if none was recorded."""
    latest = max(
        (
            (run.start, run.session)
            for runs in _of_objects(histories).values()
            for run in runs
            if is_session_of(policy, run.session)
        ),
        default=None,
    )
    if latest is None:
        return {}
    own = {
        obj: [run for run in runs if run.session == latest[1]] for obj, runs in _of_objects(histories).items()
    }
    return {obj: runs[-1] for obj, runs in own.items() if runs}


def known_before(histories: Histories, start: datetime) -> Histories:
    """What was recorded before an instant: what a forecast made then could be based on."""
    return {
        name: {obj: tuple(run for run in runs if run.start < start) for obj, runs in objects.items()}
        for name, objects in histories.items()
    }


def measure(
    session: Mapping[str, RecordedRun], forecasts: Mapping[str, int], percent: int
) -> MeasuredSession:
    """What a session came to.

    Args:
        session: its runs by object, at least one.
        forecasts: how many nanoseconds were forecast for each object of which anything was known.
        percent: by how much of its forecast an object may be off.
    """
    start = min(run.start for run in session.values())
    end = max(run.end for run in session.values())
    duration = max(round((end - start).total_seconds() * NANOSECONDS), 1)
    found = [
        Miss(obj, forecasts[obj], run.duration) for obj, run in sorted(session.items()) if obj in forecasts
    ]
    missed = sorted(
        (
            each
            for each in found
            if _is_off(each.measured, each.forecast, percent) and _matters(each, duration)
        ),
        key=lambda each: -each.difference,
    )
    name = next(iter(session.values())).session
    size = sum(run.size or 0 for run in session.values())
    return MeasuredSession(name, start, duration, len(session), tuple(missed[:SHOWN]), len(missed), size)


def verdict(
    measured: MeasuredSession | None, forecast: int | None, percent: int
) -> tuple[bool | None, Finding]:
    """Whether forecast and reality have parted; None while there is nothing to tell it by.

    Args:
        measured: the last session.
        forecast: how many nanoseconds the plan had for it; None if no one knows any more.
        percent: by how much of the forecast it may be off.
    """
    if measured is None:
        return None, NO_SESSION
    took = f"session {measured.name} took {_said(measured.duration)}"
    if forecast is not None:
        took += f" where {_said(forecast)} was forecast"
    off = forecast is not None and _is_off(measured.duration, forecast, percent)
    if not off and not measured.missed:
        calm = f"no object that takes a tenth of it is off by more than {percent} %"
        return False, Finding(Reason.AS_FORECAST, f"{took}; {calm}")
    return True, Finding(
        Reason.FORECAST_MISSED,
        f"{took}; {_objects(measured, percent)}; the plan is now made of what was measured",
    )


def _objects(measured: MeasuredSession, percent: int) -> str:
    if not measured.missed:
        return f"no single object that takes a tenth of it is off by more than {percent} %"
    named = ", ".join(
        f"{each.obj!r} ({_said(each.measured)} instead of {_said(each.forecast)})" for each in measured.missed
    )
    more = measured.misses - len(measured.missed)
    return f"off by more than {percent} %: {named}{f' and {more:,} more' if more else ''}"


def _is_off(measured: int, forecast: int, percent: int) -> bool:
    return abs(measured - forecast) * 100 > forecast * percent


def _matters(each: Miss, session: int) -> bool:
    return max(each.forecast, each.measured) * WEIGHT >= session


def _of_objects(histories: Histories) -> dict[str, tuple[RecordedRun, ...]]:
    return {obj: runs for objects in histories.values() for obj, runs in objects.items()}


def _said(nanoseconds: int) -> str:
    return format_duration(nanoseconds / NANOSECONDS)
