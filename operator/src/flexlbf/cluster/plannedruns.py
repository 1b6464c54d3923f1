"""The runs of Planned policies, whose Jobs Kubernetes makes: what one that has ended came to."""

from datetime import datetime, timedelta

from flexlbf.api.durations import Duration
from flexlbf.cluster.resources import BACKUP_SETS
from flexlbf.cluster.runs import ObservedJob, Run
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.history.ledger import Run as RecordableRun
from flexlbf.manifests.names import ANNOTATION_OFFSET, label_value, planned_session_name

SECOND = timedelta(seconds=1)
CRON_JOB = "CronJob"


def planned_policy(state: ClusterState, run: Run) -> str | None:
    """The policy whose plan started a run; None if the operator did, or the policy is gone."""
    if run.job is None or run.job.owner_kind != CRON_JOB:
        return None
    namespace = run.job.place.namespace
    return next(
        (
            key.name
            for key in state.policies
            if key.namespace == namespace and label_value(key.name) == run.facts.policy
        ),
        None,
    )


def session_of_job(policy: str, job: ObservedJob) -> str:
    """The session that a Job of a plan is part of.

    Its CronJob starts it so many minutes into the session; one made by hand is a session of its own.
    """
    if job.scheduled is None:
        return planned_session_name(policy, job.created)
    return planned_session_name(policy, job.scheduled - _offset(job.annotations.get(ANNOTATION_OFFSET, "")))


def recordable(state: ClusterState, run: Run) -> RecordableRun | None:
    """What is to be recorded of a run of a plan; None while it runs, or if there is nothing to tell."""
    policy = planned_policy(state, run)
    if policy is None or run.job is None or run.succeeded is None:
        return None
    backup_set = _set_named(state, run.job.place.namespace, run.facts.backup_set)
    lasted = run.pod.lasted if run.pod else None
    if backup_set is None or (run.succeeded and lasted is None):
        return None  # without its pod nobody knows how long it really took
    return RecordableRun(
        backup_set=backup_set,
        obj=run.facts.obj,
        session=session_of_job(policy, run.job),
        start=_began(run, run.job.created),
        duration=_nanoseconds(lasted or SECOND),  # Kubernetes counts whole seconds, and so maybe none
        size=run.pod.bytes if run.pod else None,
        succeeded=run.succeeded,
        attempt=max(1, run.job.counts[2]),
    )


def _began(run: Run, created: datetime) -> datetime:
    return (run.pod.started if run.pod else None) or created


def _set_named(state: ClusterState, namespace: str, label: str) -> str | None:
    if Key(namespace, label) in state.objects[BACKUP_SETS]:
        return label
    names = (str(each["metadata"]["name"]) for each in state.sets_in(namespace))
    return next((name for name in names if label_value(name) == label), None)


def _offset(text: str) -> timedelta:
    try:
        return timedelta(milliseconds=Duration.parse(text).milliseconds)
    except ValueError:  # 0m, which is no duration
        return timedelta()


def _nanoseconds(length: timedelta) -> int:
    return length // timedelta(microseconds=1) * 1000
