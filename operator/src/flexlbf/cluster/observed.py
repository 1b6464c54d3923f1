"""CronJobs as they were observed: what is needed to see that one still is what the plan wants.

Ten thousand whole CronJobs would take hundreds of megabytes, so of each only the fields that can matter are
kept, compressed, with a digest that tells cheaply whether anything changed.
"""

import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from flexlbf.cluster.client import FIELD_MANAGER
from flexlbf.planning.times import read_time

AMOUNTS = frozenset({"requests", "limits"})
"""The fields whose values are Kubernetes' quantities."""

_FACTORS = {
    "n": Decimal("1e-9"),
    "u": Decimal("1e-6"),
    "m": Decimal("1e-3"),
    "": Decimal(1),
    **{suffix: Decimal(1000) ** power for power, suffix in enumerate("kMGTPE", start=1)},
    **{f"{suffix}i": Decimal(1024) ** power for power, suffix in enumerate("KMGTPE", start=1)},
}
_AMOUNT = re.compile(r"([0-9.]*[0-9][0-9.]*)(" + "|".join(_FACTORS) + ")")


@dataclass(frozen=True, slots=True)
class ObservedCronJob:
    """A CronJob of ours.

    Attributes:
        uid: its identity.
        version: the server's count of its changes.
        owner: the uid of the policy that controls it, empty if none does.
        owner_name: that policy's name.
        digest: of everything about it that a plan can want; the status is not part of it.
        created: when it was made.
        last_schedule_time: when it last started a Job.
        suspended: whether it starts none.
        deleted: whether its deletion has begun.
        packed: those fields; empty for one that was just written, whose digest says enough.
    """

    namespace: str
    name: str
    uid: str
    version: int
    owner: str
    owner_name: str
    digest: bytes
    created: datetime | None
    last_schedule_time: datetime | None
    suspended: bool
    deleted: bool
    packed: bytes

    @classmethod
    def of(cls, raw: Mapping[str, Any], *, pack: bool = True) -> "ObservedCronJob":
        """Observe a CronJob as the API server gives it."""
        metadata = raw["metadata"]
        owners = metadata.get("ownerReferences") or []
        kept = {
            "metadata": {
                "labels": metadata.get("labels") or {},
                "annotations": metadata.get("annotations") or {},
                "ownerReferences": owners,
            },
            "spec": raw["spec"],
            "applied": _applied(metadata),
        }
        text = json.dumps(kept, sort_keys=True, separators=(",", ":")).encode()
        controller: Mapping[str, Any] = next((each for each in owners if each.get("controller")), {})
        return cls(
            namespace=metadata["namespace"],
            name=metadata["name"],
            uid=metadata["uid"],
            version=int(metadata["resourceVersion"]),
            owner=controller.get("uid", ""),
            owner_name=controller.get("name", ""),
            digest=hashlib.blake2b(text, digest_size=16).digest(),
            created=read_time(metadata.get("creationTimestamp")),
            last_schedule_time=read_time((raw.get("status") or {}).get("lastScheduleTime")),
            suspended=bool(raw["spec"].get("suspend")),
            deleted=bool(metadata.get("deletionTimestamp")),
            packed=zlib.compress(text, level=1) if pack else b"",
        )

    def satisfies(self, wanted: Mapping[str, Any]) -> bool:
        """Whether it is as an apply of a wanted CronJob leaves it; the API server's defaults may add.

        The fields that the operator last applied must be those wanted, too: by its values alone a CronJob
        would still have all that is wanted when a deadline or a variable is not wanted any more.
        """
        if not self.packed:
            return False
        here = json.loads(zlib.decompress(self.packed))
        metadata = {key: value for key, value in wanted["metadata"].items() if key in here["metadata"]}
        fields = {"metadata": metadata, "spec": wanted["spec"]}
        return bool(here["applied"]) and same_fields(here["applied"], fields) and contains(here, fields)


def _applied(metadata: Mapping[str, Any]) -> Any:
    """The fields that the operator has applied and that nobody has changed or removed since, if any."""
    for each in metadata.get("managedFields") or ():
        ours = each.get("manager") == FIELD_MANAGER and each.get("operation") == "Apply"
        if ours and not each.get("subresource"):
            return each.get("fieldsV1")
    return None


def same_fields(applied: Mapping[str, Any], wanted: Any) -> bool:
    """Whether the fields applied, as `managedFields` has them, are just the fields of what is wanted."""
    fields = [field for field in applied if field != "."]
    if not fields:  # a value, or what is only ever set as a whole
        return True
    parts = wanted.items() if isinstance(wanted, Mapping) else enumerate(wanted or ())
    left = dict(parts)
    for field in fields:
        key = _named_by(field, left)
        if key is None or not same_fields(applied[field], left.pop(key)):
            return False
    return not left


def _named_by(field: str, parts: Mapping[Any, Any]) -> Any:
    """The key of the part that a field set names: `f:image`, or `k:{"name":"agent"}` for an item."""
    kind, _, name = field.partition(":")
    if kind == "f":
        return name if name in parts else None
    if kind == "k":
        keys = json.loads(name).items()  # with defaults, which the item itself may leave out
        return next(
            (i for i, item in parts.items() if all(item.get(key, value) == value for key, value in keys)),
            None,
        )
    return None


def contains(here: Any, wanted: Any) -> bool:
    """Whether `here` has all that is wanted; what is wanted empty may be absent, as the server drops it."""
    if isinstance(wanted, Mapping):
        if not isinstance(here, Mapping):
            return not wanted and here is None
        return all(_contains_field(here.get(key), value, key) for key, value in wanted.items())
    if isinstance(wanted, (list, tuple)):
        return _contains_list(here or [], wanted)
    return bool(here == wanted) or (not wanted and here is None)


def _contains_field(here: Any, wanted: Any, key: str) -> bool:
    """As `contains`; the server writes amounts its own way, and `1000m` CPU as `1`."""
    if key in AMOUNTS and isinstance(here, Mapping) and isinstance(wanted, Mapping):
        return all(_amount(here.get(name)) == _amount(value) for name, value in wanted.items())
    return contains(here, wanted)


def _amount(text: Any) -> Decimal | str:
    found = _AMOUNT.fullmatch(str(text))
    return Decimal(found[1]) * _FACTORS[found[2]] if found else str(text)


def _contains_list(here: Any, wanted: Any) -> bool:
    """A list of named items may have grown by items of others; any other list must be as long as wanted."""
    keyed = bool(wanted) and all(isinstance(each, Mapping) and "name" in each for each in wanted)
    if keyed:
        by_name = {each.get("name"): each for each in here if isinstance(each, Mapping)}
        return all(contains(by_name.get(each["name"]), each) for each in wanted)
    return len(here) == len(wanted) and all(map(contains, here, wanted))
