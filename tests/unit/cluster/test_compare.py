"""What is written is the difference between the CronJobs there are and those that are planned."""

from dataclasses import dataclass, field, replace
from typing import Any

from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy, Source
from flexlbf.cluster.observed import ObservedCronJob
from flexlbf.cluster.state import ClusterState
from flexlbf.cluster.writer import Changes, Writer
from flexlbf.manifests.cronjob import PlannedStart, cron_job
from flexlbf.manifests.pod import Stream
from flexlbf.planning.emitted import emitted
from flexlbf.planning.findings import Finding, Reason
from flexlbf.planning.plan import Plan
from support.resources import Raw, a_class, a_policy
from unit.cluster.test_observed import field_set


def a_start(obj: str, offset: int = 0) -> PlannedStart:
    """An object's start."""
    stream = Stream(obj, "fleet", "weekly", Source(value=obj), "lto-0", None, 80_000_000, "lto", 1_000_000)
    return PlannedStart(stream, offset, f"{offset} 22 * * 6")


@dataclass
class Comparison:
    """A policy, and the CronJobs that are there."""

    state: ClusterState = field(default_factory=ClusterState)
    policy: Raw = field(default_factory=lambda: a_policy().observed("backup"))
    backup_class: Raw = field(default_factory=lambda: a_class().observed())

    def __post_init__(self) -> None:
        nobody: Any = None  # comparing asks nothing of the API server
        self.writer = Writer(nobody, self.state)

    def manifest(self, start: PlannedStart) -> Raw:
        """The CronJob wanted for a start."""
        spec = BackupClass.read(self.backup_class).spec
        return cron_job(BackupPolicy.read(self.policy), spec, start)

    def there_is(self, start: PlannedStart, **metadata: Any) -> None:
        """There is a CronJob for a start, as the operator applied it."""
        raw = self.manifest(start)
        fields = {
            "f:metadata": {
                **field_set({key: raw["metadata"][key] for key in ("labels", "annotations")}),
                "f:ownerReferences": {f'k:{{"uid":"{self.policy["metadata"]["uid"]}"}}': {}},
            },
            "f:spec": field_set(raw["spec"]),
        }
        managed = [{"manager": "flexlbf-operator", "operation": "Apply", "fieldsV1": fields}]
        raw["metadata"] |= {
            "uid": f"uid-{start.cron_job}",
            "resourceVersion": "1",
            "managedFields": managed,
            **metadata,
        }
        self.state.cron_jobs.put(ObservedCronJob.of(raw))

    async def with_(self, *starts: PlannedStart) -> tuple[set[str], set[str]]:
        """The names of what is to be applied and deleted."""
        policy, backup_class = BackupPolicy.read(self.policy), BackupClass.read(self.backup_class)
        plan = replace(Plan.impossible(Finding(Reason.PLANNED, "")), stalled=None, starts=starts)
        changes: Changes = await self.writer.compare(
            policy.metadata.uid or "", emitted(policy, backup_class, plan)
        )
        assert len(changes) == len(changes.apply) + len(changes.delete)
        applied = {each.manifest["metadata"]["name"] for each in changes.apply}
        return applied, {each.name for each in changes.delete}


async def test_what_is_as_planned_is_left_alone():
    """Each time anew, whatever is remembered."""
    comparison = Comparison()
    starts = [a_start(f"fs:/{index}", index) for index in range(120)]
    for each in starts:
        comparison.there_is(each)
    assert await comparison.with_(*starts) == (set(), set())
    assert await comparison.with_(*starts) == (set(), set())


async def test_what_is_new_is_applied_and_what_is_gone_is_deleted():
    """And what moved is applied."""
    comparison = Comparison()
    stays, moves, goes, comes = (a_start(f"fs:/{name}") for name in ("stays", "moves", "goes", "comes"))
    for each in (stays, moves, goes):
        comparison.there_is(each)
    moved = a_start("fs:/moves", 7)
    assert await comparison.with_(stays, moved, comes) == ({moved.cron_job, comes.cron_job}, {goes.cron_job})


async def test_what_is_being_deleted_is_not_deleted_again():
    """Kubernetes takes its time with it."""
    comparison = Comparison()
    comparison.there_is(a_start("fs:/a"), deletionTimestamp="2026-01-01T00:00:00Z")
    assert await comparison.with_() == (set(), set())


async def test_other_policies_cron_jobs_are_nobodys_business():
    """Only what the policy controls is compared."""
    comparison = Comparison()
    comparison.there_is(a_start("fs:/a"))
    comparison.policy = a_policy("other").observed("backup")
    assert await comparison.with_() == (set(), set())


async def test_another_class_is_another_cron_job():
    """Every one of them is written, once."""
    comparison = Comparison()
    start = a_start("fs:/a")
    comparison.there_is(start)
    assert await comparison.with_(start) == (set(), set())
    comparison.backup_class = a_class().with_container(image="other").observed(generation=2)
    assert await comparison.with_(start) == ({start.cron_job}, set())


async def test_a_change_of_the_policy_that_changes_no_manifest_writes_nothing():
    """A wider window, for instance."""
    comparison = Comparison()
    start = a_start("fs:/a")
    comparison.there_is(start)
    comparison.policy = a_policy().setting(window="9h").observed("backup", generation=2)
    assert await comparison.with_(start) == (set(), set())
