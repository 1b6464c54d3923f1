"""The event-driven simulator: one loop for every scheduler, the tuner, the forecast and the command line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from flexlbf.scheduling.model import Drive, Job, require_unique_names, within_rate_of
from flexlbf.scheduling.protocol import DriveLoads, Scheduler
from flexlbf.scheduling.streams import DedicatedStreams, SharedStreams, Streams


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

    Attributes:
        drives: the drives simulated, in the pool's order.
        jobs: the jobs in the order in which they started, slowed where faster than every drive.
        drive_of: for each job, the index of its drive.
        starts: for each job, nanoseconds from the start of the session.
        ends: likewise.
    """

    drives: tuple[Drive, ...]
    jobs: tuple[Job, ...]
    drive_of: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @cached_property
    def makespan(self) -> int:
        """Nanoseconds from the start of the session to the end of its last job; 0 without jobs."""
        return max(self.ends, default=0)

    def __len__(self) -> int:
        return len(self.jobs)

    def __iter__(self) -> Iterator[Assignment]:
        return map(Assignment, self.jobs, self.drive_of, self.starts, self.ends)


def simulate(
    jobs: Sequence[Job], drives: Sequence[Drive], scheduler: Scheduler, *, start_grid: int = 1
) -> Schedule:
    """Simulate one session.

    Args:
        jobs: the workload, in any order; names are unique.
        drives: the pool, at least one drive.
        scheduler: order and rule.
        start_grid: nanoseconds; jobs start at multiples of it only. Cron's grid is `units.MINUTE`.

    Returns:
        The schedule. The same workload gives the same schedule, whatever the order of `jobs`.

    Raises:
        ValueError: no drive, or two jobs of one name.
    """
    if not drives:
        raise ValueError("a session needs at least one drive")
    require_unique_names(jobs)
    pool = tuple(drives)
    ordered = scheduler.order(within_rate_of(pool, jobs))
    streams: Streams = SharedStreams(pool) if scheduler.shares_rate else DedicatedStreams()
    return _run(ordered, pool, scheduler, streams, start_grid)


def _run(
    ordered: list[Job], drives: tuple[Drive, ...], scheduler: Scheduler, streams: Streams, grid: int
) -> Schedule:
    loads = DriveLoads.idle(drives)
    choose = scheduler.choose
    drive_of = [0] * len(ordered)
    starts = [0] * len(ordered)
    ends = [0] * len(ordered)
    now, head, total = 0, 0, len(ordered)
    while True:
        while head < total and (drive := choose(ordered[head], loads)) is not None:
            job = ordered[head]
            loads.assign(drive, job)
            streams.start(now, drive, head, job)
            drive_of[head], starts[head] = drive, now
            head += 1
        end = streams.next_end()
        if end is None:
            break
        now = -(-end // grid) * grid
        # Everything that ends at this instant is released before the next assignment.
        for ended, drive, index in streams.complete(now):
            loads.release(drive, ordered[index])
            ends[index] = ended
    if head < total:
        raise ValueError(f"object {ordered[head].name!r} fits no drive, not even an idle one")
    return Schedule(drives, tuple(ordered), tuple(drive_of), tuple(starts), tuple(ends))
