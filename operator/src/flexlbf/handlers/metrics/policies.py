"""The series of policies: what is planned, what runs, and what the last session came to."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from flexlbf.api.durations import Duration
from flexlbf.api.v1alpha1 import Execution, Mode, Scheduler
from flexlbf.cluster.state import Key
from flexlbf.handlers.livesession import SessionRun
from flexlbf.handlers.metrics import declared
from flexlbf.handlers.metrics.declared import Metric
from flexlbf.handlers.metrics.samples import Sample, Sources
from flexlbf.manifests.names import label_value
from flexlbf.planning.plan import Plan
from flexlbf.planning.snapshot import RawObject
from flexlbf.planning.status import session_start
from flexlbf.planning.times import read_time
from flexlbf.scheduling.units import NANOSECONDS

STATES = ("running", "done", "failed", "skipped")
HOLDS = {"True": 1.0, "False": 0.0}

Figures = Iterator[tuple[Metric, float]]


def policy_samples(sources: Sources) -> Iterator[Sample]:
    """All series of all policies."""
    streams = sources.runs.streams_by_policy()
    sessions = sources.sessions()
    now = sources.clock()
    for key, policy in list(sources.state.policies.items()):
        labels = (key.namespace, key.name)
        status = _mapping(policy, "status")
        plan = sources.plan_of(key)
        yield Sample(declared.INFO, (*labels, *_kind(policy)), 1.0)
        for name, value in _conditions(status):
            yield Sample(declared.CONDITION, (*labels, name), value)
        # One that was asked for by hand, of a policy that runs by cron, is no news once it is over.
        if key in sessions or execution_of(policy) is Execution.ADAPTIVE:
            for state, count in _objects(status):
                yield Sample(declared.SESSION_OBJECTS, (*labels, state), count)
        open_streams = streams[key.namespace, label_value(key.name)]
        figures = (
            _declared(policy, status),
            _planned(sources, policy, plan),
            _last_session(status, plan),
            [(declared.STREAMS, float(open_streams))],
            _running(sources, key, policy, plan, sessions.get(key), now),
        )
        for metric, figure in (each for group in figures for each in group):
            yield Sample(metric, labels, figure)


def execution_of(policy: RawObject) -> Execution:
    """Who starts a policy's objects."""
    adaptive = _mapping(policy, "spec").get("execution") == Execution.ADAPTIVE.value
    return Execution.ADAPTIVE if adaptive else Execution.PLANNED


def _kind(policy: RawObject) -> tuple[str, str, str]:
    spec = _mapping(policy, "spec")
    scheduler = spec.get("scheduler") or Scheduler.FLEX_LBF.value
    return str(spec.get("tapePool")), execution_of(policy).value, str(scheduler)


def _conditions(status: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for each in status.get("conditions") or ():
        if each.get("status") in HOLDS:
            yield str(each.get("type")), HOLDS[each["status"]]


def _objects(status: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    session = status.get("session")
    if session:
        for state in STATES:
            yield state, float(session.get(state) or 0)
        yield "waiting", float((session.get("waiting") or {}).get("objects") or 0)


def _declared(policy: RawObject, status: Mapping[str, Any]) -> Figures:
    window = _seconds(_mapping(policy, "spec").get("window"))
    if window is not None:
        yield declared.WINDOW, window
    following = read_time(_mapping(status, "schedule").get("nextScheduleTime"))
    if following:
        yield declared.NEXT_SCHEDULE, following.timestamp()


def _planned(sources: Sources, policy: RawObject, plan: Plan | None) -> Figures:
    if plan is None:
        return
    yield declared.OBJECTS, float(_mapping(plan.figures, "workload").get("objects") or 0)
    chosen = _mapping(plan.figures, "recommendation")
    if chosen:
        yield declared.PLANNED_DRIVES, float(chosen["drives"])
        yield declared.PLANNED_AGENTS, float(chosen["maxAgents"])
    if plan.forecast is not None:
        yield declared.FORECAST, plan.forecast / NANOSECONDS
        yield declared.NEVER_BACKED_UP, float(plan.recency.never)
    if plan.recency.oldest:
        yield declared.LAST_SUCCESS, plan.recency.oldest.timestamp()
    since = _applied_since(sources, policy)
    if since:
        yield declared.APPLIED_SINCE, since.timestamp()
    spec = _mapping(policy, "spec")
    carried_out = spec.get("mode") != Mode.RECOMMEND.value and not spec.get("suspend")
    if plan.longest_gap and plan.cron_jobs and carried_out:
        yield declared.LONGEST_GAP, plan.longest_gap.total_seconds()


def _applied_since(sources: Sources, policy: RawObject) -> datetime | None:
    """Not since it was made: it may have been one that only recommends for months."""
    cron_jobs = sources.state.cron_jobs.of(policy["metadata"]["uid"]).values()
    made = min((each.created for each in cron_jobs if each.created), default=None)
    return made or read_time(policy["metadata"].get("creationTimestamp"))


def _last_session(status: Mapping[str, Any], plan: Plan | None) -> Figures:
    measured = plan.measured if plan else None
    if measured is None:
        return
    yield declared.LAST_SECONDS, measured.duration / NANOSECONDS
    yield declared.LAST_BYTES, float(measured.size)
    yield declared.LAST_OBJECTS, float(measured.objects)
    told = _mapping(status, "lastSession")
    forecast = _seconds(told.get("forecast"))
    if told.get("name") == measured.name and forecast is not None:
        yield declared.LAST_FORECAST, forecast


def _running(
    sources: Sources,
    key: Key,
    policy: RawObject,
    plan: Plan | None,
    session: SessionRun | None,
    now: datetime,
) -> Figures:
    if session is not None:
        yield from _managed(session, now)
        return
    underway = any(sources.state.underway.get((key, execution)) for execution in Execution)
    yield declared.RUNNING, float(underway)
    started = session_start(policy)
    if not sources.state.underway.get((key, Execution.PLANNED)) or started is None:
        return
    yield declared.STARTED, started.timestamp()
    if plan is not None and plan.forecast is not None:
        # By cron all goes as planned until that time is over; from then on nobody can tell.
        end = started + timedelta(microseconds=plan.forecast // 1000)
        yield declared.EXPECTED_END, max(end, now).timestamp()
    window = _seconds(_mapping(policy, "spec").get("window"))
    if window is not None:
        yield declared.WINDOW_END, started.timestamp() + window


def _managed(session: SessionRun, now: datetime) -> Figures:
    """A session that the operator runs."""
    yield declared.RUNNING, 1.0
    yield declared.STARTED, session.started.timestamp()
    yield declared.SESSION_BYTES, float(session.size)
    if session.expected_end:
        yield declared.EXPECTED_END, max(session.expected_end, now).timestamp()
    if session.window_end:
        yield declared.WINDOW_END, session.window_end.timestamp()


def _mapping(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = raw.get(name)
    return found if isinstance(found, Mapping) else {}


def _seconds(text: object) -> float | None:
    """A length of time as a resource has it; None for what is none: a status may hold anything."""
    try:
        return Duration.parse(text).seconds if isinstance(text, str) else None
    except ValueError:
        return None
