"""Whether streams kept to what drives and hosts take, ran once each, and how long things took.

Written from the rules in words, with nothing of the operator's code: the dispatcher is held against it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from support.streamlog import Moment, Stream

TOLERANCE = Decimal("0.001")
"""Bytes a second by which rates may differ and still be the same."""

FOREVER = Moment(2**62, float("inf"))


@dataclass(frozen=True)
class Limits:
    """What a drive, or a host, takes at the same time: streams, and bytes a second."""

    agents: int
    rate: Decimal | None = None


@dataclass(frozen=True)
class Overload:
    """A moment with more than that."""

    place: str
    at: Moment
    agents: int
    rate: Decimal
    objects: tuple[str, ...]

    def __str__(self) -> str:
        mbps = self.rate / 1_000_000
        return f"{self.place} has {self.agents} streams and {mbps} MB/s at {self.at.at:.6f}: {self.objects}"


def overloaded_drives(
    streams: Iterable[Stream], drives: Mapping[str, Limits], pool: str | None = None
) -> list[Overload]:
    """Every moment at which a drive of the pool (of the only one, if none is named) had too much."""
    mine = [each for each in streams if pool is None or each.pool == pool]
    return _overloads(mine, lambda each: each.drive, drives)


def overloaded_hosts(streams: Iterable[Stream], hosts: Mapping[str, str], per_host: int) -> list[Overload]:
    """Every moment at which a host, by the objects on it, had more streams than it may."""
    placed = [each for each in streams if each.obj in hosts]
    return _overloads(placed, lambda each: hosts[each.obj], defaultdict(lambda: Limits(per_host)))


def _overloads(
    streams: Sequence[Stream], place: Callable[[Stream], str], limits: Mapping[str, Limits]
) -> list[Overload]:
    held: dict[str, dict[int, Stream]] = defaultdict(dict)
    found = []
    for moment, starts, index in _changes(streams):
        stream = streams[index]
        where = place(stream)
        if not starts:
            del held[where][index]
            continue
        held[where][index] = stream
        there = held[where].values()
        rate = sum((each.rate for each in there), Decimal(0))
        limit = limits[where]
        if len(there) > limit.agents or (limit.rate is not None and rate > limit.rate + TOLERANCE):
            names = tuple(sorted(each.obj for each in there))
            found.append(Overload(where, moment, len(there), rate, names))
    return found


def _changes(streams: Sequence[Stream]) -> list[tuple[Moment, bool, int]]:
    """Starts and ends in order; of one moment, which only an end without a revision can share, ends first."""
    changes = [(each.created, True, index) for index, each in enumerate(streams)]
    changes += [(each.ended or FOREVER, False, index) for index, each in enumerate(streams)]
    return sorted(changes, key=lambda each: (each[0].revision, each[1], each[0].at))


def not_once(streams: Iterable[Stream], objects: Collection[str], attempts: int = 1) -> list[str]:
    """What contradicts that each object of a session succeeded exactly once, within so many attempts."""
    runs: dict[str, list[Stream]] = defaultdict(list)
    for each in sorted(streams, key=lambda stream: stream.created):
        runs[each.obj].append(each)
    problems = [f"{name} is no object of the session" for name in sorted(runs.keys() - set(objects))]
    for name in sorted(objects):
        mine = runs.get(name, [])
        successes = sum(each.outcome == "Succeeded" for each in mine)
        if successes != 1:
            problems.append(f"{name} succeeded {successes} times in {len(mine)} runs")
        if len(mine) > attempts:
            problems.append(f"{name} ran {len(mine)} times, {attempts} are allowed")
        if [each.attempt for each in mine] != list(range(1, len(mine) + 1)):
            problems.append(f"{name} has the attempts {[each.attempt for each in mine]}")
        problems += [
            f"{name} ran twice at the same time"
            for before, after in pairwise(mine)
            if before.ended is None or before.ended > after.created
        ]
        problems += [f"{name} has {each.pods} pods" for each in mine if each.pods > 1]
    return problems


def makespan(streams: Iterable[Stream], began: Moment) -> float:
    """Seconds from the session's Job to the end of the last stream."""
    return max((each.ended or FOREVER).at for each in streams) - began.at


def most_jobs(streams: Sequence[Stream]) -> int:
    """The most Jobs of objects that there ever were at a time."""
    changes = [(each.created, 1) for each in streams]
    changes += [(each.deleted, -1) for each in streams if each.deleted is not None]
    return _highest(changes)


def most_left(streams: Sequence[Stream], seconds: float) -> int:
    """The most Jobs at a time that were there longer than so many seconds after the end of their streams."""
    late = [each for each in streams if each.ended and not _gone_by(each, each.ended.at + seconds)]
    changes = [(Moment(0, each.ended.at + seconds), 1) for each in late if each.ended]
    changes += [(Moment(0, each.deleted.at), -1) for each in late if each.deleted]
    return _highest(changes)


def _gone_by(stream: Stream, at: float) -> bool:
    return stream.deleted is not None and stream.deleted.at <= at


def most_streams(streams: Sequence[Stream]) -> int:
    """The most streams at a time, on all drives together."""
    changes = [(each.created, 1) for each in streams]
    changes += [(each.ended, -1) for each in streams if each.ended is not None]
    return _highest(changes)


def _highest(changes: list[tuple[Moment, int]]) -> int:
    count = highest = 0
    for _, change in sorted(changes):
        count += change
        highest = max(highest, count)
    return highest


def tally(streams: Iterable[Stream], key: Callable[[Stream], Hashable]) -> Counter[Hashable]:
    """How many streams there were of each kind."""
    return Counter(map(key, streams))


def release_delays(
    streams: Sequence[Stream], order: Sequence[str], drives: Mapping[str, Limits], began: Moment
) -> list[float]:
    """Seconds from when FlexLBF could have released each object to when it was.

    Among the drives with a free agent, the one with the most free throughput must take the first object
    that waits. Drives are in the pool's order, and no other session streams to them.
    """
    by_name = {each.obj: each for each in streams}
    waiting = [by_name[name] for name in order]
    held: dict[str, set[int]] = {name: set() for name in drives}
    possible: float | None = began.at
    delays = []
    for moment, starts, index in _changes(streams):
        stream = streams[index]
        if starts:
            delays.append(moment.at - possible if possible is not None else 0.0)
            held[stream.drive].add(index)
            waiting.remove(stream)
            possible = None
        else:
            held[stream.drive].remove(index)
        if waiting and possible is None and _fits(waiting[0], held, drives, streams):
            possible = moment.at
    return delays


def _fits(
    stream: Stream, held: Mapping[str, set[int]], drives: Mapping[str, Limits], streams: Sequence[Stream]
) -> bool:
    free = [
        (limit.rate or Decimal("Infinity")) - sum((streams[index].rate for index in held[name]), Decimal(0))
        for name, limit in drives.items()
        if len(held[name]) < limit.agents
    ]
    return bool(free) and stream.rate <= max(free) + TOLERANCE
