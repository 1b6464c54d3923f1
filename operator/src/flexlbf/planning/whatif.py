"""What if, for a policy: its sets, pool, limits and window as a situation to ask questions about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flexlbf.api.v1alpha1 import BackupPolicySpec, BackupSet
from flexlbf.planning.findings import Reason, Unplannable
from flexlbf.planning.offline import Fleet
from flexlbf.planning.session import pooled_drives, target_of
from flexlbf.planning.snapshot import Histories, RawObject, Resources, read, resolve
from flexlbf.planning.workload import plannable_objects
from flexlbf.scheduling import Job
from flexlbf.scheduling.registry import TUNING_BUDGET_S, scheduler_named
from flexlbf.scheduling.units import MINUTE, NANOSECONDS_PER_MILLISECOND
from flexlbf.tuning import Situation


@dataclass(frozen=True, slots=True)
class PolicyCase:
    """A policy to ask about.

    Attributes:
        name: namespace and name.
        situation: what is planned for, with starts at whole minutes as cron will start them.
        sets: the jobs of each of its sets.
        added: the jobs of the sets that are to be added.
    """

    name: str
    situation: Situation
    sets: Mapping[str, Sequence[Job]]
    added: Mapping[str, Sequence[Job]]


def policy_case(fleet: Fleet, policy: RawObject, more: Sequence[RawObject] = ()) -> PolicyCase:
    """What there is to ask about a policy of a fleet.

    Args:
        fleet: the policy's resources.
        policy: the policy.
        more: BackupSets to add, with their namespaces; they need not belong to the fleet, but the
            ConfigMaps that their history is in do.

    Raises:
        Unplannable: the policy can't be planned.
    """
    resources = resolve(fleet.snapshot(policy))
    limits = resources.policy.spec.limits
    per_host = limits.per_host if limits else None
    sets = _jobs_by_set(resources.backup_sets, resources.config_maps, resources.histories, per_host)
    if not any(sets.values()):
        raise Unplannable(Reason.NOTHING_TO_BACK_UP, "the policy's sets have no objects")
    metadata = policy["metadata"]
    added: dict[str, Sequence[Job]] = {}
    for raw in more:
        namespace = raw["metadata"]["namespace"]
        recorded = fleet.histories(namespace, [raw])
        config_maps = fleet.config_maps(namespace, [raw])
        added |= _jobs_by_set([read(BackupSet, raw)], config_maps, recorded, per_host)
    everything = tuple(job for jobs in sets.values() for job in jobs)
    return PolicyCase(
        f"{metadata['namespace']}/{metadata['name']}", _situation(resources, everything), sets, added
    )


def _jobs_by_set(
    sets: Sequence[BackupSet],
    config_maps: Mapping[str, Mapping[str, str]],
    histories: Histories,
    per_host: int | None,
) -> dict[str, tuple[Job, ...]]:
    found: dict[str, list[Job]] = {each.metadata.name: [] for each in sets}
    for each in plannable_objects(sets, config_maps, histories, per_host):
        found[each.backup_set].append(each.job)
    return {name: tuple(jobs) for name, jobs in found.items()}


def _situation(resources: Resources, jobs: tuple[Job, ...]) -> Situation:
    spec: BackupPolicySpec = resources.policy.spec
    limits = spec.limits
    return Situation(
        jobs=jobs,
        pool=tuple(each.drive for each in pooled_drives(resources.tape_pool)),
        objective=target_of(spec),
        window=spec.window.milliseconds * NANOSECONDS_PER_MILLISECOND if spec.window else None,
        most_drives=limits.drives if limits else None,
        most_agents=limits.max_agents if limits else None,
        start_grid=MINUTE,
        scheduler=scheduler_named(spec.scheduler.value, budget_s=TUNING_BUDGET_S),
    )
