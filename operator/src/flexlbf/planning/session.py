"""The session of a policy: settings by the tuner, and when each object starts."""

from dataclasses import dataclass
from datetime import timedelta

from flexlbf.api.durations import format_duration
from flexlbf.api.v1alpha1 import BackupPolicySpec, Execution, Objective, TapePool
from flexlbf.manifests.cronjob import PlannedStart
from flexlbf.manifests.pod import Stream
from flexlbf.planning.cron import CronSchedule, ShiftError
from flexlbf.planning.findings import Reason, Unplannable
from flexlbf.planning.plan import CheckedPod, Origin, SessionPlan
from flexlbf.planning.workload import PlannableObject
from flexlbf.scheduling import Drive, Schedule
from flexlbf.scheduling.model import slowed
from flexlbf.scheduling.registry import TUNING_BUDGET_S, scheduler_named
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE, MINUTE, NANOSECONDS_PER_MILLISECOND, to_seconds
from flexlbf.tuning import (
    Comparison,
    Deadline,
    Fastest,
    Tuning,
    WithinPercent,
    allowed_drives,
    compare,
    tune,
)
from flexlbf.tuning.objective import Objective as Target


@dataclass(frozen=True, slots=True)
class PooledDrive:
    """A drive of a TapePool and the device that stands for it."""

    drive: Drive
    device: str | None


@dataclass(frozen=True, slots=True)
class TunedSession:
    """The settings chosen for a workload, and what they are compared with."""

    tuning: Tuning
    comparison: Comparison
    pool: tuple[Drive, ...]

    @property
    def schedule(self) -> Schedule:
        """The session with the chosen settings."""
        return self.tuning.chosen.schedule


def available_drives(pool: TapePool) -> tuple[PooledDrive, ...]:
    """The drives of a pool that may get something new, in its order."""
    away = {each.drive for group in pool.spec.drives for each in group.unavailable}
    return tuple(each for each in pooled_drives(pool) if each.drive.name not in away)


def pooled_drives(pool: TapePool) -> tuple[PooledDrive, ...]:
    """All drives of a pool, in its order."""
    return tuple(
        PooledDrive(
            Drive(name, group.max_throughput * MICROBYTES_PER_BYTE, group.max_agents),
            group.devices[index] if group.devices else None,
        )
        for group in pool.spec.drives
        for index, name in enumerate(group.drive_names())
    )


def target_of(spec: BackupPolicySpec) -> Target:
    """The tuner's objective for a policy's; admission has checked that percent or window are there."""
    if spec.objective is Objective.WITHIN_PERCENT:
        return WithinPercent(spec.percent or 0)
    if spec.objective is Objective.DEADLINE and spec.window:
        return Deadline(spec.window.milliseconds * NANOSECONDS_PER_MILLISECOND)
    return Fastest()


def start_grid(spec: BackupPolicySpec) -> int:
    """Nanoseconds at whose multiples objects start: at any by the dispatcher, at whole minutes by cron."""
    return 1 if spec.execution is Execution.ADAPTIVE else MINUTE


def tune_session(
    spec: BackupPolicySpec, objects: tuple[PlannableObject, ...], pool: TapePool
) -> TunedSession:
    """Tune with starts as they will be: at whole minutes by cron, at any moment by the dispatcher.

    Raises:
        Unplannable: no drive is available.
    """
    jobs = [each.job for each in objects]
    limits = spec.limits
    everything = tuple(each.drive for each in available_drives(pool))
    if not everything:
        raise Unplannable(
            Reason.NO_DRIVE_AVAILABLE,
            f"all drives of TapePool {pool.metadata.name!r} are marked unavailable: take one out of "
            "spec.drives[].unavailable",
        )
    grid = start_grid(spec)
    drives = allowed_drives(
        everything, limits.drives if limits else None, limits.max_agents if limits else None
    )
    scheduler = scheduler_named(spec.scheduler.value, budget_s=TUNING_BUDGET_S)
    tuning = tune(jobs, drives, target_of(spec), scheduler, start_grid=grid)
    kept = {drive.name for drive in tuning.chosen.drives}
    fixed = tuple(drive for drive in drives if drive.name in kept)
    return TunedSession(tuning, compare(jobs, fixed, start_grid=grid), everything)


def session_plan(
    objects: tuple[PlannableObject, ...], session: TunedSession, pool: TapePool, pod: CheckedPod
) -> SessionPlan:
    """The session as the dispatcher runs it, by a class that allows these objects and this pod."""
    schedule = session.schedule
    fastest = max(drive.max_rate for drive in schedule.drives)
    jobs = schedule.scheduler.order([slowed(each.job, fastest) for each in objects])
    return SessionPlan(
        tuple(jobs),
        schedule.scheduler,
        schedule.drives,
        {each.drive.name: each.device for each in pooled_drives(pool)},
        {each.job.name: Origin(each.backup_set, each.source, each.host) for each in objects},
        schedule.makespan,
        pool.metadata.name,
        pod,
    )


def planned_starts(
    policy: str,
    cron: CronSchedule,
    objects: tuple[PlannableObject, ...],
    session: TunedSession,
    pool: TapePool,
) -> tuple[PlannedStart, ...]:
    """Each object's start as a cron schedule, in the order in which they start.

    Raises:
        Unplannable: the sessions overlap, or the schedule can't be shifted far enough.
    """
    _require_room_between_sessions(cron, session.schedule)
    by_name = {each.job.name: each for each in objects}
    devices = {each.drive.name: each.device for each in pooled_drives(pool)}
    shifted: dict[int, str] = {}
    starts = []
    for assignment in session.schedule:
        drive = session.schedule.drives[assignment.drive]
        each = by_name[assignment.job.name]
        offset = assignment.start // MINUTE
        if offset not in shifted:
            shifted[offset] = _shift(cron, offset, each)
        stream = Stream(
            each.job.name,
            each.backup_set,
            policy,
            each.source,
            drive.name,
            devices[drive.name],
            drive.max_rate // MICROBYTES_PER_BYTE,
            pool.metadata.name,
            assignment.job.rate,
            each.host,
        )
        starts.append(PlannedStart(stream, offset, shifted[offset]))
    return tuple(starts)


def _shift(cron: CronSchedule, offset: int, each: PlannableObject) -> str:
    try:
        return str(cron.shifted(offset))
    except ShiftError as error:
        raise Unplannable(
            Reason.SCHEDULE_NOT_SHIFTABLE, f"object {each.job.name!r} can't start when planned: {error}"
        ) from error


def _require_room_between_sessions(cron: CronSchedule, schedule: Schedule) -> None:
    """Two sessions of one policy at a time would ask the drives for what they have twice."""
    gap = cron.shortest_gap()
    if schedule.makespan > gap // timedelta(microseconds=1) * 1000:
        raise Unplannable(
            Reason.SESSIONS_OVERLAP,
            f"a session takes {format_duration(to_seconds(schedule.makespan))}, but schedule {cron} starts "
            f"one every {format_duration(gap.total_seconds())}: start it less often, allow more drives or "
            "split the sets over several policies",
        )
