"""Which policy a session is of, by what controls its Job."""

from flexlbf.cluster.runs import ObservedJob
from flexlbf.cluster.state import ClusterState, Key


def policy_of(state: ClusterState, job: ObservedJob) -> Key | None:
    """The policy of a session; None if it is gone, or not known yet.

    A session belongs to the policy's CronJob or, if a run token asked for it, to the policy itself.
    """
    namespace, name, owner = job.place.namespace, job.owner_name, job.owner
    if job.owner_kind == "CronJob":
        cron_job = state.cron_jobs.get(namespace, name)
        if cron_job is None or cron_job.uid != owner:
            return None
        name, owner = cron_job.owner_name, cron_job.owner
    key = Key(namespace, name)
    raw = state.policies.get(key)
    return key if raw is not None and raw["metadata"]["uid"] == owner else None
