"""Our CronJobs in memory, and the memory of what is gone."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flexlbf.cluster.observed import ObservedCronJob

REMEMBERED = 50_000

Place = tuple[str, str]
"""Namespace and name."""


class Graveyard:
    """The objects that were deleted lately, by uid.

    The answer to a write, or a page of a list, may come after the event that the object is gone. Without
    this it would be taken in again, and nothing would ever tell that it is not there.
    """

    def __init__(self) -> None:
        self._uids: OrderedDict[str, None] = OrderedDict()

    def bury(self, uid: str) -> None:
        """Remember a deletion; the oldest are forgotten in time."""
        self._uids[uid] = None
        if len(self._uids) > REMEMBERED:
            self._uids.popitem(last=False)

    def __contains__(self, uid: str) -> bool:
        return uid in self._uids


@dataclass(frozen=True, slots=True)
class Accepted:
    """What the server made of a manifest, when it was last found to be what is wanted.

    Attributes:
        recipe: what the manifest was made of.
        manifest: its digest.
        observed: the digest of what was there.
    """

    recipe: tuple[object, ...]
    manifest: bytes
    observed: bytes


class CronJobIndex:
    """Our CronJobs, found by the policy that controls them."""

    def __init__(self) -> None:
        self._by_owner: dict[str, dict[Place, ObservedCronJob]] = {}
        self._owner: dict[Place, str] = {}
        self._gone = Graveyard()
        self.accepted: dict[Place, Accepted] = {}

    def __len__(self) -> int:
        return len(self._owner)

    def get(self, namespace: str, name: str) -> ObservedCronJob | None:
        """One CronJob."""
        place = (namespace, name)
        return self._by_owner[self._owner[place]][place] if place in self._owner else None

    def put(self, each: ObservedCronJob) -> ObservedCronJob | None:
        """Take one in, unless it is gone or something newer is known; returns what was known of it."""
        before = self.get(each.namespace, each.name)
        if each.uid in self._gone:
            return before
        if before is not None and before.uid == each.uid and before.version >= each.version:
            return before
        self._take_out((each.namespace, each.name))
        self._owner[each.namespace, each.name] = each.owner
        self._by_owner.setdefault(each.owner, {})[each.namespace, each.name] = each
        return before

    def drop(self, namespace: str, name: str, uid: str) -> bool:
        """One was deleted; False if another has taken its name, or it was not known."""
        self._gone.bury(uid)
        known = self.get(namespace, name)
        if known is None or known.uid != uid:
            return False
        self._take_out((namespace, name))
        self.accepted.pop((namespace, name), None)
        return True

    def _take_out(self, place: Place) -> None:
        owner = self._owner.pop(place, None)
        if owner is not None:
            del self._by_owner[owner][place]
            if not self._by_owner[owner]:
                del self._by_owner[owner]

    def read(self, raw: Mapping[str, Any]) -> ObservedCronJob:
        """Observe a CronJob, without the work of it if this version is known, as after a write of ours."""
        metadata = raw["metadata"]
        known = self.get(metadata["namespace"], metadata["name"])
        if known and known.uid == metadata["uid"] and known.version >= int(metadata["resourceVersion"]):
            return known
        return ObservedCronJob.of(raw)

    def places(self) -> set[Place]:
        """Namespace and name of all."""
        return set(self._owner)

    def of(self, owner: str) -> dict[str, ObservedCronJob]:
        """The CronJobs that a policy controls, by name."""
        return {name: each for (_, name), each in self._by_owner.get(owner, {}).items()}
