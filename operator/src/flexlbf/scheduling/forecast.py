"""When a running session will be over, from what runs and what waits."""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flexlbf.scheduling.dispatch import ActiveStream, LiveSession, PoolUse
from flexlbf.scheduling.model import Drive, Host, Job
from flexlbf.scheduling.protocol import Scheduler
from flexlbf.scheduling.waiting import HostStreams

LEAST_FACTOR, LARGEST_FACTOR = 0.1, 10.0


@dataclass(frozen=True, slots=True)
class RunningStream:
    """A stream, how many nanoseconds it is expected to go on, whether it is the session's own, its host.

    One that goes to another pool holds nothing but its place on its host.
    """

    stream: ActiveStream | None
    left: int
    own: bool
    host: Host | None = None


@dataclass(frozen=True)
class Outlook:
    """A session at an instant: plain data, so that it can be simulated in another process.

    Attributes:
        jobs: all of the session, in the scheduler's order.
        scheduler: fitted to the workload.
        drives: those that the session uses and that are available.
        waiting: the names of those that have not started.
        running: all streams of these drives and of the session's hosts, those of other sessions too.
        now: nanoseconds since the session began.
        factor: how much longer objects take than planned, by those that have finished.
    """

    jobs: Sequence[Job]
    scheduler: Scheduler
    drives: Sequence[Drive]
    waiting: Iterable[str]
    running: Sequence[RunningStream]
    now: int
    factor: float


def slowness(planned: int, measured: int) -> float:
    """How much longer than planned objects take, by the sums of those that have finished; 1 without any."""
    if planned <= 0 or measured <= 0:
        return 1.0
    return min(max(measured / planned, LEAST_FACTOR), LARGEST_FACTOR)


def remaining(planned: int, elapsed: int, factor: float) -> int:
    """How much longer a stream is expected to go on, in nanoseconds.

    One that is over its time already is expected to need a tenth of it more: it can't be told better.
    """
    expected = int(planned * factor)
    return max(expected - elapsed, min(expected, elapsed) // 10)


def forecast_end(outlook: Outlook) -> int | None:
    """Nanoseconds from the session's beginning to its end; None if something fits no drive."""
    session = LiveSession(outlook.jobs, outlook.scheduler, outlook.drives, outlook.waiting)
    pool = PoolUse.of(outlook.drives, (each.stream for each in outlook.running if each.stream))
    loads = pool.loads(session)
    ends = _ends(outlook, session)
    hosts = HostStreams(session.queue)
    for _, _, _, job, _ in ends:
        hosts.start(job)
    number, now, end = len(outlook.running), outlook.now, outlook.now
    while True:
        while session.queue and (choice := session.scheduler.choose(session.queue, loads, now)) is not None:
            job = session.take(choice.place)
            loads.assign(choice.drive, job)
            hosts.start(job)
            number += 1
            heapq.heappush(ends, (now + int(job.duration * outlook.factor), number, choice.drive, job, True))
        if not ends:
            return None if session.waiting else end
        again = session.scheduler.ask_again(session.queue, now) if session.queue else None
        now = ends[0][0] if again is None else min(ends[0][0], again)
        while ends and ends[0][0] <= now:
            _, _, drive, job, own = heapq.heappop(ends)
            if drive is not None:
                loads.release(drive, job)
            hosts.end(job)
            end = now if own else end


def _ends(outlook: Outlook, session: LiveSession) -> list[tuple[int, int, int | None, Job, bool]]:
    """The streams that run, as a heap by their ends: those that hold something of a drive or of a host."""
    index = {drive.name: place for place, drive in enumerate(session.drives)}
    ends: list[tuple[int, int, int | None, Job, bool]] = []
    for number, each in enumerate(outlook.running):
        drive = index.get(each.stream.drive) if each.stream else None
        if drive is not None or each.host:
            job = Job("running", max(each.left, 1), each.stream.rate if each.stream else 0, each.host)
            ends.append((outlook.now + each.left, number, drive, job, each.own))
    heapq.heapify(ends)
    return ends
