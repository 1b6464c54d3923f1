"""The status of a policy, from its plan and from what has become of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from flexlbf.api.durations import Duration, format_duration
from flexlbf.api.timestamps import format_timestamp
from flexlbf.api.v1alpha1 import (
    BackupPolicySpec,
    Condition,
    ConditionStatus,
    ConditionType,
    LastSession,
    merge_conditions,
)
from flexlbf.planning import drift
from flexlbf.planning.findings import Finding, Reason
from flexlbf.planning.plan import Plan
from flexlbf.planning.snapshot import RawObject
from flexlbf.planning.times import read_time
from flexlbf.scheduling.units import NANOSECONDS, NANOSECONDS_PER_MILLISECOND

FIGURES = ("workload", "recommendation", "alternatives")
OF_SESSIONS = frozenset({"session", "runToken"})
MESSAGE_LIMIT = 32_000

UP_TO_DATE = Finding(Reason.UP_TO_DATE, "status and CronJobs are as planned")


@dataclass(frozen=True, slots=True)
class ScheduleTimes:
    """When the last session began and the next begins; None if there is none."""

    last: datetime | None = None
    following: datetime | None = None


def planned_status(
    policy: RawObject, plan: Plan, times: ScheduleTimes, *, cron_jobs: int, now: datetime
) -> dict[str, Any]:
    """The status of a policy whose plan is carried out, or that can't be planned.

    A policy that can't be planned keeps the figures of its last good plan, as its CronJobs are kept.
    """
    if plan.stalled is not None:
        kept = _previous(policy)
        if "schedule" in kept:
            kept["schedule"] = _schedule(kept["schedule"].get("duration"), times, cron_jobs)
        return _assemble(policy, _stalled_conditions(policy, plan.stalled), kept, now)
    body = {**plan.figures, "schedule": _schedule(plan.session_duration, times, cron_jobs)}
    session = _last_session(policy, plan.measured)
    if session:
        body["lastSession"] = session
    conditions = [*_planned_conditions(plan), _drifted(policy, plan.measured, session)]
    return _assemble(policy, conditions, body, now)


def unfinished_status(policy: RawObject, finding: Finding, *, now: datetime) -> dict[str, Any]:
    """The status while a plan is made or carried out, or while that fails and is tried again."""
    kept = [_condition_before(policy, kind) for kind in (ConditionType.WINDOW_FIT, ConditionType.DRIFTED)]
    conditions = [
        _condition(ConditionType.READY, ConditionStatus.FALSE, finding),
        _condition(ConditionType.RECONCILING, ConditionStatus.TRUE, finding),
        _condition(ConditionType.STALLED, ConditionStatus.FALSE, finding),
        *(each for each in kept if each),
    ]
    return _assemble(policy, conditions, _previous(policy), now)


def differs(status: Mapping[str, Any], policy: RawObject) -> bool:
    """Whether a status says anything of the plan that the policy's own does not."""
    return _of_the_plan(policy.get("status") or {}) != _of_the_plan(status)


def _of_the_plan(status: Mapping[str, Any]) -> dict[str, Any]:
    """A status without what is told of sessions, which is written for itself."""
    kept = {key: value for key, value in status.items() if key not in OF_SESSIONS}
    conditions = kept.get("conditions") or ()
    kept["conditions"] = {
        each.get("type"): each for each in conditions if each.get("type") != ConditionType.SESSION_COMPLETE
    }
    return kept


def session_start(policy: RawObject) -> datetime | None:
    """When the last session began, by the policy's own status."""
    last = ((policy.get("status") or {}).get("schedule") or {}).get("lastScheduleTime")
    return read_time(last)


def _previous(policy: RawObject) -> dict[str, Any]:
    status = policy.get("status") or {}
    return {key: status[key] for key in (*FIGURES, "schedule", "lastSession") if key in status}


def _last_session(policy: RawObject, measured: drift.MeasuredSession | None) -> dict[str, Any] | None:
    """The last session beside its forecast: what the status has said before the plan was made anew.

    That is kept with the session, so that a plan made later, or after a restart, does not pass for it.
    """
    if measured is None:
        return None
    before = policy.get("status") or {}
    known = before.get("lastSession") or {}
    same = known.get("name") == measured.name
    forecast = known.get("forecast") if same else (before.get("schedule") or {}).get("duration")
    return LastSession(
        name=measured.name,
        start_time=measured.start,
        duration=format_duration(measured.duration / NANOSECONDS),
        forecast=forecast if _nanoseconds(forecast) else None,
        objects=measured.objects,
    ).to_api()


def _nanoseconds(duration: object) -> int | None:
    try:
        return Duration.parse(str(duration)).milliseconds * NANOSECONDS_PER_MILLISECOND
    except ValueError:  # there is none, or one that somebody else wrote
        return None


def _drifted(
    policy: RawObject, measured: drift.MeasuredSession | None, session: Mapping[str, Any] | None
) -> Condition:
    default = BackupPolicySpec.model_fields["drift_percent"].default
    percent = int((policy.get("spec") or {}).get("driftPercent") or default)
    off, why = drift.verdict(measured, _nanoseconds((session or {}).get("forecast")), percent)
    return _condition(ConditionType.DRIFTED, _HOLDS[off], why)


def _schedule(duration: str | None, times: ScheduleTimes, cron_jobs: int) -> dict[str, Any]:
    shown: dict[str, Any] = {"cronJobs": cron_jobs}
    if duration:
        shown["duration"] = duration
    if times.following:
        shown["nextScheduleTime"] = format_timestamp(times.following)
    if times.last:
        shown["lastScheduleTime"] = format_timestamp(times.last)
    return shown


def _planned_conditions(plan: Plan) -> list[Condition]:
    return [
        _condition(ConditionType.READY, ConditionStatus.TRUE, plan.outcome or UP_TO_DATE),
        _condition(ConditionType.RECONCILING, ConditionStatus.FALSE, UP_TO_DATE),
        _condition(ConditionType.STALLED, ConditionStatus.FALSE, UP_TO_DATE),
        _condition(ConditionType.WINDOW_FIT, _HOLDS[plan.window_fit], plan.window),
    ]


def _stalled_conditions(policy: RawObject, finding: Finding) -> list[Condition]:
    emitted = (_previous(policy).get("schedule") or {}).get("cronJobs")
    kept = "; the CronJobs of the last good plan stay" if emitted else ""
    told = Finding(finding.reason, f"{finding.message}{kept}")
    drifted = _condition_before(policy, ConditionType.DRIFTED)
    not_planned = Finding(Reason.NOT_PLANNED, "the policy can't be planned: see the condition Stalled")
    return [
        _condition(ConditionType.READY, ConditionStatus.FALSE, told),
        _condition(ConditionType.RECONCILING, ConditionStatus.FALSE, told),
        _condition(ConditionType.STALLED, ConditionStatus.TRUE, told),
        _condition(ConditionType.WINDOW_FIT, ConditionStatus.UNKNOWN, not_planned),
        *([drifted] if drifted else []),
    ]


_HOLDS = {True: ConditionStatus.TRUE, False: ConditionStatus.FALSE, None: ConditionStatus.UNKNOWN}
_NEVER = datetime.fromisoformat("1970-01-01T00:00:00Z")


def _condition(kind: ConditionType, status: ConditionStatus, finding: Finding) -> Condition:
    """A condition as found; when it last changed is filled in by `_assemble`."""
    message = finding.message[:MESSAGE_LIMIT]
    return Condition(
        type=kind, status=status, reason=finding.reason, message=message, last_transition_time=_NEVER
    )


def _conditions_before(policy: RawObject) -> Iterable[Condition]:
    for raw in (policy.get("status") or {}).get("conditions") or ():
        try:
            yield Condition.read(raw)
        except ValidationError:
            continue  # written by somebody else; ours replaces it


def _condition_before(policy: RawObject, kind: ConditionType) -> Condition | None:
    return next((each for each in _conditions_before(policy) if each.type == kind), None)


def _assemble(
    policy: RawObject, found: Iterable[Condition], body: Mapping[str, Any], now: datetime
) -> dict[str, Any]:
    generation = policy["metadata"].get("generation") or 0
    merged = merge_conditions(_conditions_before(policy), found, now=now)
    conditions = [each.model_copy(update={"observed_generation": generation}).to_api() for each in merged]
    return {"observedGeneration": generation, "conditions": conditions, **body}
