"""One session in memory: what its Jobs and recorded runs come to; it can be read anew at any time."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from flexlbf.api.v1alpha1 import BackupPolicy, OnWindowEnd
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, Place, Run
from flexlbf.cluster.state import Key
from flexlbf.history.ledger import Outcome
from flexlbf.manifests.names import managed_session_name
from flexlbf.planning.findings import Finding
from flexlbf.planning.plan import SessionPlan
from flexlbf.planning.sessionstatus import SessionProgress, SessionWaiting
from flexlbf.planning.stranding import given_up_at
from flexlbf.scheduling import Drive, Job
from flexlbf.scheduling.dispatch import ActiveStream, LiveSession
from flexlbf.scheduling.forecast import slowness


def nanoseconds(length: timedelta) -> int:
    """A length of time as the scheduler counts it."""
    return length // timedelta(microseconds=1) * 1000


@dataclass(frozen=True, slots=True)
class Creation:
    """A Job that is being created: its stream counts from the moment the request is sent."""

    job: Job
    drive: Drive
    manifest: Mapping[str, Any]

    @property
    def place(self) -> Place:
        """Where the Job will be."""
        return Place(self.manifest["metadata"]["namespace"], self.manifest["metadata"]["name"])

    @property
    def stream(self) -> ActiveStream:
        """What it holds."""
        return ActiveStream(self.drive.name, self.job.rate)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the objects of a session stand.

    Attributes:
        done, failed: objects that are backed up, and those that were given up.
        running: objects with a stream that is open, or is being opened.
        waiting: objects that have yet to start, or to start again.
        skipped: objects that were left out since the window has ended, or since nothing can start any more.
        nameless, nameless_skipped: how many others wait, or were left out, whose names nobody knows any more.
        begun: how many objects were started at all.
        tries: how often each object was tried that has been.
    """

    done: AbstractSet[str]
    failed: AbstractSet[str]
    running: AbstractSet[str]
    waiting: AbstractSet[str]
    skipped: AbstractSet[str]
    begun: int
    tries: dict[str, int]
    nameless: int = 0
    nameless_skipped: int = 0

    @property
    def over(self) -> bool:
        """Whether nothing runs and nothing will."""
        return not self.running and not self.waiting and not self.nameless


@dataclass
class SessionRun:
    """A session that runs.

    Attributes:
        job: its Job, as last seen.
        policy: as last seen.
        plan: what it runs, and what its pods are made of; that of its policy, or the last there was.
        started: when the operator began it.
        live: what waits, in the scheduler's order.
        creating: the Jobs that are being created, by object.
        recorded: what became of objects whose Jobs need not be there any more.
        held_until: nothing is released before, since the API server refused a Job.
        refusal: why it did.
        reason: why the first that waits does.
        measured, planned: nanoseconds that the objects done took, and were planned to take.
        size: bytes written by the objects done.
        expected_end: forecast.
        settled: the names of Jobs whose runs are recorded.
        unsettled: whether there are others that have ended.
        ending: whether it is being ended: nothing starts any more.
        stand_in: whether policy and plan only stand for those that nobody has any more.
        blocked: why nothing of it can start as things are; None if things are well.
        blocked_since: when that was first seen.
        given_up_at: when what has not started then is left out, if it is blocked.
        reported, recorded_at, forecast_at: when its status was last told, runs recorded, its end forecast.
    """

    job: ObservedJob
    policy: BackupPolicy
    plan: SessionPlan
    started: datetime
    creating: dict[str, Creation] = field(default_factory=dict)
    recorded: dict[str, Outcome] = field(default_factory=dict)
    held_until: datetime | None = None
    refusal: str = ""
    reason: str = ""
    measured: int = 0
    planned: int = 0
    size: int = 0
    expected_end: datetime | None = None
    settled: set[str] = field(default_factory=set)
    unsettled: bool = False
    ending: bool = False
    stand_in: bool = False
    blocked: Finding | None = None
    blocked_since: datetime | None = None
    given_up_at: datetime | None = None
    reported: datetime | None = None
    recorded_at: datetime | None = None
    forecast_at: datetime | None = None
    _counted: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._take_plan(self.plan)

    def _take_plan(self, plan: SessionPlan) -> None:
        self.plan = plan
        namespace = self.policy.metadata.namespace or ""
        self.live = LiveSession(plan.jobs, plan.scheduler, plan.drives, (), realm=namespace)
        self.jobs = {each.name: each for each in plan.jobs}

    def follow(self, job: ObservedJob, policy: BackupPolicy, plan: SessionPlan) -> None:
        """Take in what has changed: what is declared now is what runs, as soon as it is planned."""
        self.job, self.policy = job, policy
        if plan is not self.plan:
            self._take_plan(plan)

    def become_whole(
        self, job: ObservedJob, policy: BackupPolicy, plan: SessionPlan, recorded: Mapping[str, Outcome]
    ) -> None:
        """Nothing need stand in any more.

        It stays the one that it was: what it has seen may be recorded nowhere by now, since a history goes
        with its set, and who is about to end it must not end another.
        """
        self.stand_in = False
        self.follow(job, policy, plan)
        done = [name for name in self._counted if name in self.jobs]
        self.measured = sum(self._counted[name] for name in done)
        self.planned = sum(self.jobs[name].duration for name in done)
        self.remember(recorded)

    @property
    def key(self) -> Key:
        """The policy's key."""
        return Key(self.policy.metadata.namespace or "", self.policy.metadata.name)

    @property
    def id(self) -> str:
        """What it is called in the history."""
        return managed_session_name(self.key.name, self.job.uid)

    @property
    def rank(self) -> tuple[int, datetime, str, str]:
        """The place among the sessions of a pool: by priority, then by start, then by name."""
        return (-self.policy.spec.priority, self.started, *self.job.place)

    @property
    def factor(self) -> float:
        """How much longer than planned its objects take."""
        return slowness(self.planned, self.measured)

    @property
    def window_end(self) -> datetime | None:
        """When its window ends, counted from when it was due."""
        window = self.policy.spec.window
        due = self.job.scheduled or self.job.created
        return due + timedelta(milliseconds=window.milliseconds) if window else None

    def standing(self, runs: Iterable[Run], now: datetime) -> Standing:
        """Where each object stands, from the Jobs there are, what is recorded, and what is being created."""
        late = self.window_end is not None and now >= self.window_end
        given_up = self.given_up_at is not None and now >= self.given_up_at
        done = {name for name, outcome in self.recorded.items() if outcome.succeeded}
        tries = {name: outcome.failed_attempts for name, outcome in self.recorded.items()}
        broken = {name for name, tried in tries.items() if tried}
        running = set() if given_up else set(self.creating)
        ran = list(runs)
        for run in ran:
            name = run.facts.obj
            tries[name] = max(tries.get(name, 0), run.facts.attempt)
            if run.succeeded:
                done.add(name)
                self._measure(run)
            elif run.succeeded is None:
                running.add(name)
            else:
                broken.add(name)
        self.unsettled = any(run.succeeded is not None and run.job_name not in self.settled for run in ran)
        running -= done
        retries = self.plan.pod.spec.retries
        failed = {name for name in broken - done - running if late or given_up or tries[name] > retries}
        left = self.jobs.keys() - done - running - failed
        skips = given_up or (late and self.policy.spec.on_window_end is OnWindowEnd.SKIP_REMAINING)
        known = len(self.jobs.keys() | done | running | failed)
        nameless = max(self.job.completions - known, 0) if self.stand_in else 0
        return Standing(
            done=done,
            failed=failed,
            running=running,
            waiting=frozenset() if skips else left,
            skipped=left if skips else frozenset(),
            begun=len(done | running | tries.keys()),
            tries=tries,
            nameless=0 if skips else nameless,
            nameless_skipped=nameless if skips else 0,
        )

    def block(self, why: Finding, since: datetime) -> None:
        """Nothing of it can start, first seen then; it is given up unless somebody mends that in time."""
        if self.blocked_since is None:
            self.blocked_since = since
        self.blocked, self.given_up_at = why, given_up_at(why, self.blocked_since, self.window_end)

    def hold(self, why: str, standing: Standing) -> None:
        """Nothing of it starts now."""
        self.live.wait_for(standing.waiting)
        self.reason = why

    def unblock(self) -> None:
        """Things are well again."""
        self.blocked = self.blocked_since = self.given_up_at = None

    def heed(self, runs: RunIndex) -> None:
        """What is among the Jobs, or was, need not be created any more."""
        for name, creation in list(self.creating.items()):
            if runs.job(creation.place) is not None or creation.place.name in self.settled:
                del self.creating[name]

    def note(self, run: Run) -> None:
        """A run is recorded: its Job may go."""
        self.settled.add(run.job_name)
        known = self.recorded.get(run.facts.obj, Outcome(succeeded=False, failed_attempts=0))
        failed = known.failed_attempts if run.succeeded else max(known.failed_attempts, run.facts.attempt)
        self.recorded[run.facts.obj] = Outcome(known.succeeded or bool(run.succeeded), failed)

    def remember(self, recorded: Mapping[str, Outcome]) -> None:
        """Take in what was recorded before, as after a restart: most Jobs of what is done are gone."""
        for name, outcome in recorded.items():
            known = self.recorded.get(name, outcome)
            self.recorded[name] = replace(
                outcome,
                succeeded=known.succeeded or outcome.succeeded,
                failed_attempts=max(known.failed_attempts, outcome.failed_attempts),
            )
            if outcome.succeeded:
                self._count(name, outcome.duration, outcome.size)

    def _measure(self, run: Run) -> None:
        if run.lasted is not None:
            self._count(run.facts.obj, nanoseconds(run.lasted), (run.pod.bytes if run.pod else None) or 0)

    def _count(self, name: str, lasted: int, size: int) -> None:
        """Count an object that is done towards the bytes and, if it is planned, the forecast, once."""
        if name in self._counted:
            return
        self._counted[name] = lasted
        self.size += size
        if name in self.jobs:
            self.measured += lasted
            self.planned += self.jobs[name].duration

    def progress(self, standing: Standing, ended: datetime | None = None) -> SessionProgress:
        """How it stands, for its policy's status."""
        head = self.live.head if standing.waiting else None
        return SessionProgress(
            name=self.job.place.name,
            started=self.started,
            objects=len(self.jobs.keys() | standing.done | standing.running | standing.failed)
            + standing.nameless
            + standing.nameless_skipped,
            released=standing.begun,
            running=len(standing.running),
            waiting=SessionWaiting(
                len(standing.waiting) + standing.nameless,
                head.name if head else None,
                self.reason if head or standing.nameless else "",
            ),
            done=len(standing.done),
            failed=sorted(standing.failed),
            skipped=sorted(standing.skipped),
            nameless=standing.nameless_skipped,
            blocked=self.blocked,
            size=self.size,
            expected_end=self.expected_end,
            ended=ended,
        )
