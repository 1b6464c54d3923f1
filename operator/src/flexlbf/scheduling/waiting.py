"""The jobs of a session that wait, without those whose host sends all the streams that it may."""

from bisect import bisect_left
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heappop, heappush

from flexlbf.scheduling.byrate import ByRate
from flexlbf.scheduling.model import Host, Job


class Waiting:
    """The jobs that wait, in the scheduler's order; any of them can be taken out at once, and put back.

    Jobs are known by their place in the whole list, which never changes. Those of a host that is hidden are
    passed over, as if they were not there.
    """

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.jobs = jobs
        self._next = list(range(1, len(jobs) + 1))
        self._previous = list(range(-1, len(jobs)))
        self._taken = bytearray(len(jobs))
        self._count = len(jobs)
        self._first = 0
        self._queues = _HostQueues(jobs, self._taken) if any(job.host for job in jobs) else None
        self._by_rate: ByRate | None = None  # what only a rule for thousands asks for

    def __bool__(self) -> bool:
        return self.first < len(self.jobs)

    def __len__(self) -> int:
        """How many wait, hidden or not."""
        return self._count

    def __iter__(self) -> Iterator[int]:
        """The places of all that wait."""
        hidden = self.hidden
        place = self.first
        while place < len(self.jobs):
            if self.jobs[place].host not in hidden:
                yield place
            place = self._next[place]

    @property
    def first(self) -> int:
        """The place of the first that waits; behind the last one if there is none."""
        return self._queues.first() if self._queues else self._first

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        """The place of each job of the whole list, by name."""
        return {job.name: place for place, job in enumerate(self.jobs)}

    def waits(self, place: int) -> bool:
        """Whether a job waits, hidden or not."""
        return not self._taken[place]

    def hides(self, place: int) -> bool:
        """Whether a job is passed over for now."""
        return self.jobs[place].host in self.hidden

    @property
    def hidden(self) -> Container[Host | None]:
        """The hosts whose jobs are passed over for now."""
        return self._queues.hidden if self._queues else frozenset()

    def by_rate(self, classes: int) -> ByRate:
        """The jobs that wait, hidden or not, by rate."""
        if self._by_rate is None:
            waiting = (place for place, taken in enumerate(self._taken) if not taken)
            self._by_rate = ByRate(self.jobs, waiting, classes)
        return self._by_rate

    def take(self, place: int) -> Job:
        """Take a job out."""
        after, before = self._next[place], self._previous[place]
        if place == self._first:
            self._first = after
        else:
            self._next[before] = after
        self._previous[after] = before
        self._taken[place] = True
        self._count -= 1
        if self._by_rate:
            self._by_rate.take(place)
        return self.jobs[place]

    def restore(self, place: int) -> None:
        """Put a job that was taken out back, at its place in the list: one that failed is tried again.

        Raises:
            ValueError: it waits already.
        """
        if not self._taken[place]:
            raise ValueError(f"object {self.jobs[place].name!r} waits already")
        self._taken[place] = False
        self._count += 1
        before = self._taken.rfind(0, 0, place)
        after = self._first if before < 0 else self._next[before]
        if before < 0:
            self._first = place
        else:
            self._next[before] = place
        self._previous[place], self._next[place] = before, after
        self._previous[after] = place
        if self._by_rate:
            self._by_rate.restore(place)
        if self._queues:
            self._queues.restored(place)

    def hide(self, host: Host) -> None:
        """Pass the jobs of a host over, until it is shown again."""
        if self._queues:
            self._queues.hidden.add(host)

    def show(self, host: Host) -> None:
        """Consider the jobs of a host again, each in its place."""
        if self._queues:
            self._queues.show(host)


class _HostQueues:
    """Finds the first job of a host that is shown, without a walk past the thousands of one that is hidden.

    A heap has the first waiting place of each host that is shown, or one before it that was taken since;
    what is taken or hidden is put right as it comes to the top. Jobs of no host are a queue like the others.
    """

    def __init__(self, jobs: Sequence[Job], taken: bytearray) -> None:
        self._jobs = jobs
        self._taken = taken
        self._places: dict[Host | None, list[int]] = {}
        for place, job in enumerate(jobs):
            self._places.setdefault(job.host, []).append(place)
        self._at = dict.fromkeys(self._places, 0)
        self._heap: list[int] = []
        self._in_heap = bytearray(len(jobs))
        for places in self._places.values():
            self._push(places[0])
        self.hidden: set[Host | None] = set()

    def first(self) -> int:
        """The place, behind the last one if there is none."""
        while self._heap:
            place = self._heap[0]
            host = self._jobs[place].host
            hidden = host in self.hidden
            if not hidden and not self._taken[place]:
                return place
            self._in_heap[heappop(self._heap)] = False
            if not hidden:
                self._push_first(host)
        return len(self._jobs)

    def show(self, host: Host) -> None:
        """A host is no longer hidden."""
        if host in self.hidden:
            self.hidden.remove(host)
            if host in self._places:
                self._push_first(host)

    def restored(self, place: int) -> None:
        """A job that was taken waits again."""
        host = self._jobs[place].host
        self._at[host] = min(self._at[host], bisect_left(self._places[host], place))
        self._push(place)

    def _push_first(self, host: Host | None) -> None:
        places, at = self._places[host], self._at[host]
        while at < len(places) and self._taken[places[at]]:
            at += 1
        self._at[host] = at
        if at < len(places):
            self._push(places[at])

    def _push(self, place: int) -> None:
        if not self._in_heap[place]:
            self._in_heap[place] = True
            heappush(self._heap, place)


class HostStreams:
    """How many streams each host sends; the jobs of one that sends all that it may are hidden.

    So whatever a scheduler's rule is, it never sees a job that its host would not take, and is not blocked
    by one either.

    Args:
        waiting: the jobs that wait, changed as streams start and end.
    """

    def __init__(self, waiting: Waiting) -> None:
        self._waiting = waiting
        self._streams: dict[Host, int] = {}

    def start(self, job: Job) -> None:
        """A stream of a job starts, or runs already."""
        if job.host is None:
            return
        streams = self._streams[job.host] = self._streams.get(job.host, 0) + 1
        if streams >= job.host.max_streams:
            self._waiting.hide(job.host)

    def end(self, job: Job) -> None:
        """A stream that was started is over."""
        if job.host is None:
            return
        streams = self._streams[job.host] = self._streams[job.host] - 1
        if streams < job.host.max_streams:
            self._waiting.show(job.host)
