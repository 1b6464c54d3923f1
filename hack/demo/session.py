"""One session with the clock wound forward: the CronJobs' Jobs in the plan's order, when drives have room."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from demo.clusters import Cluster
from demo.plans import PlannedObject, megabytes
from demo.text import heading, show, table
from localcluster.errors import LocalClusterError

PATIENCE = 300.0


@dataclass(frozen=True)
class Drive:
    """What one drive may be given at the same time, as planned."""

    name: str
    max_agents: int
    max_rate: int


@dataclass(frozen=True)
class Outcome:
    """How one object's Job went."""

    planned: PlannedObject
    succeeded: bool
    message: dict[str, Any]


class Session:
    """Starts each Job when the drive it is planned for has room, and gathers how they ended."""

    def __init__(self, cluster: Cluster, namespace: str, drives: Sequence[Drive]) -> None:
        self._cluster = cluster
        self._where = f"--namespace={namespace}"
        self._drives = {each.name: each for each in drives}
        self._running: dict[str, PlannedObject] = {}
        self._outcomes: list[Outcome] = []
        self._started = time.monotonic()

    def run(self, plan: Sequence[PlannedObject]) -> list[Outcome]:
        """Run all objects; the outcomes are in the order in which they ended."""
        waiting = list(plan)
        while waiting or self._running:
            waiting = self._start_what_fits(waiting)
            self._gather()
            if time.monotonic() - self._started > PATIENCE:
                raise LocalClusterError(f"the session has not ended:\n{self._pods()}")
            time.sleep(0.3)
        return self._outcomes

    @property
    def seconds(self) -> float:
        """How long the session has taken so far."""
        return time.monotonic() - self._started

    def _start_what_fits(self, waiting: Sequence[PlannedObject]) -> list[PlannedObject]:
        """Start the first objects of each drive; one that doesn't fit holds up those behind it."""
        left = []
        blocked: set[str] = set()
        for each in waiting:
            if each.drive in blocked or not self._fits(each):
                blocked.add(each.drive)
                left.append(each)
            else:
                self._start(each)
        return left

    def _fits(self, each: PlannedObject) -> bool:
        drive = self._drives[each.drive]
        there = [other for other in self._running.values() if other.drive == each.drive]
        rate = sum(other.rate for other in there) + each.rate
        return len(there) < drive.max_agents and (rate <= drive.max_rate or not there)

    def _start(self, each: PlannedObject) -> None:
        job = f"{each.cron_job}-now"
        self._cluster.kubectl("create", "job", job, self._where, f"--from=cronjob/{each.cron_job}")
        self._running[job] = each
        there = [other for other in self._running.values() if other.drive == each.drive]
        agents, rate = len(there), sum(other.rate for other in there)
        drive = self._drives[each.drive]
        self._tell(
            f"starts on {each.drive}: {each.object}, planned for +{each.offset} ({agents} of "
            f"{drive.max_agents} agents, {megabytes(rate)} of {megabytes(drive.max_rate)} MB/s)"
        )

    def _gather(self) -> None:
        for raw in self._cluster.items("jobs", self._where):
            name = raw["metadata"]["name"]
            end = ended(raw)
            if name in self._running and end:
                outcome = Outcome(self._running.pop(name), end == "Complete", self._message(name))
                self._outcomes.append(outcome)
                verb = "is whole on" if outcome.succeeded else "FAILED on"
                self._tell(f"{verb} {outcome.planned.drive}: {outcome.planned.object}")

    def _message(self, job: str) -> dict[str, Any]:
        """The termination message of the Job's latest pod."""
        pods = self._cluster.items("pods", self._where, f"--selector=job-name={job}")
        return termination_message(pods[-1]) if pods else {"error": "its pod is gone"}

    def _pods(self) -> str:
        return self._cluster.kubectl("get", "pods", self._where, "--output=wide")

    def _tell(self, what: str) -> None:
        show(f"  {self.seconds:5.1f} s  {what}")


def ended(job: dict[str, Any]) -> str | None:
    """Complete or Failed; none as long as it runs."""
    conditions = job.get("status", {}).get("conditions", ())
    ends = [
        one["type"] for one in conditions if one["status"] == "True" and one["type"] in {"Complete", "Failed"}
    ]
    return ends[0] if ends else None


def termination_message(pod: dict[str, Any]) -> dict[str, Any]:
    """What the agent left for Kubernetes to keep."""
    for status in pod.get("status", {}).get("containerStatuses", ()):
        text = status.get("state", {}).get("terminated", {}).get("message")
        if text:
            message: dict[str, Any] = json.loads(text)
            return message
    return {"error": "it left no termination message"}


def show_outcomes(outcomes: Sequence[Outcome]) -> None:
    """What every Job reported."""
    heading("What the Jobs reported")
    rows = [("OBJECT", "DRIVE", "RESULT", "BYTES", "SECONDS", "SHA256")]
    for each in outcomes:
        said = each.message
        result = "Complete" if each.succeeded else f"Failed: {said.get('error')}"
        seconds = f"{said['seconds']:.2f}" if "seconds" in said else "-"
        rows.append(
            (
                each.planned.object,
                each.planned.drive,
                result,
                f"{said.get('bytes', '-')}",
                seconds,
                f"{said.get('sha256', '-')[:16]}…",
            )
        )
    table(rows, right=(3, 4))
