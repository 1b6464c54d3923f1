"""What is kept of the runs of a set's objects: in shards, each far below the API server's limit on an object.

An object's entry stays in the shard that it came into, and a new one goes to the first that has room. So what
ended together lies together, and, as objects end in much the same order from session to session, a batch of
runs changes few shards.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from flexlbf.scheduling.units import NANOSECONDS_PER_MILLISECOND

COUNTED_RUNS = 5
"""How many of an object's latest runs count for its estimate."""

KEPT_RUNS = COUNTED_RUNS + 1
"""How many are kept: that of a session underway, which does not count yet, pushes none out that does."""

SHARD_OBJECTS = 250
"""The most objects of a shard; what the schema allows, too."""

SHARD_BYTES = 280_000
"""What the entries of a shard may take as JSON, with all their runs and the longest figures."""

RUN_BYTES = 180
ENTRY_BYTES = 180
"""What a run, and an entry without its runs and its name, takes at the most as JSON."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one attempt to back an object up came to.

    Attributes:
        backup_set: the set that the object is of.
        obj: the object's name.
        session: the session, at most 63 characters.
        start: when its container began, with a time zone.
        duration: nanoseconds from there to its end, more than 0.
        size: bytes that it wrote; None if the container did not say.
        succeeded: whether the object is backed up by it.
        attempt: which attempt of the session it was, from 1 on.
    """

    backup_set: str
    obj: str
    session: str
    start: datetime
    duration: int
    size: int | None
    succeeded: bool
    attempt: int = 1

    def __post_init__(self) -> None:
        if self.start.tzinfo is None:
            raise ValueError("a run's start needs a time zone")
        if self.duration <= 0:
            raise ValueError("a run ends after it starts")


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A successful run as it is kept: to the millisecond, and one of no bytes as one that does not say."""

    session: str
    start: datetime
    duration: int
    size: int | None

    @classmethod
    def of(cls, run: Run) -> "RecordedRun":
        """What is kept of a run."""
        milliseconds = max(1, round(run.duration / NANOSECONDS_PER_MILLISECOND))
        return cls(run.session, run.start, milliseconds * NANOSECONDS_PER_MILLISECOND, run.size or None)

    @property
    def end(self) -> datetime:
        """When it ended."""
        return self.start + timedelta(microseconds=self.duration // 1000)


@dataclass(frozen=True, slots=True)
class Failures:
    """The failed attempts of the latest session in which an object failed, and when the last one began."""

    session: str
    attempts: int
    start: datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept of one object: its latest successful runs, oldest first, and its failures."""

    runs: tuple[RecordedRun, ...] = ()
    failures: Failures | None = None

    def with_run(self, run: Run) -> "Entry":
        """With one run more, in whatever order they come; with one that it has it stays as it is."""
        if not run.succeeded:
            found = Failures(run.session, run.attempt, run.start)
            known = self.failures
            latest = known if known and _lateness(known) >= _lateness(found) else found
            return replace(self, failures=latest)
        recorded = RecordedRun.of(run)
        same = [each for each in self.runs if _identity(each) == _identity(recorded)]
        others = [each for each in self.runs if _identity(each) != _identity(recorded)]
        fullest = max([*same, recorded], key=_figures)
        return replace(self, runs=tuple(sorted([*others, fullest], key=_identity)[-KEPT_RUNS:]))


@dataclass(frozen=True)
class Shard:
    """Some of a set's objects.

    Attributes:
        number: which shard of its set it is, from 0 on.
        entries: what is kept, by object.
    """

    number: int
    entries: Mapping[str, Entry]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an object's runs of one session came to.

    Attributes:
        succeeded: whether it is backed up.
        failed_attempts: how many attempts failed.
        duration: nanoseconds that the run took which backed it up.
        size: bytes that this run wrote; 0 if it did not say.
    """

    succeeded: bool
    failed_attempts: int
    duration: int = 0
    size: int = 0


def record(shards: Iterable[Shard], runs: Iterable[Run], known: Collection[str]) -> list[Shard]:
    """The shards of a set that change when runs are recorded, as they are to be.

    Recording what is recorded already changes nothing, and in which order runs are recorded makes no
    difference to any entry.

    Args:
        shards: those of the set.
        runs: of this set's objects.
        known: the objects that the set has now. Others are not recorded, and are dropped from shards that
            change anyway.
    """
    there = frozenset(known)
    drafts = {shard.number: _Draft(shard, there) for shard in sorted(shards, key=lambda shard: shard.number)}
    home = {name: draft for draft in drafts.values() for name in draft.entries}
    for name, own in _by_object(runs, there).items():
        draft = home.get(name)
        before = draft.entries[name] if draft else Entry()
        entry = before
        for run in own:
            entry = entry.with_run(run)
        if entry == before:
            continue
        if draft is None:
            draft = home[name] = _roomy(drafts, name)
        draft.put(name, entry)
    return [draft.shard() for _, draft in sorted(drafts.items()) if draft.changed]


class _Draft:
    """A shard while runs are recorded, rid of objects that are not known."""

    def __init__(self, shard: Shard, known: Collection[str]) -> None:
        self._number = shard.number
        self.entries = {name: entry for name, entry in shard.entries.items() if name in known}
        self._reserved = sum(map(reserved_bytes, self.entries))
        self.changed = False

    def has_room_for(self, name: str) -> bool:
        """Whether an object more fits, however many runs it will have."""
        return len(self.entries) < SHARD_OBJECTS and self._reserved + reserved_bytes(name) <= SHARD_BYTES

    def put(self, name: str, entry: Entry) -> None:
        if name not in self.entries:
            self._reserved += reserved_bytes(name)
        self.entries[name] = entry
        self.changed = True

    def shard(self) -> Shard:
        return Shard(self._number, self.entries)


def _roomy(drafts: dict[int, _Draft], name: str) -> _Draft:
    """The first with room for an object, or a new one."""
    for number in sorted(drafts):
        if drafts[number].has_room_for(name):
            return drafts[number]
    number = next(number for number in range(len(drafts) + 1) if number not in drafts)
    drafts[number] = _Draft(Shard(number, {}), ())
    return drafts[number]


def _by_object(runs: Iterable[Run], known: Collection[str]) -> dict[str, list[Run]]:
    """The runs of each known object; objects by their first start, so that who began together is together."""
    grouped: dict[str, list[Run]] = {}
    for run in sorted(runs, key=lambda run: (run.start, run.obj)):
        if run.obj in known:
            grouped.setdefault(run.obj, []).append(run)
    return grouped


def outcomes(shards: Iterable[Shard], session: str) -> dict[str, Outcome]:
    """What became of the objects that ran in a session, as far as it is recorded."""
    found = {}
    for name, entry in ((name, entry) for shard in shards for name, entry in shard.entries.items()):
        good = [run for run in entry.runs if run.session == session]
        failed = entry.failures.attempts if entry.failures and entry.failures.session == session else 0
        if good:
            found[name] = Outcome(True, failed, good[-1].duration, good[-1].size or 0)
        elif failed:
            found[name] = Outcome(False, failed)
    return found


def counted(entry: Entry, underway: Collection[str]) -> tuple[RecordedRun, ...]:
    """The runs that count for an object's estimate: the latest, without those of sessions underway."""
    ended = [run for run in entry.runs if run.session not in underway] if underway else entry.runs
    return tuple(ended[-COUNTED_RUNS:])


def merged(
    shards: Iterable[Shard], underway: Collection[str] = frozenset()
) -> dict[str, tuple[RecordedRun, ...]]:
    """The runs that count, by object, of all shards of a set."""
    found: dict[str, Entry] = {}
    for name, entry in ((name, entry) for shard in shards for name, entry in shard.entries.items()):
        runs = {_identity(run): run for run in (*found.get(name, Entry()).runs, *entry.runs)}
        found[name] = Entry(tuple(runs[key] for key in sorted(runs))) if name in found else entry
    return {name: counted(entry, underway) for name, entry in found.items()}


def reserved_bytes(name: str) -> int:
    """What the entry of an object takes at the most, as Go writes JSON."""
    text = len(json.dumps(name, ensure_ascii=False).encode())
    return text + 5 * sum(map(name.count, "&<>")) + ENTRY_BYTES + KEPT_RUNS * RUN_BYTES


def _identity(run: RecordedRun) -> tuple[datetime, str]:
    return run.start, run.session


def _figures(run: RecordedRun) -> tuple[int, int]:
    return run.size or 0, run.duration


def _lateness(failures: Failures) -> tuple[datetime, str, int]:
    return failures.start, failures.session, failures.attempts
