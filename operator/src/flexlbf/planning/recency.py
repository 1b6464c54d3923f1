"""How old the objects' last good backups are."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from flexlbf.planning.snapshot import Histories
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
    runs = [histories.get(each.backup_set, {}).get(each.job.name, ()) for each in objects]
    ends = [each[-1].end for each in runs if each]
    return Recency(min(ends, default=None), len(runs) - len(ends))
