"""Reconcile one policy: observe, decide, act, report."""

import logging
from collections.abc import Callable
from datetime import datetime

from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy, Execution
from flexlbf.cluster.client import ApiError
from flexlbf.cluster.gather import Fingerprint, Gatherer
from flexlbf.cluster.resources import BACKUP_POLICIES
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.cluster.writer import WriteFailed, Writer
from flexlbf.handlers.lastplans import LastPlans
from flexlbf.handlers.manualruns import ManualRuns
from flexlbf.handlers.observe import session_begun
from flexlbf.handlers.planner import Planner, PlanningError
from flexlbf.handlers.recorder import Recorder
from flexlbf.handlers.tracing import span
from flexlbf.manifests.names import session_cron_job_name
from flexlbf.planning.emitted import emitted
from flexlbf.planning.findings import Finding, Reason
from flexlbf.planning.plan import Plan, SessionPlan
from flexlbf.planning.snapshot import PolicySnapshot, RawObject, read
from flexlbf.planning.status import (
    ScheduleTimes,
    differs,
    planned_status,
    unfinished_status,
)
from flexlbf.planning.times import next_session

logger = logging.getLogger(__name__)

LONG_WRITE = 100
"""With so many CronJobs to write, the status says first that they are being written."""


class PolicyReconciler:
    """Makes the cluster as a policy's plan wants it; safe to run at any time and any number of times."""

    def __init__(  # noqa: PLR0913, PLR0917 - the parts that it puts together
        self,
        state: ClusterState,
        gatherer: Gatherer,
        planner: Planner,
        writer: Writer,
        recorder: Recorder,
        manual_runs: ManualRuns,
        clock: Callable[[], datetime],
    ) -> None:
        self._state = state
        self._gatherer = gatherer
        self._planner = planner
        self._writer = writer
        self._manual_runs = manual_runs
        self._recorder = recorder
        self._clock = clock
        self._plans: dict[Key, tuple[Fingerprint, Plan]] = {}
        self._sessions: dict[Key, SessionPlan] = {}
        self._without: dict[Key, Finding] = {}
        self._last_plans = LastPlans()

    def session_of(self, key: Key) -> SessionPlan | None:
        """The session that a policy's plan has, or had while it could still be planned; None without one."""
        return self._sessions.get(key)

    def why_no_session(self, key: Key) -> Finding | None:
        """Why a policy has no session as it is now; None if it has one, or is being planned."""
        return self._without.get(key)

    def plan_of(self, key: Key) -> Plan | None:
        """The last plan of a policy that could be made; None if this process has made none yet."""
        return self._last_plans.of(self._state.policies.get(key))

    async def reconcile(self, key: Key) -> float | None:
        """Reconcile a policy.

        Returns:
            Seconds after which to look again, since its session ends then or the next begins; None for never.

        Raises:
            ApiError, WriteFailed, PlanningError: for the caller to try again; the status says it.
        """
        policy = self._state.policies.get(key)
        if policy is None or policy["metadata"].get("deletionTimestamp"):
            self._plans.pop(key, None)  # its CronJobs go with it: it owns them
            self._sessions.pop(key, None)
            self._without.pop(key, None)
            self._last_plans.forget(key)
            self._recorder.forget(key)
            return None
        ends = self._recorder.look(key)
        try:
            begins = await self._reconcile(key, policy)
            return min((each for each in (begins, ends) if each is not None), default=None)
        except (ApiError, WriteFailed) as error:
            await self._fail(key, Finding(Reason.APPLY_FAILED, f"trying again: {error}"))
            raise
        except PlanningError as error:
            await self._fail(key, Finding(Reason.PLANNING_FAILED, f"trying again: {error}"))
            raise

    async def _reconcile(self, key: Key, policy: RawObject) -> float | None:
        if not (policy.get("status") or {}).get("conditions"):
            await self._tell_unfinished(key, Finding(Reason.PLANNING, "the plan is being made"))
        snapshot, fingerprint = await self._gatherer.gather(policy)
        plan = await self._plan(key, snapshot, fingerprint)
        # First, since a session that runs needs no CronJob to go on, and writes may fail for long.
        self._keep_session(key, plan)
        if plan.stalled is None:
            plan = await self._carry_out(key, snapshot, plan)
            self._keep_session(key, plan)
        if plan.stalled is None:
            await self._manual_runs.ask(snapshot, plan)
        else:
            await self._switch_off(policy)
        # The version read first may be history by now, but it is the one that the plan was made for.
        return await self._report(key, snapshot.policy, plan)

    def _keep_session(self, key: Key, plan: Plan) -> None:
        self._without.pop(key, None)
        if plan.session is not None:
            self._sessions[key] = plan.session
            return
        why = plan.stalled or plan.outcome
        if why is not None:
            self._without[key] = why
        if plan.stalled is None:
            self._sessions.pop(key, None)

    async def _fail(self, key: Key, finding: Finding) -> None:
        """It will be tried again; a session of which no plan is known says that it waits for this."""
        if key not in self._sessions:
            self._without.setdefault(key, finding)
        await self._tell_unfinished(key, finding)

    async def _plan(self, key: Key, snapshot: PolicySnapshot, fingerprint: Fingerprint) -> Plan:
        known = self._plans.get(key)
        if known and known[0] == fingerprint:
            return known[1]
        self._last_plans.refresh(snapshot)
        with span("plan", namespace=key.namespace, policy=key.name):
            plan = await self._planner.decide(snapshot)
        self._plans[key] = (fingerprint, plan)
        self._last_plans.keep(snapshot.policy, plan)
        verdict = plan.stalled or plan.outcome
        if verdict:
            logger.info("Planned %s: %s: %s", key, verdict.reason, verdict.message)
        return plan

    async def _carry_out(self, key: Key, snapshot: PolicySnapshot, plan: Plan) -> Plan:
        """Write what the plan wants; gives the plan, or that it can't be carried out as things are."""
        policy = read(BackupPolicy, snapshot.policy)
        backup_class = read(BackupClass, snapshot.backup_class or {})
        changes = await self._writer.compare(policy.metadata.uid or "", emitted(policy, backup_class, plan))
        if self._state.underway.get((key, Execution.ADAPTIVE)):
            # Its session would go with it, and all that runs; it is looked at again when that has ended.
            changes = changes.sparing(session_cron_job_name(key.name))
        if not changes:
            return plan
        if len(changes) >= LONG_WRITE:
            told = f"{len(changes.apply)} CronJobs are being written and {len(changes.delete)} deleted"
            await self._tell_unfinished(key, Finding(Reason.APPLYING, told))
        try:
            with span("apply", namespace=key.namespace, policy=key.name, cron_jobs=len(changes)):
                await self._writer.write(changes)
        except WriteFailed as failure:
            if not failure.for_good:
                raise
            return Plan.impossible(Finding(Reason.APPLY_REFUSED, _refusal(backup_class, failure)))
        logger.info("Wrote %d CronJobs of %s and deleted %d", len(changes.apply), key, len(changes.delete))
        return plan

    async def _switch_off(self, policy: RawObject) -> None:
        """Heed `suspend` and `mode: Recommend` of a policy that can't be planned: one may always stop."""
        spec, owner = policy.get("spec") or {}, policy["metadata"]["uid"]
        if spec.get("mode") == "Recommend":
            await self._writer.delete_all(owner)
        else:
            await self._writer.suspend(owner, suspend=bool(spec.get("suspend")))

    async def _report(self, key: Key, planned_for: RawObject, plan: Plan) -> float | None:
        policy = self._state.policies.get(key)
        if policy is None or policy["metadata"]["uid"] != planned_for["metadata"]["uid"]:
            return None
        if policy["metadata"].get("generation") != planned_for["metadata"].get("generation"):
            return 0.0
        now = self._clock()
        times = self._times(policy, plan, now)
        there = self._state.cron_jobs.of(policy["metadata"]["uid"])
        emitted = len(there) if plan.stalled else plan.cron_jobs
        status = planned_status(policy, plan, times, cron_jobs=emitted, now=now)
        if differs(status, policy):
            await self._writer.write_status(BACKUP_POLICIES, policy, status)
            await self._tell_events(policy, plan, now)
        return (times.following - now).total_seconds() + 1 if times.following else None

    def _times(self, policy: RawObject, plan: Plan, now: datetime) -> ScheduleTimes:
        spec = policy.get("spec") or {}
        observed = self._state.cron_jobs.of(policy["metadata"]["uid"]).values()
        runs = (observed if plan.stalled else plan.cron_jobs) and not spec.get("suspend")
        zone = str(spec.get("timeZone") or "Etc/UTC")
        following = next_session(str(spec.get("schedule")), zone, now) if runs else None
        return ScheduleTimes(session_begun(policy, observed), following)

    async def _tell_unfinished(self, key: Key, finding: Finding) -> None:
        policy = self._state.policies.get(key)
        if policy is None:
            return
        status = unfinished_status(policy, finding, now=self._clock())
        if not differs(status, policy):
            return
        try:
            await self._writer.write_status(BACKUP_POLICIES, policy, status)
        except ApiError as error:
            logger.warning("Writing the status of %s: %s", key, error)

    async def _tell_events(self, before: RawObject, plan: Plan, now: datetime) -> None:
        """An event when the verdict on the policy or on its window is another than before."""
        stamp = now.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        if plan.stalled:
            if _status_before(before, "Stalled") != "True":
                await self._writer.tell(before, "Warning", "Plan", plan.stalled, stamp)
            return
        if _status_before(before, "Ready") != "True" and plan.outcome:
            await self._writer.tell(before, "Normal", "Plan", plan.outcome, stamp)
        if plan.window_fit is False and _status_before(before, "WindowFit") != "False":
            await self._writer.tell(before, "Warning", "Plan", plan.window, stamp)


def _refusal(backup_class: BackupClass, failure: WriteFailed) -> str:
    return f"{failure}: mend spec.podTemplate of BackupClass {backup_class.metadata.name!r}"


def _status_before(policy: RawObject, kind: str) -> str | None:
    conditions = (policy.get("status") or {}).get("conditions") or ()
    return next((each.get("status") for each in conditions if each.get("type") == kind), None)
