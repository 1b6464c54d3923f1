"""How old the objects' last good backups are."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from flexlbf.planning.snapshot import Histories, PolicySnapshot
from flexlbf.planning.workload import PlannableObject


@dataclass(frozen=True, slots=True)
class Recency:
    """Of a policy's objects.

    Attributes:
        oldest: the end of the last good backup of the object whose is the longest ago; None if no object has
            any.
        never: how many objects no session has backed up.
    """

    oldest: datetime | None = None
    never: int = 0


NEVER = Recency()


def recency(objects: Iterable[PlannableObject], histories: Histories) -> Recency:
    """How old a policy's backups are, by what was recorded of its objects.

    An object that has none yet does not make the others old: it may have come a moment ago.
    """
    return _recency(((each.backup_set, each.job.name) for each in objects), histories)


def recorded_recency(snapshot: PolicySnapshot) -> Recency:
    """The same for all objects that a policy's sets name, whether they can be planned or not."""
    named = (
        (str(each["metadata"]["name"]), str(obj.get("name")))
        for each in snapshot.backup_sets
        for obj in (each.get("spec") or {}).get("objects") or ()
    )
    return _recency(named, snapshot.histories)


def _recency(objects: Iterable[tuple[str, str]], histories: Histories) -> Recency:
    """Of objects by their sets' names and their own."""
    runs = [histories.get(backup_set, {}).get(name, ()) for backup_set, name in objects]
    ends = [each[-1].end for each in runs if each]
    return Recency(min(ends, default=None), len(runs) - len(ends))
