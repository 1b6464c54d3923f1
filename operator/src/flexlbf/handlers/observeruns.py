"""Observe what runs: Jobs and pods of ours, and what to look at after a change."""

from collections.abc import Iterable
from typing import Any

from flexlbf.api.v1alpha1 import Execution
from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.reflector import Reflector
from flexlbf.cluster.resources import JOBS, PODS, TAPE_POOLS
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, ObservedPod, Run, StreamFacts
from flexlbf.cluster.sessions import policy_of
from flexlbf.cluster.state import ClusterState, Key, spec_field
from flexlbf.handlers.observe import Observer, Task
from flexlbf.handlers.recorder import Recorder
from flexlbf.handlers.workqueue import WorkQueue
from flexlbf.manifests.names import (
    LABEL_MANAGED_BY,
    MANAGER,
    label_value,
    managed_session_name,
    session_cron_job_name,
)

AT_ONCE = 0.02
"""Seconds in which completions are gathered: a drive that has room should not wait for us."""

LOST_SECONDS = 5.0
"""With its policy a session goes, by Kubernetes' own means; one that has not gone so soon was left behind."""


class RunObserver:
    """Keeps a `RunIndex` like the cluster, tells the recorder, and asks for the pools of what changed.

    Attributes:
        reflectors: followers of Jobs and pods.
    """

    def __init__(
        self,
        client: KubeClient,
        state: ClusterState,
        runs: RunIndex,
        observer: Observer,
        recorder: Recorder,
        queue: WorkQueue[Task],
    ) -> None:
        self._state = state
        self._runs = runs
        self._observer = observer
        self._recorder = recorder
        self._queue = queue
        self._policies: dict[str, Key] = {}
        ours = f"{LABEL_MANAGED_BY}={MANAGER}"
        self.reflectors: list[Reflector[Any]] = [
            Reflector(
                client,
                JOBS,
                read=ObservedJob.of,
                on_list=self.jobs_listed,
                on_change=self.job_changed,
                labels=ours,
            ),
            Reflector(
                client,
                PODS,
                read=ObservedPod.of,
                on_list=self.pods_listed,
                on_change=self.pod_changed,
                labels=ours,
            ),
        ]

    async def take_over(self) -> None:
        """Read Jobs and pods at their newest version: the last leader wrote until a moment ago.

        Raises:
            ApiError: for the caller to try again; nothing may be started before.
        """
        for each in self.reflectors:
            await each.relist()
        self._recorder.begin_term()
        for run in self._runs.all_runs():
            self._recorder.seen(run)
        self._sessions_changed(self._runs.sessions())

    def jobs_listed(self, listed: list[ObservedJob], version: int) -> None:
        """All Jobs were read as they were at a version."""
        changed = list(self._runs.listed_jobs(listed, version))
        self._sessions_changed(each for each in changed if each.is_session)
        for each in changed:
            self._heed_stream(each)

    def job_changed(self, deleted: bool, each: ObservedJob) -> None:
        """A Job was made, changed or deleted."""
        if self._runs.drop_job(each) if deleted else self._runs.put_job(each):
            if each.is_session:
                self.session_changed(each)
            self._heed_stream(each)

    def pods_listed(self, listed: list[ObservedPod], version: int) -> None:
        """All pods were read as they were at a version."""
        for each in self._runs.listed_pods(listed, version):
            self._heed_pod(each)

    def pod_changed(self, deleted: bool, each: ObservedPod) -> None:
        """A pod was made, changed or deleted."""
        if self._runs.drop_pod(each) if deleted else self._runs.put_pod(each):
            self._heed_pod(each)

    def _heed_stream(self, each: ObservedJob) -> None:
        if each.facts is None:
            return
        if self._runs.job(each.place) is None:
            self._recorder.gone(Run(each, None, each.facts))
        else:
            self._tell_recorder(each.uid)
        self._ask_for_stream(each.facts)

    def _heed_pod(self, each: ObservedPod) -> None:
        self._tell_recorder(each.job)
        if each.facts is not None:
            self._ask_for_stream(each.facts)

    def _tell_recorder(self, job: str) -> None:
        run = self._runs.run(job)
        if run is not None:
            self._recorder.seen(run)

    def _ask_for_stream(self, facts: StreamFacts) -> None:
        for key in self._state.objects[TAPE_POOLS]:
            if label_value(key.name) == facts.pool:
                self._queue.add(Task("session", key), AT_ONCE)

    def session_changed(self, job: ObservedJob) -> None:
        """A session began, went on or ended; its policy's token may wait for that, and so may its history."""
        self._sessions_changed([job])

    def _sessions_changed(self, jobs: Iterable[ObservedJob]) -> None:
        """Look at the policy of each once, however many of its sessions there are."""
        policies: dict[Key, None] = {}
        for job in jobs:
            before = self._policies.get(job.uid)
            key = policy_of(self._state, job)
            if key is not None:
                self._policies[job.uid] = key
                policies[key] = None
            if before is not None and before != key:  # it went with its CronJob or its policy
                policies[before] = None
            if key is None or self._runs.session(job.uid) is None:
                self._policies.pop(job.uid, None)
            if key is None and job.underway:
                self._queue.add(Task("settle", Key(*job.place)), LOST_SECONDS)
        for key in policies:
            self._tell_underway(key)
            self.ask_for_pool_of(key)

    def _tell_underway(self, key: Key) -> None:
        sessions = self._sessions_of(key)
        underway = frozenset(managed_session_name(key.name, each.uid) for each in sessions if each.underway)
        if self._state.underway.get((key, Execution.ADAPTIVE), frozenset()) != underway:
            self._observer.sessions_changed(key, Execution.ADAPTIVE, underway)
            self._observer.ask(Task("policy", key))

    def _sessions_of(self, key: Key) -> list[ObservedJob]:
        """The sessions that a policy owns, by its CronJob or, for run tokens, by itself."""
        policy = self._state.policies.get(key)
        if policy is None:
            return []
        owners = [policy["metadata"]["uid"]]
        cron_job = self._state.cron_jobs.get(key.namespace, session_cron_job_name(key.name))
        if cron_job is not None and cron_job.owner == owners[0]:
            owners.append(cron_job.uid)
        return [each for owner in owners for each in self._runs.sessions_of(owner)]

    def ask_for_pool_of(self, policy: Key) -> None:
        """The sessions of a policy may go on, or go on otherwise; those of one that is gone may end."""
        raw = self._state.policies.get(policy)
        if raw is not None:
            self._queue.add(Task("session", Key("", str(spec_field(raw, "tapePool")))), AT_ONCE)
            return
        for uid in [uid for uid, key in self._policies.items() if key == policy]:
            job = self._runs.session(uid)
            if job is not None and job.underway:
                self._queue.add(Task("settle", Key(*job.place)), LOST_SECONDS)
