"""The BackupHistories in memory: of each only what planning and recording need."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flexlbf.cluster.runindex import Index
from flexlbf.cluster.runs import Place
from flexlbf.history.ledger import Outcome, RecordedRun, Shard, merged, outcomes
from flexlbf.manifests.backuphistory import read_shard
from flexlbf.manifests.names import history_name
from flexlbf.planning.snapshot import RawObject


@dataclass(frozen=True, slots=True)
class ObservedHistory:
    """A BackupHistory.

    Attributes:
        owner: the uid of the set that it goes with, empty if it has none.
        set_place: the namespace and the name of the set that it tells of.
    """

    place: Place
    uid: str
    version: int
    owner: str
    set_place: Place
    shard: Shard

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> "ObservedHistory":
        """Observe one as the API server gives it; raises ValidationError."""
        metadata = raw["metadata"]
        owners = [each["uid"] for each in metadata.get("ownerReferences") or () if each.get("controller")]
        name, shard = read_shard(raw)
        return cls(
            place=Place(metadata["namespace"], metadata["name"]),
            uid=metadata["uid"],
            version=int(metadata["resourceVersion"]),
            owner=owners[0] if owners else "",
            set_place=Place(metadata["namespace"], name),
            shard=shard,
        )

    @property
    def is_ours(self) -> bool:
        """Whether it has the name of a shard; one with another, which somebody else made, is only read."""
        return self.place.name == history_name(self.set_place.name, self.shard.number)


@dataclass(frozen=True, slots=True)
class _Counted:
    """What counts of a set's history, and what it was found from."""

    versions: tuple[object, ...]
    runs: dict[str, tuple[RecordedRun, ...]]
    digest: str


class HistoryIndex:
    """All BackupHistories, by set."""

    def __init__(self) -> None:
        self._all: Index[ObservedHistory] = Index()
        self._of_set: dict[Place, dict[Place, ObservedHistory]] = {}
        self._counted: dict[Place, _Counted] = {}

    def __len__(self) -> int:
        return len(self._all.all)

    def read(self, raw: Mapping[str, Any]) -> ObservedHistory:
        """Observe one, without the work of it if this version is known, as after a write of ours."""
        metadata = raw["metadata"]
        known = self._all.all.get(Place(metadata["namespace"], metadata["name"]))
        if known and known.uid == metadata["uid"] and known.version >= int(metadata["resourceVersion"]):
            return known
        return ObservedHistory.of(raw)

    def put(self, each: ObservedHistory) -> bool:
        """Take one in; False if it is not news."""
        known = self._all.all.get(each.place)
        if not self._all.put(each):
            return False
        if known is not None:
            self._take_out(known)
        self._of_set.setdefault(each.set_place, {})[each.place] = each
        return True

    def drop(self, each: ObservedHistory) -> bool:
        """One is gone; False if that was known."""
        known = self._all.all.get(each.place)
        if not self._all.drop(each) or known is None:
            return False
        self._take_out(known)
        return True

    def _take_out(self, known: ObservedHistory) -> None:
        of_set = self._of_set[known.set_place]
        del of_set[known.place]
        if not of_set:
            del self._of_set[known.set_place]
            self._counted.pop(known.set_place, None)

    def listed(self, listed: list[ObservedHistory], version: int) -> Iterator[ObservedHistory]:
        """All were read as they were at a version; gives what changed."""
        gone = self._all.missing(listed, version)
        yield from (each for each in listed if self.put(each))
        yield from (each for each in gone if self.drop(each))

    def listed_of(
        self, place: Place, listed: list[ObservedHistory], version: int
    ) -> Iterator[ObservedHistory]:
        """The same for what there is of one set."""
        there = {each.place for each in listed}
        known = list(self._of_set.get(place, {}).values())
        yield from (each for each in listed if self.put(each))
        yield from (
            each for each in known if each.place not in there and each.version <= version and self.drop(each)
        )

    def of(self, backup_set: RawObject) -> list[ObservedHistory]:
        """What there is of a set, and not of one of its name that is gone."""
        metadata = backup_set["metadata"]
        found = self._of_set.get(Place(metadata.get("namespace") or "", metadata["name"]), {})
        return [each for _, each in sorted(found.items()) if each.owner in {"", metadata["uid"]}]

    def outcomes(self, backup_sets: Iterable[RawObject], session: str) -> dict[str, Outcome]:
        """What became of the objects of sets that ran in a session."""
        shards = [each.shard for backup_set in backup_sets for each in self.of(backup_set)]
        return outcomes(shards, session)

    def counted(
        self, backup_set: RawObject, underway: Collection[str]
    ) -> tuple[Mapping[str, tuple[RecordedRun, ...]], str]:
        """The runs of a set's objects that count while sessions are underway, and a digest of them."""
        metadata = backup_set["metadata"]
        place = Place(metadata.get("namespace") or "", metadata["name"])
        histories = self.of(backup_set)
        own = (metadata["uid"], metadata.get("generation"))
        versions = (own, frozenset(underway), *((each.uid, each.version) for each in histories))
        known = self._counted.get(place)
        if known is None or known.versions != versions:
            objects = {str(each["name"]) for each in (backup_set.get("spec") or {}).get("objects") or ()}
            runs = merged((each.shard for each in histories), underway)
            kept = {name: runs[name] for name in sorted(objects & runs.keys()) if runs[name]}
            known = _Counted(versions, kept, str(hash(tuple(kept.items()))) if kept else "")
            if histories:
                self._counted[place] = known
        return known.runs, known.digest
