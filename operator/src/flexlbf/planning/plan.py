"""What planning decides: a plan, or why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from flexlbf.api.v1alpha1 import BackupClassSpec, PodOverrides, Source
from flexlbf.manifests.cronjob import PlannedStart
from flexlbf.manifests.session import SessionSize
from flexlbf.planning.drift import MeasuredSession
from flexlbf.planning.findings import Finding, Reason
from flexlbf.planning.recency import NEVER, Recency
from flexlbf.scheduling import Drive, Job, Scheduler

NOT_PLANNED = Finding(Reason.NOT_PLANNED, "there is no plan yet that could be held against the window")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an object comes from: its set, its data, and the machine that sends it if that is known."""

    backup_set: str
    source: Source
    host: str | None = None


@dataclass(frozen=True, slots=True)
class CheckedPod:
    """What pods are made of, besides the object: as it was when it was held against what the class allows.

    Attributes:
        spec: the class's.
        overrides: what the policy sets of its pods.
    """

    spec: BackupClassSpec
    overrides: PodOverrides | None


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """A session as the dispatcher runs it: objects, and the scheduler that decides by what really runs.

    A scheduler may have planned an order with a drive for each object; it keeps it while the night goes so.

    Its pods are made of what is in here and of nothing else. What is declared by the time that they start
    may be another class or other overrides, with which nobody has checked these sources.

    Attributes:
        jobs: in the scheduler's order, those faster than every drive slowed.
        scheduler: fitted to the workload.
        drives: those that are used, in the pool's order, with the agents that are allowed.
        devices: of each drive, by name.
        origins: of each object, by name.
        duration: nanoseconds that it is forecast to take.
        pool: the drives' TapePool.
        pod: what its pods are made of, checked together with the origins.
    """

    jobs: tuple[Job, ...]
    scheduler: Scheduler
    drives: tuple[Drive, ...]
    devices: Mapping[str, str | None]
    origins: Mapping[str, Origin]
    duration: int
    pool: str
    pod: CheckedPod

    @property
    def size(self) -> SessionSize:
        """What its Job shows."""
        streams = sum(drive.max_agents for drive in self.drives)
        return SessionSize(len(self.jobs), min(streams, len(self.jobs)))


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be made true for one policy.

    Attributes:
        stalled: why the policy can't be planned; then the rest is empty and what runs is left as it is.
        outcome: the reason of the Ready condition.
        window_fit: whether the session fits the window; None if that can't be said.
        window: the reason for that.
        figures: the status's `workload`, `recommendation` and `alternatives`.
        session_duration: how long the session takes, as the status shows it.
        starts: with execution Planned, the objects to start, in their order; empty in mode Recommend.
        session: what the dispatcher runs, with execution Adaptive or by a run token; None in mode
            Recommend, and without objects.
        adaptive: whether the one CronJob is that of the session.
        measured: what the policy's last session came to; None if none was recorded.
        forecast: nanoseconds that the session takes; None without objects.
        recency: how old the last backups of the objects are.
        longest_gap: from one start of the schedule to the next.
    """

    stalled: Finding | None
    outcome: Finding | None
    window_fit: bool | None
    window: Finding
    figures: dict[str, Any]
    session_duration: str | None
    starts: tuple[PlannedStart, ...]
    session: SessionPlan | None = None
    adaptive: bool = False
    measured: MeasuredSession | None = None
    forecast: int | None = None
    recency: Recency = NEVER
    longest_gap: timedelta | None = None

    @property
    def cron_jobs(self) -> int:
        """How many CronJobs carry it out."""
        return (1 if self.session else 0) if self.adaptive else len(self.starts)

    @classmethod
    def impossible(cls, why: Finding) -> "Plan":
        """No plan: only a change of the input helps, and what runs is left as it is."""
        return cls(why, None, None, NOT_PLANNED, {}, None, ())
