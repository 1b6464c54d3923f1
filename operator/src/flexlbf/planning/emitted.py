"""The CronJobs that a plan wants."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy
from flexlbf.manifests.cronjob import cron_job
from flexlbf.manifests.names import session_cron_job_name
from flexlbf.manifests.session import session_cron_job
from flexlbf.planning.plan import Plan


@dataclass(frozen=True, slots=True)
class Emitted:
    """A CronJob that is wanted.

    Attributes:
        name: in the policy's namespace.
        recipe: what it is made of: equal recipes, equal manifests.
        build: makes the manifest.
    """

    name: str
    recipe: tuple[object, ...]
    build: Callable[[], dict[str, Any]]


def emitted(policy: BackupPolicy, backup_class: BackupClass, plan: Plan) -> Iterator[Emitted]:
    """One for each planned start, or one for the session."""
    makers = [(each.metadata.uid, each.metadata.generation) for each in (policy, backup_class)]
    spec = backup_class.spec
    if plan.adaptive:
        if plan.session:
            size = plan.session.size
            name = session_cron_job_name(policy.metadata.name)
            yield Emitted(name, (*makers, size), lambda: session_cron_job(policy, spec, size))
        return
    for start in plan.starts:
        yield Emitted(start.cron_job, (*makers, start), lambda start=start: cron_job(policy, spec, start))  # type: ignore[misc]
