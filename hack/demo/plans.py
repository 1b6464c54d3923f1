"""What the operator answered, as a person reads it."""

from dataclasses import dataclass
from typing import Any

from demo.clusters import Cluster
from demo.text import heading, show, table
from flexlbf.api.durations import Duration
from flexlbf.api.quantities import format_bytes

POLICY_LABEL = "flexlbf.io/policy"


@dataclass(frozen=True)
class PlannedObject:
    """One CronJob of the plan, and the rate that was planned for its object."""

    cron_job: str
    schedule: str
    drive: str
    object: str
    offset: str
    rate: int

    @property
    def minutes(self) -> float:
        """The offset as a number."""
        return 0.0 if self.offset == "0m" else Duration.parse(self.offset).seconds / 60


def planned_objects(
    cluster: Cluster, namespace: str, policy: str, rates: dict[str, int]
) -> list[PlannedObject]:
    """The policy's CronJobs in the order in which they start."""
    found = []
    for raw in cluster.items("cronjobs", f"--namespace={namespace}", f"--selector={POLICY_LABEL}={policy}"):
        metadata = raw["metadata"]
        name = metadata["annotations"]["flexlbf.io/object"]
        found.append(
            PlannedObject(
                metadata["name"],
                raw["spec"]["schedule"],
                metadata["labels"]["flexlbf.io/drive"],
                name,
                metadata["annotations"]["flexlbf.io/planned-offset"],
                rates[name],
            )
        )
    return sorted(found, key=lambda each: (each.minutes, each.drive, each.object))


def show_policies(cluster: Cluster) -> None:
    """The status table and the pools, as kubectl shows them."""
    for arguments in (("get", "bpol", "--all-namespaces"), ("get", "tp")):
        heading(f"kubectl {' '.join(arguments)}")
        show(cluster.kubectl(*arguments).rstrip())


def show_alternatives(policy: dict[str, Any]) -> None:
    """The settings chosen for a policy, and what others would cost, in words."""
    metadata, status = policy["metadata"], policy["status"]
    chosen, workload = status["recommendation"], status["workload"]
    heading(f"What {metadata['namespace']}/{metadata['name']} was answered")
    show(f"  {workload['objects']} objects, {workload['bytes']}B.")
    show(
        f"  {settings(chosen)} take {chosen['duration']}; "
        f"no plan on these drives is shorter than {chosen['lowerBound']} ({BOUNDS[chosen['boundBy']]})."
    )
    for key, words in BASELINES.items():
        other = chosen.get("comparedTo", {}).get(key)
        if other:
            show(f"  {words} would take {other['duration']}: {other['savedPercent']} % is saved.")
    if freed := chosen.get("freedDrives"):
        show(f"  Not needed: {', '.join(freed)}.")
    for other in status.get("alternatives", ()):
        show(
            f"  {OBJECTIVES[other['objective']].format(**other)}: {settings(other)} take {other['duration']}."
        )


BOUNDS = {
    "LongestObject": "as long as the longest object",
    "Throughput": "what the drives' rate allows",
    "Agents": "what the number of agents allows",
}
BASELINES = {
    "lbf": "The longest first, with 4 agents a drive all the time,",
    "traditional": "Any order, with 4 agents a drive all the time,",
}
OBJECTIVES = {
    "Fastest": "To be fastest",
    "WithinPercent": "To take up to {percent} % longer",
    "Deadline": "To end within the window",
}


def settings(raw: dict[str, Any]) -> str:
    """Drives and agents in words."""
    drives, agents = raw["drives"], raw["maxAgents"]
    each = " each" if drives > 1 else ""
    return f"{drives} drive{'s' * (drives > 1)} with at most {agents} agent{'s' * (agents > 1)}{each}"


def show_cron_jobs(plan: list[PlannedObject]) -> None:
    """The schedule."""
    heading("Its CronJobs, each at its planned start")
    rows = [("NAME", "SCHEDULE", "OFFSET", "DRIVE", "RATE", "OBJECT")]
    rows += [
        (one.cron_job, one.schedule, f"+{one.offset}", one.drive, f"{format_bytes(one.rate)}B/s", one.object)
        for one in plan
    ]
    table(rows, right=(2, 4))
