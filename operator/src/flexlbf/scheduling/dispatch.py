"""What may start now: the live counterpart of the simulator's loop, over all sessions of a pool.

It asks the same schedulers as the simulator, with what really runs in place of what was simulated. Sessions
come by priority, and a drive that one of them waits for is closed to those behind it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from flexlbf.scheduling.model import Drive, Host, Job
from flexlbf.scheduling.planned import PlannedOrder
from flexlbf.scheduling.protocol import NO_AGENT, DriveLoads, Scheduler
from flexlbf.scheduling.units import RATE_TOLERANCE, to_megabytes
from flexlbf.scheduling.waiting import Waiting


@dataclass(frozen=True, slots=True)
class ActiveStream:
    """A stream that holds an agent and a rate (micro-bytes a second) of a drive, whoever started it."""

    drive: str
    rate: int


HostKey = tuple[str, str]
"""The realm of a host's name, such as a namespace, and the name: two tenants' machines are two."""


@dataclass(slots=True)
class DriveUse:
    """What the streams of one drive hold together."""

    agents: int = 0
    rate: int = 0


@dataclass(frozen=True, slots=True)
class Release:
    """A job that is to start now, and where."""

    job: Job
    drive: Drive


class LiveSession:
    """The objects of one session that wait, in its scheduler's order.

    Args:
        jobs: all of the session, in the scheduler's order.
        scheduler: fitted to the workload.
        drives: those that the session uses, in the pool's order; their `max_agents` is the interleaving that
            the session accepts, whoever's streams are on the drive.
        waiting: the names of those that have not started.
        realm: that of the hosts' names.

    Attributes:
        now: nanoseconds since the session began; the caller keeps it.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        scheduler: Scheduler,
        drives: Sequence[Drive],
        waiting: Iterable[str],
        realm: str = "",
    ) -> None:
        self.realm = realm
        self.hosts = frozenset(job.host for job in jobs if job.host)
        self.jobs = jobs
        self.scheduler = scheduler
        self.drives = tuple(drives)
        self.now = 0
        self._place = {job.name: place for place, job in enumerate(jobs)}
        self._waiting = self._place.keys() & set(waiting)
        self._queue: Waiting | None = None

    @property
    def queue(self) -> Waiting:
        """What waits, in order."""
        if self._queue is None:
            self._queue = Waiting(self.jobs)
            for name in self._place.keys() - self._waiting:
                self._queue.take(self._place[name])
        return self._queue

    @property
    def waiting(self) -> int:
        """How many objects wait."""
        return len(self._waiting)

    @property
    def head(self) -> Job | None:
        """The object that is considered first; if the hosts of all are busy, the first of the list."""
        if not self._waiting:
            return None
        first = self.queue.first if self.queue else min(self._place[name] for name in self._waiting)
        return self.jobs[first]

    def names(self) -> list[str]:
        """The objects that wait, in order."""
        return [self.jobs[place].name for place in self.queue]

    def take(self, place: int) -> Job:
        """An object starts."""
        job = self.queue.take(place)
        self._waiting.discard(job.name)
        return job

    def wait_for(self, names: Iterable[str]) -> None:
        """Let just these wait, each in its place: some may have ended, others failed and come again."""
        wanted = self._place.keys() & set(names)
        if wanted - self._waiting:
            self._queue = None
        elif self._queue is not None:
            for name in self._waiting - wanted:
                self._queue.take(self._place[name])
        self._waiting = wanted


@dataclass
class PoolUse:
    """A pool's drives and what runs on them, while releases are decided.

    Attributes:
        drives: those that may get something new, by name.
        use: what the streams of each drive hold.
        closed: drives that a session of higher priority waits for.
        hosts: how many streams each host sends, to whatever pool.
    """

    drives: Mapping[str, Drive]
    use: dict[str, DriveUse] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)
    hosts: Counter[HostKey] = field(default_factory=Counter)

    @classmethod
    def of(
        cls,
        drives: Iterable[Drive],
        streams: Iterable[ActiveStream],
        hosts: Mapping[HostKey, int] | None = None,
    ) -> "PoolUse":
        """The drives that may get something new, all streams to them, and those of hosts to anywhere."""
        found = cls({drive.name: drive for drive in drives}, hosts=Counter(hosts or {}))
        for stream in streams:
            found.add(stream)
        return found

    def add(self, stream: ActiveStream) -> None:
        """Another stream runs."""
        use = self.use.setdefault(stream.drive, DriveUse())
        use.agents += 1
        use.rate += stream.rate

    def close(self, session: LiveSession) -> None:
        """Keep the drives that a session waits for from those of lower priority."""
        self.closed.update(drive.name for drive in session.drives)

    def loads(self, session: LiveSession) -> DriveLoads:
        """The pool as a session sees it: nothing is free on a drive that is closed or away."""
        loads = DriveLoads.idle(session.drives)
        for index, drive in enumerate(session.drives):
            there = self.drives.get(drive.name)
            use = self.use.get(drive.name, DriveUse())
            open_ = there is not None and drive.name not in self.closed
            cap = min(drive.max_agents, there.max_agents) if there else 0
            loads.active[index] = use.agents
            loads.free_agents[index] = max(cap - use.agents, 0) if open_ else 0
            loads.free_rate[index] = (there.max_rate if there else 0) - use.rate
            loads.room[index] = loads.free_rate[index] if loads.free_agents[index] else NO_AGENT
        return loads


def releases(pool: PoolUse, session: LiveSession) -> list[Release]:
    """What of a session starts now, in that order; it is taken out of it and counted in the pool."""
    loads = pool.loads(session)
    found = []
    for host in session.hosts:
        _heed_host(pool, session, host)
    while session.queue:
        choice = session.scheduler.choose(session.queue, loads, session.now)
        if choice is None:
            break
        drive = session.drives[choice.drive]
        job = session.take(choice.place)
        loads.assign(choice.drive, job)
        pool.add(ActiveStream(drive.name, job.rate))
        found.append(Release(job, drive))
        if job.host:
            pool.hosts[session.realm, job.host.name] += 1
            _heed_host(pool, session, job.host)
    return found


def _heed_host(pool: PoolUse, session: LiveSession, host: Host) -> None:
    """Pass the objects of a host over while it sends all the streams that it may."""
    if pool.hosts[session.realm, host.name] >= host.max_streams:
        session.queue.hide(host)
    else:
        session.queue.show(host)


def why_waiting(pool: PoolUse, session: LiveSession) -> str:
    """Why the head of a session waits, in words, after what may start of it was released."""
    head = session.head
    if head is None:
        return ""
    there = [drive for drive in session.drives if drive.name in pool.drives]
    if not there:
        return "none of the session's drives is available"
    if all(drive.name in pool.closed for drive in there):
        return "a session of higher priority waits for the same drives"
    if head.host and not session.queue:
        streams = f"{head.host.max_streams} stream{'s' if head.host.max_streams > 1 else ''}"
        return f"its host {head.host.name} sends the {streams} that it may, as do those of all that wait"
    return _why_no_drive(head, session, pool.loads(session), there)


def _why_no_drive(head: Job, session: LiveSession, loads: DriveLoads, there: Sequence[Drive]) -> str:
    room = max(loads.room)
    if room == NO_AGENT:
        return f"no agent is free on {_named(there)}"
    drive = session.drives[loads.room.index(room)]
    if head.rate > room + RATE_TOLERANCE:
        asks, free = f"{to_megabytes(head.rate):.4g} MB/s", f"{to_megabytes(room):.4g} MB/s"
        return f"it asks {asks}, and {drive.name}, the drive with the most room, has {free} free"
    if isinstance(session.scheduler, PlannedOrder):
        return session.scheduler.why_held(session.queue, head.name, session.drives)
    return "another object fills the drives better at this moment"


def _named(drives: Sequence[Drive]) -> str:
    names = [drive.name for drive in drives]
    return ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])} and {len(names) - 3} more"
