"""What the operator answered, as a person reads it."""

from dataclasses import dataclass
from typing import Any

from demo.clusters import Cluster
from demo.text import heading, show, table
from flexlbf.api.durations import Duration
from flexlbf.api.quantities import parse_quantity

POLICY_LABEL = "flexlbf.io/policy"


@dataclass(frozen=True)
class PlannedObject:
    """One CronJob of the plan, and what was planned for its object."""

    cron_job: str
    schedule: str
    drive: str
    object: str
    offset: str
    duration: float
    rate: int

    @property
    def minutes(self) -> float:
        """The offset as a number."""
        return 0.0 if self.offset == "0m" else Duration.parse(self.offset).seconds / 60


def planned_objects(
    cluster: Cluster, namespace: str, policy: str, objects: list[dict[str, Any]]
) -> list[PlannedObject]:
    """The policy's CronJobs in the order in which they start: the longest first, then the fastest."""
    estimates = {each["name"]: each["estimate"] for each in objects}
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
                Duration.parse(estimates[name]["duration"]).seconds,
                parse_quantity(estimates[name]["throughput"]),
            )
        )
    return sorted(found, key=lambda each: (each.minutes, -each.duration, -each.rate, each.object))


def show_table(cluster: Cluster, *arguments: str) -> None:
    """A table, as kubectl shows it."""
    heading(f"kubectl {' '.join(arguments)}")
    show(cluster.kubectl(*arguments).rstrip())


def show_alternatives(policy: dict[str, Any]) -> None:
    """The settings chosen for a policy, and what others would cost, in words."""
    metadata, status = policy["metadata"], policy["status"]
    chosen, workload = status["recommendation"], status["workload"]
    heading(f"What {metadata['namespace']}/{metadata['name']} was answered")
    show(f"  {workload['objects']} objects, {workload['bytes']}B.")
    show(
        f"  Its answer: {settings(chosen)}, {chosen['duration']}; "
        f"no plan on these drives is shorter than {chosen['lowerBound']} ({BOUNDS[chosen['boundBy']]})."
    )
    for key, words in BASELINES.items():
        other = chosen.get("comparedTo", {}).get(key)
        if other:
            show(f"  {words} would take {other['duration']}: {other['savedPercent']} % is saved.")
    if freed := chosen.get("freedDrives"):
        show(f"  Not needed: {', '.join(freed)}.")
    for other in status.get("alternatives", ()):
        show(f"  {OBJECTIVES[other['objective']].format(**other)}: {settings(other)}: {other['duration']}.")


BOUNDS = {
    "LongestObject": "as long as the longest object",
    "Throughput": "what the drives' rate allows",
    "Agents": "what the number of agents allows",
    "Host": "what one host may send at a time",
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


def megabytes(amount: float) -> str:
    """Whole MB, of bytes or of bytes a second."""
    return f"{amount / 1e6:.0f}"


def settings(raw: dict[str, Any]) -> str:
    """Drives and agents in words."""
    drives, agents = raw["drives"], raw["maxAgents"]
    each = " each" if drives > 1 else ""
    return f"{drives} drive{'s' * (drives > 1)} with at most {agents} agent{'s' * (agents > 1)}{each}"


def show_cron_jobs(plan: list[PlannedObject]) -> None:
    """The schedule."""
    heading("Its CronJobs, each at its planned start")
    rows = [("NAME", "SCHEDULE", "OFFSET", "DRIVE", "MB/S", "OBJECT")]
    rows += [
        (one.cron_job, one.schedule, f"+{one.offset}", one.drive, megabytes(one.rate), one.object)
        for one in plan
    ]
    table(rows, right=(2, 4))
