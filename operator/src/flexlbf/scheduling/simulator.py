"""The event-driven simulator: one loop for every scheduler, the tuner, the forecast and the command line."""

import operator
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from flexlbf.scheduling.model import Drive, Job, within_rate_of
from flexlbf.scheduling.native import Session, run_native
from flexlbf.scheduling.protocol import DriveLoads, Scheduler
from flexlbf.scheduling.streams import DedicatedStreams, SharedStreams, Streams
from flexlbf.scheduling.waiting import HostStreams, Waiting
from flexlbf.scheduling.workload import Workload


@dataclass(frozen=True, slots=True)
class Assignment:
    """One job of a schedule; `drive` is an index into the schedule's drives, times are nanoseconds."""

    job: Job
    drive: int
    start: int
    end: int


@dataclass(frozen=True)
class Schedule:
    """A simulated session: who runs where and when.

    The columns are arrays, which a million objects fit in; nobody changes them.

    Attributes:
        drives: the drives simulated, in the pool's order.
        jobs: the jobs in the order in which they started, slowed where faster than every drive.
        drive_of: for each job, the index of its drive.
        starts: for each job, nanoseconds from the start of the session.
        ends: likewise.
        makespan: nanoseconds from the start of the session to the end of its last job; 0 without jobs.
        scheduler: the order and the rule that made it, fitted to the workload: what to run live.
    """

    drives: tuple[Drive, ...]
    jobs: tuple[Job, ...]
    drive_of: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    makespan: int
    scheduler: Scheduler = field(compare=False)

    def __len__(self) -> int:
        return len(self.jobs)

    def __iter__(self) -> Iterator[Assignment]:
        return map(Assignment, self.jobs, self.drive_of, self.starts, self.ends)


def simulate(
    jobs: Sequence[Job],
    drives: Sequence[Drive],
    scheduler: Scheduler,
    *,
    start_grid: int = 1,
    true_durations: Mapping[str, int] | None = None,
) -> Schedule:
    """Simulate one session.

    Args:
        jobs: the workload, in any order; names are unique.
        drives: the pool, at least one drive.
        scheduler: order and rule.
        start_grid: nanoseconds; jobs start at multiples of it only. Cron's grid is `units.MINUTE`.
        true_durations: nanoseconds that objects, by name, really take, at the rate that they ask. The
            scheduler orders and decides by what is planned, as it would live, and the clock goes by these.
            An object that is not named takes as long as is planned.

    Returns:
        The schedule; its jobs are as long as they really were. The same workload gives the same schedule,
        whatever the order of `jobs`.

    Raises:
        ValueError: no drive, or two jobs of one name.
    """
    if not drives:
        raise ValueError("a session needs at least one drive")
    pool = tuple(drives)
    fastest = max(drive.max_rate for drive in pool)
    workload = Workload.of(jobs)
    fitted = scheduler.fitted(workload, pool, start_grid)
    ordered = fitted.order(workload.slowed_to(fastest))
    true = ordered if true_durations is None else _as_they_run(ordered, workload, pool, true_durations)
    rule = fitted.native_rule
    native = run_native(ordered, true, pool, rule, start_grid) if rule else None
    if native:
        return _schedule(pool, fitted, true, native)
    streams: Streams = SharedStreams(pool) if fitted.shares_rate else DedicatedStreams()
    return _run(ordered, true, pool, fitted, streams, start_grid)


def _as_they_run(
    ordered: Sequence[Job], jobs: Sequence[Job], drives: tuple[Drive, ...], durations: Mapping[str, int]
) -> list[Job]:
    """The jobs in the planned order with their true durations, slowed where faster than every drive."""
    run = (replace(job, duration=durations.get(job.name, job.duration)) for job in jobs)
    by_name = {job.name: job for job in within_rate_of(drives, run)}
    return [by_name[job.name] for job in ordered]


def _run(
    ordered: Sequence[Job],
    true: Sequence[Job],
    drives: tuple[Drive, ...],
    scheduler: Scheduler,
    streams: Streams,
    grid: int,
) -> Schedule:
    loads = DriveLoads.idle(drives)
    waiting = Waiting(ordered)
    hosts = HostStreams(waiting)
    choose = scheduler.choose
    drive_of = [0] * len(ordered)
    starts = [0] * len(ordered)
    ends = [0] * len(ordered)
    now = 0
    while True:
        while waiting and (choice := choose(waiting, loads, now)) is not None:
            place, drive = choice
            job = waiting.take(place)
            loads.assign(drive, job)
            hosts.start(job)
            streams.start(now, drive, place, true[place])
            drive_of[place], starts[place] = drive, now
        end = streams.next_end()
        if end is None:
            break
        again = scheduler.ask_again(waiting, now) if waiting else None
        now = -(-(end if again is None else min(end, again)) // grid) * grid
        # Everything that ends at this instant is released before the next assignment.
        for ended, drive, place in streams.complete(now):
            loads.release(drive, ordered[place])
            hosts.end(ordered[place])
            ends[place] = ended
    if waiting:
        raise ValueError(f"object {ordered[waiting.first].name!r} fits no drive, not even an idle one")
    in_order = not any(map(operator.gt, starts, starts[1:]))
    session = Session(max(ends, default=0), array("i", drive_of), _column(starts), _column(ends), in_order)
    return _schedule(drives, scheduler, true, session)


def _column(values: list[int]) -> Sequence[int]:
    """As the kernel gives it, unless the numbers are too large for that."""
    try:
        return array("q", values)
    except OverflowError:
        return values


def _schedule(
    drives: tuple[Drive, ...], scheduler: Scheduler, jobs: Sequence[Job], session: Session
) -> Schedule:
    """The schedule, its jobs in the order in which they started; at one instant in the list's order."""
    makespan, drive_of, starts, ends, in_order = session
    if not in_order:
        by_start = sorted(range(len(jobs)), key=starts.__getitem__)
        jobs = [jobs[place] for place in by_start]
        drive_of = array("i", [drive_of[place] for place in by_start])
        starts, ends = (_column([column[place] for place in by_start]) for column in (starts, ends))
    jobs = jobs if isinstance(jobs, tuple) else tuple(jobs)
    return Schedule(drives, jobs, drive_of, starts, ends, makespan, scheduler)
