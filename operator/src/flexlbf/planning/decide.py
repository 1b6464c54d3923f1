"""Decide: a pure function from what was observed to what is to be made true."""

import logging

from flexlbf.api.durations import format_duration
from flexlbf.api.v1alpha1 import BackupPolicySpec, Execution, Mode
from flexlbf.planning import drift, policies
from flexlbf.planning.examined import Examined
from flexlbf.planning.figures import figures
from flexlbf.planning.findings import Finding, Reason, Unplannable
from flexlbf.planning.plan import NOT_PLANNED, CheckedPod, Plan
from flexlbf.planning.recency import recency
from flexlbf.planning.session import TunedSession, planned_starts, session_plan, tune_session
from flexlbf.planning.snapshot import PolicySnapshot, Resources, resolve
from flexlbf.planning.wording import duration
from flexlbf.planning.workload import PlannableObject, plannable_objects
from flexlbf.scheduling import BoundBy
from flexlbf.scheduling.units import NANOSECONDS_PER_MILLISECOND, to_megabytes

logger = logging.getLogger(__name__)

UNAVAILABLE_SHOWN = 5

WHAT_HELPS = {
    BoundBy.LONGEST_OBJECT: "no drive or agent more makes it shorter than its longest object {longest}, "
    "which would have to be split",
    BoundBy.THROUGHPUT: "its bytes need this long at the rate of the drives: allow more or faster drives",
    BoundBy.AGENTS: "its objects wait for free agents: allow more agents a drive, or more drives",
    BoundBy.HOST: "the objects of host {host} wait for each other: allow more a host in spec.limits.perHost",
}


def decide(snapshot: PolicySnapshot) -> Plan:
    """Plan a policy.

    Takes seconds for ten thousand objects and is run beside the event loop, in a process of its own.
    Never raises for bad input: what can't be planned is a plan that says why.
    """
    return examine(snapshot).plan


def examine(snapshot: PolicySnapshot) -> Examined:
    """Plan a policy and keep what the plan was made from, for what explains or draws it."""
    try:
        return _examined(resolve(snapshot))
    except Unplannable as verdict:
        return Examined(Plan.impossible(verdict.finding))
    except Exception as error:
        # Only other input would help, and that the status must say; where it comes from is in the log.
        logger.exception("Planning %s", (snapshot.policy.get("metadata") or {}).get("name"))
        told = f"the figures are beyond what can be planned ({type(error).__name__}: {error})"
        return Examined(Plan.impossible(Finding(Reason.PLANNING_FAILED, told)))


def _examined(resources: Resources) -> Examined:
    policy, backup_class = resources.policy, resources.backup_class
    cron = policies.parse_schedule(policy.spec)
    policies.parse_time_zone(policy.spec)
    policies.require_allowed_overrides(policy, backup_class)
    limits = policy.spec.limits
    per_host = limits.per_host if limits else None
    objects = plannable_objects(resources.backup_sets, resources.config_maps, resources.histories, per_host)
    policies.require_allowed_sources(objects, backup_class)
    if not objects:
        nothing = Finding(Reason.NOTHING_TO_BACK_UP, "the policy's sets have no objects")
        return Examined(Plan(None, nothing, None, NOT_PLANNED, figures(objects, None), None, ()))
    session = tune_session(policy.spec, objects, resources.tape_pool)
    applied = policy.spec.mode is Mode.APPLY
    pool = resources.tape_pool
    adaptive = policy.spec.execution is Execution.ADAPTIVE
    cron_runs = applied and not adaptive
    pod = CheckedPod(backup_class.spec, policy.spec.pod_overrides)
    starts = planned_starts(policy.metadata.name, cron, objects, session, pool) if cron_runs else ()
    fits, window = _window_fit(policy.spec, session)
    plan = Plan(
        stalled=None,
        outcome=_outcome(policy.spec, objects, session, _unavailable(resources, objects, session)),
        window_fit=fits,
        window=window,
        figures=figures(objects, session),
        session_duration=duration(session.schedule.makespan),
        starts=starts,
        session=session_plan(objects, session, pool, pod) if applied else None,
        adaptive=adaptive,
        measured=drift.last_measured(resources),
        forecast=session.schedule.makespan,
        recency=recency(objects, resources.histories),
        longest_gap=cron.longest_gap(),
    )
    return Examined(plan, resources, objects, session)


def _unavailable(
    resources: Resources, objects: tuple[PlannableObject, ...], session: TunedSession
) -> list[str]:
    """What drives that are marked unavailable cost."""
    groups = resources.tape_pool.spec.drives
    away = [each for group in groups for each in group.unavailable]
    if not away:
        return []
    whole = tuple(group.model_copy(update={"unavailable": ()}) for group in groups)
    spec = resources.tape_pool.spec.model_copy(update={"drives": whole})
    pool = resources.tape_pool.model_copy(update={"spec": spec})
    without = session.tuning.chosen.makespan
    lost = without - tune_session(resources.policy.spec, objects, pool).tuning.chosen.makespan
    named = ", ".join(f"{each.drive} ({each.reason})" for each in away[:UNAVAILABLE_SHOWN])
    more = f" and {len(away) - UNAVAILABLE_SHOWN} more" if len(away) > UNAVAILABLE_SHOWN else ""
    costs = f"which costs {duration(lost)}" if lost > 0 else "which costs no time"
    return [f"{named}{more} unavailable, {costs}"]


def _outcome(
    spec: BackupPolicySpec, objects: tuple[PlannableObject, ...], session: TunedSession, also: list[str]
) -> Finding:
    chosen = session.tuning.chosen
    settings = (
        f"{_count(len(objects), 'object')} in {duration(chosen.makespan)} on "
        f"{_count(len(chosen.drives), 'drive')} with at most {_count(chosen.max_agents, 'agent')} each"
    )
    notes = "".join(f"; {note}" for note in [*_notes(spec, objects, session), *also])
    if spec.mode is Mode.RECOMMEND:
        return Finding(Reason.RECOMMENDED, f"{settings}; mode Recommend emits no CronJobs{notes}")
    if spec.suspend:
        return Finding(Reason.SUSPENDED, f"{settings}; the CronJobs are suspended{notes}")
    return Finding(Reason.PLANNED, f"{settings}{notes}")


def _notes(spec: BackupPolicySpec, objects: tuple[PlannableObject, ...], session: TunedSession) -> list[str]:
    notes = []
    unmeasured = sum(not each.measured for each in objects)
    if unmeasured:
        assumed = "is assumed as long and as fast as the median of the others"
        notes.append(f"{_count(unmeasured, 'object')} without history {assumed}")
    if spec.limits and spec.limits.per_host and not any(each.job.host for each in objects):
        notes.append("limits.perHost limits nothing, as no object has a host")
    fastest = max(drive.max_rate for drive in session.pool)
    capped = sum(each.job.rate > fastest for each in objects)
    if capped:
        rate = f"{to_megabytes(fastest):g} MB/s"
        notes.append(f"{_count(capped, 'object')} faster than every drive at the fastest drive's {rate}")
    return notes


def _window_fit(spec: BackupPolicySpec, session: TunedSession) -> tuple[bool | None, Finding]:
    chosen = session.tuning.chosen
    takes = f"the session takes {duration(chosen.makespan)}"
    if spec.window is None:
        return None, Finding(Reason.NO_WINDOW, f"{takes}; spec.window says no limit")
    limit = spec.window.milliseconds * NANOSECONDS_PER_MILLISECOND
    window = format_duration(spec.window.seconds)
    if chosen.makespan <= limit:
        return True, Finding(Reason.FITS, f"{takes} of the {window} there are")
    longest = max(session.schedule.jobs, key=lambda job: job.duration)
    named = f"{longest.name!r} ({duration(longest.duration)})"
    host = chosen.bound.host.name if chosen.bound.host else ""
    why = WHAT_HELPS[chosen.bound.bound_by].format(longest=named, host=host)
    return False, Finding(
        Reason.OVERRUNS,
        f"{takes}, {duration(chosen.makespan - limit)} more than the {window} there are: {why}",
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
