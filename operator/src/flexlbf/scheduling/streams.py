"""When running streams complete: each at its own rate, or sharing a drive that is asked too much."""

from heapq import heappop, heappush
from typing import Protocol

from flexlbf.scheduling.model import Drive, Job

Completion = tuple[int, int, int]
"""End (nanoseconds), drive and job (indices)."""

TICKS = 1 << 96
"""Parts of a nanosecond in which a shared drive's virtual clock counts."""

SLACK = 1 << 40
"""Ticks that rounding may add up to; a stream with fewer left is over."""


class Streams(Protocol):
    """The clock of a session: starts go in, completions come out."""

    def start(self, now: int, drive: int, index: int, job: Job) -> None:
        """Start job number `index` on a drive."""

    def next_end(self) -> int | None:
        """The instant of the next completion, None if nothing runs."""

    def complete(self, now: int) -> list[Completion]:
        """Take out all streams that end at `now` or before, in order of their ends."""


class DedicatedStreams:
    """Streams that get what they ask: a scheduler that never overloads a drive knows every end."""

    def __init__(self) -> None:
        self._ends: list[Completion] = []

    def start(self, now: int, drive: int, index: int, job: Job) -> None:
        """Start a stream that ends after the job's duration."""
        heappush(self._ends, (now + job.duration, drive, index))

    def next_end(self) -> int | None:
        """The earliest end."""
        return self._ends[0][0] if self._ends else None

    def complete(self, now: int) -> list[Completion]:
        """All that ended by `now`."""
        done = []
        while self._ends and self._ends[0][0] <= now:
            done.append(heappop(self._ends))
        return done


class _SharedDrive:
    """A drive whose streams share its rate in proportion to what they ask.

    All streams of a drive are slowed by one factor, so a single virtual clock a drive does for all: it
    runs at 1 while the drive keeps up, and at maxTput / asked while it does not. A stream ends when the
    virtual clock has advanced by its duration. The clock counts in ticks, since in whole nanoseconds its
    rounding would add up and part completions that fall on one instant.
    """

    def __init__(self, max_rate: int) -> None:
        self.max_rate = max_rate
        self.asked = 0
        self._real = 0
        self._virtual = 0
        self._ends: list[tuple[int, int, Job]] = []

    def advance(self, now: int) -> None:
        elapsed = (now - self._real) * TICKS
        slowed = self.asked > self.max_rate
        self._virtual += elapsed * self.max_rate // self.asked if slowed else elapsed
        self._real = now

    def add(self, now: int, index: int, job: Job) -> None:
        self.advance(now)
        heappush(self._ends, (self._virtual + job.duration * TICKS, index, job))
        self.asked += job.rate

    def next_end(self) -> int | None:
        if not self._ends:
            return None
        left = self._ends[0][0] - self._virtual - SLACK
        if left <= 0:
            return self._real
        asked = max(self.asked, self.max_rate)
        return self._real - (-left * asked // (self.max_rate * TICKS))

    def pop(self, end: int) -> int:
        """Take out the stream that ends next, at its `end`; the others are slowed less from then on."""
        self.advance(end)
        _, index, job = heappop(self._ends)
        self.asked -= job.rate
        return index


class SharedStreams:
    """Streams of a scheduler that looks at no rates: a drive asked too much slows them all."""

    def __init__(self, drives: tuple[Drive, ...]) -> None:
        self._drives = [_SharedDrive(drive.max_rate) for drive in drives]
        self._next: list[tuple[int, int, int]] = []
        self._version = [0] * len(drives)
        self._started: set[int] = set()

    def start(self, now: int, drive: int, index: int, job: Job) -> None:
        """Start a stream; the others of its drive may end later for it."""
        self._drives[drive].add(now, index, job)
        # When is asked once all have started that start at this instant.
        self._started.add(drive)

    def next_end(self) -> int | None:
        """The earliest end over all drives."""
        for drive in self._started:
            self._schedule(drive, self._drives[drive].next_end())
        self._started.clear()
        while self._next and self._next[0][2] != self._version[self._next[0][1]]:
            heappop(self._next)
        return self._next[0][0] if self._next else None

    def complete(self, now: int) -> list[Completion]:
        """All that ended by `now`."""
        done: list[Completion] = []
        while (end := self.next_end()) is not None and end <= now:
            drive = self._next[0][1]
            shared = self._drives[drive]
            while end is not None and end <= now:
                done.append((end, drive, shared.pop(end)))
                end = shared.next_end()
            self._schedule(drive, end)
        return sorted(done)

    def _schedule(self, drive: int, end: int | None) -> None:
        self._version[drive] += 1
        if end is not None:
            heappush(self._next, (end, drive, self._version[drive]))
