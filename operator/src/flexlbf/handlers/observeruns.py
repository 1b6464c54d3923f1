"""Observe what runs: Jobs and pods of ours, and which pool to look at after a change."""

from typing import Any

from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.reflector import Reflector
from flexlbf.cluster.resources import JOBS, PODS, TAPE_POOLS
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, ObservedPod, StreamFacts
from flexlbf.cluster.state import ClusterState, Key, spec_field
from flexlbf.handlers.observe import Task
from flexlbf.handlers.workqueue import WorkQueue
from flexlbf.manifests.names import LABEL_MANAGED_BY, MANAGER, label_value

AT_ONCE = 0.02
"""Seconds in which completions are gathered: a drive that has room should not wait for us."""


class RunObserver:
    """Keeps a `RunIndex` like the cluster, and asks for the pools of what changed."""

    def __init__(
        self, client: KubeClient, state: ClusterState, runs: RunIndex, queue: WorkQueue[Task]
    ) -> None:
        self._client = client
        self._state = state
        self._runs = runs
        self._queue = queue

    def reflectors(self) -> list[Reflector[Any]]:
        """Followers of Jobs and pods."""
        ours = f"{LABEL_MANAGED_BY}={MANAGER}"
        return [
            Reflector(
                self._client,
                JOBS,
                read=ObservedJob.of,
                on_list=self.jobs_listed,
                on_change=self.job_changed,
                labels=ours,
            ),
            Reflector(
                self._client,
                PODS,
                read=ObservedPod.of,
                on_list=self.pods_listed,
                on_change=self.pod_changed,
                labels=ours,
            ),
        ]

    def jobs_listed(self, listed: list[ObservedJob], version: int) -> None:
        """All Jobs were read as they were at a version."""
        for each in self._runs.listed_jobs(listed, version):
            self._ask_for_job(each)

    def job_changed(self, deleted: bool, each: ObservedJob) -> None:
        """A Job was made, changed or deleted."""
        if self._runs.drop_job(each) if deleted else self._runs.put_job(each):
            self._ask_for_job(each)

    def pods_listed(self, listed: list[ObservedPod], version: int) -> None:
        """All pods were read as they were at a version."""
        for each in self._runs.listed_pods(listed, version):
            self._ask_for_stream(each.facts)

    def pod_changed(self, deleted: bool, each: ObservedPod) -> None:
        """A pod was made, changed or deleted."""
        if self._runs.drop_pod(each) if deleted else self._runs.put_pod(each):
            self._ask_for_stream(each.facts)

    def _ask_for_job(self, each: ObservedJob) -> None:
        if each.facts is not None:
            self._ask_for_stream(each.facts)
        elif each.is_session:
            self._ask_for_session(each)

    def _ask_for_stream(self, facts: StreamFacts | None) -> None:
        if facts is None:
            return
        for key in self._state.objects[TAPE_POOLS]:
            if label_value(key.name) == facts.pool:
                self._queue.add(Task("session", key), AT_ONCE)

    def _ask_for_session(self, job: ObservedJob) -> None:
        """The policy is looked at too: its token may wait for this session to end or to be gone."""
        namespace, name = job.place.namespace, job.owner_name
        if job.owner_kind == "CronJob":
            cron_job = self._state.cron_jobs.get(namespace, name)
            name = cron_job.owner_name if cron_job else ""
        policy = self._state.policies.get(Key(namespace, name))
        if policy is not None:
            self._queue.add(Task("policy", Key(namespace, name)))
            self._queue.add(Task("session", Key("", str(spec_field(policy, "tapePool")))), AT_ONCE)
