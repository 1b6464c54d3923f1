"""The parts of the operator that run sessions, in this process, on a real API server.

A test says when they look at the cluster, what time it is, and how the pods end. Kubernetes' own controllers
make the pods and end the Jobs.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from flexlbf.api.timestamps import format_timestamp
from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy
from flexlbf.cluster.client import ApiError, KubeClient
from flexlbf.cluster.gather import Gatherer
from flexlbf.cluster.histories import HistoryWriter
from flexlbf.cluster.jobs import JobWriter
from flexlbf.cluster.owners import Owners
from flexlbf.cluster.podreader import PodReader
from flexlbf.cluster.resources import BACKUP_CLASSES, BACKUP_SETS, JOBS, OWN_KINDS, PODS, Resource
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, ObservedPod, Place
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.cluster.writer import Writer
from flexlbf.handlers.dispatcher import Dispatcher
from flexlbf.handlers.forecasts import Forecaster
from flexlbf.handlers.observe import Task
from flexlbf.handlers.roster import Roster
from flexlbf.handlers.sessionreports import SessionReports
from flexlbf.handlers.sessions import SessionReconciler
from flexlbf.handlers.settling import Settler
from flexlbf.handlers.workqueue import WorkQueue
from flexlbf.manifests.session import manual_session_job
from flexlbf.planning.decide import decide
from flexlbf.planning.findings import Finding
from flexlbf.planning.plan import SessionPlan
from integration.handlers.cluster import PATIENCE, Cluster
from support.resources import Raw

T = TypeVar("T")


class Here:
    """Plans in this process."""

    async def run(self, function: Callable[..., Any], *arguments: object) -> Any:
        """As a planner does."""
        return function(*arguments)


@dataclass
class Plans:
    """What planning has found."""

    sessions: dict[Key, SessionPlan] = field(default_factory=dict)
    reasons: dict[Key, Finding] = field(default_factory=dict)

    def session_of(self, key: Key) -> SessionPlan | None:
        """The session of a policy's last good plan."""
        return self.sessions.get(key)

    def why_no_session(self, key: Key) -> Finding | None:
        """Why there is none now."""
        return self.reasons.get(key)


class Stage:
    """One namespace with what runs its sessions; `restart` makes that anew, as after a crash."""

    def __init__(self, cluster: Cluster, client: KubeClient) -> None:
        self.cluster = cluster
        self.client = client
        self.now = datetime.now(UTC)
        self.pool = Key("", cluster.namespace)
        self.restart()

    def restart(self) -> None:
        """Forget all that is only in memory."""
        self.state = ClusterState()
        self.runs = RunIndex()
        self.plans = Plans()
        self.jobs = JobWriter(self.client, self.runs)
        histories = HistoryWriter(self.client, self.state)
        writer = Writer(self.client, self.state)
        owners = Owners(self.client)
        self.roster = Roster(
            self.state, self.runs, self.jobs, owners, histories, self.plans, lambda: self.now
        )
        forecaster = Forecaster(self.runs, Here(), self.roster.live, self.plans.session_of)  # type: ignore[arg-type]
        settler = Settler(
            self.runs,
            self.jobs,
            PodReader(self.client, lambda _, pod: self.runs.put_pod(pod)),
            histories,
            SessionReports(self.state, writer, lambda: self.now),
            forecaster,
            lambda _: None,
        )
        self.queue: WorkQueue[Task] = WorkQueue()
        dispatcher = Dispatcher(self.runs, self.jobs)
        self.sessions = SessionReconciler(
            self.runs, self.roster, dispatcher, settler, self.queue, lambda: self.now
        )
        self.histories = histories

    # What is there.

    async def look(self) -> None:
        """Read our own kinds and what is recorded, and plan every policy as the operator does."""
        for resource in OWN_KINDS:
            there = {
                Key(each["metadata"].get("namespace") or "", each["metadata"]["name"]): each
                for each in await self._all(resource)
            }
            for gone in self.state.objects[resource].keys() - there.keys():
                self.state.drop(resource, self.state.objects[resource][gone])
            for each in there.values():
                self.state.put(resource, each)
        await self._read_histories([key.name for key in self.state.objects[BACKUP_SETS]])
        for key, raw in self.state.policies.items():
            snapshot, _ = await Gatherer(self.client, self.state).gather(raw)
            plan = decide(snapshot)
            self.plans.reasons.pop(key, None)
            if plan.session:
                self.plans.sessions[key] = plan.session
            elif plan.stalled:
                self.plans.reasons[key] = plan.stalled

    async def _read_histories(self, sets: Sequence[str]) -> None:
        while True:
            try:
                return await self.histories.refresh(self.cluster.namespace, sets)
            except ApiError as error:
                if error.status != 429:  # a kind that was just installed is served a moment later
                    raise
            await asyncio.sleep(0.2)

    async def _all(self, resource: Resource) -> list[Raw]:
        mine = self.cluster.namespace
        found = [each async for page, _ in self.client.pages(resource, mine) for each in page]
        if not resource.namespaced:  # pools and classes of the test's own, and no other
            found = [each for each in found if each["metadata"]["name"].startswith(mine)]
        return found

    async def see(self, *, pods: bool = True) -> None:
        """Read Jobs, and pods if their watch does not lag behind."""
        async for page, version in self.client.pages(JOBS, self.cluster.namespace):
            list(self.runs.listed_jobs([ObservedJob.of(each) for each in page], int(version)))
        if pods:
            async for page, version in self.client.pages(PODS, self.cluster.namespace):
                list(self.runs.listed_pods([ObservedPod.of(each) for each in page], int(version)))

    # What the operator does.

    async def begin(self, policy: str = "weekly") -> str:
        """Make a session's Job, as for a run token; gives its name."""
        key = Key(self.cluster.namespace, policy)
        read_policy = BackupPolicy.read(self.state.policies[key])
        read_class = BackupClass.read(self.state.objects[BACKUP_CLASSES][self.pool])
        size = self.plans.sessions[key].size
        manifest = manual_session_job(read_policy, read_class.spec, size, "now")
        await self.jobs.create(manifest)
        return str(manifest["metadata"]["name"])

    async def dispatch(self, **later: float) -> None:
        """Look at the pool, so much later."""
        self.now += timedelta(**later)
        await self.sessions.reconcile(self.pool)

    async def settle(self, session: str, **later: float) -> None:
        """Settle a session, so much later."""
        self.now += timedelta(**later)
        await self.sessions.settle(Key(self.cluster.namespace, session))

    # What becomes of it.

    def streams(self) -> dict[str, str]:
        """The Jobs of objects that are there, by object."""
        return {
            each["metadata"]["annotations"]["flexlbf.io/object"]: each["metadata"]["name"]
            for each in self.cluster.list("Job")
            if each["metadata"]["labels"]["flexlbf.io/role"] == "object"
        }

    async def end(self, obj: str, phase: str = "Succeeded", size: int = 1000) -> None:
        """Let an object's pod end, and wait until its Job has."""
        job = self.streams()[obj]
        pod = await until(lambda: self._pod_of(job))
        ended = self.now
        told = {
            "startedAt": format_timestamp(ended - timedelta(minutes=1)),
            "finishedAt": format_timestamp(ended),
            "exitCode": 0 if phase == "Succeeded" else 1,
            "reason": "Ended",
            "message": json.dumps({"bytes": size}),
        }
        container = {"name": "agent", "image": "any", "imageID": "any", "ready": False, "restartCount": 0}
        status = {"phase": phase, "containerStatuses": [{**container, "state": {"terminated": told}}]}
        await asyncio.to_thread(
            self._patch, f"/api/v1/namespaces/{self.cluster.namespace}/pods/{pod}", status
        )
        await until(lambda: self._ended(job))

    def _patch(self, path: str, status: Raw) -> None:
        kind = "application/strategic-merge-patch+json"
        answer = self.cluster.request("PATCH", f"{path}/status", {"status": status}, kind)
        assert answer.status == 200, answer.message

    def _pod_of(self, job: str) -> str:
        path = f"/api/v1/namespaces/{self.cluster.namespace}/pods"
        names = [
            each["metadata"]["name"]
            for each in self.cluster.request("GET", path).body["items"]
            if each["metadata"]["ownerReferences"][0]["name"] == job
        ]
        return str(names[0])

    def _ended(self, job: str) -> None:
        found = self.cluster.get("Job", job)
        assert found is not None
        kinds = {each["type"] for each in found["status"].get("conditions") or ()}
        assert kinds & {"Complete", "Failed"}, found["status"]

    def session(self, policy: str = "weekly") -> Raw:
        """What the policy's status says of its session."""
        told: Raw = self.cluster.policy(policy)["status"]["session"]
        return told

    def outcome(self, session: str) -> Raw:
        """The last condition of a session's Job; empty while it runs."""
        found = self.cluster.get("Job", session)
        assert found is not None
        conditions: list[Raw] = found["status"].get("conditions") or [{}]
        return conditions[-1]

    def reason(self, session: str) -> str:
        """Why the head of a session waits, as the operator sees it now."""
        job = self.runs.job(Place(self.cluster.namespace, session))
        assert job is not None
        return self.roster.live[job.uid].reason


async def until(check: Callable[[], T]) -> T:
    """What a check returns once it stops failing."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while True:
        try:
            return await asyncio.to_thread(check)
        except (AssertionError, LookupError):
            if asyncio.get_running_loop().time() > deadline:
                raise
        await asyncio.sleep(0.1)
