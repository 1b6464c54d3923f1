"""BackupSet: the objects to back up, and what is known of them."""

import unicodedata
from typing import Annotated, ClassVar, Literal

from pydantic import Field, StringConstraints

from flexlbf.api.lists import Distinct
from flexlbf.api.model import ApiModel, Column, Definition, Scope
from flexlbf.api.rules import Rule, exactly_one, matching
from flexlbf.api.v1alpha1.backupclass import ABSOLUTE_PATH, NO_PARENT
from flexlbf.api.v1alpha1.common import (
    AS_ATOM,
    AS_ATOMIC_LIST,
    VERSION,
    Duration,
    ObjectMeta,
    Quantity,
    ResourceName,
    Timestamp,
)

MAX_OBJECTS = 1000
# With every other bound at its maximum too, a set of this many characters stays well below the API server's
# limit on an object; a unit test builds that set and measures it. A character takes up to eight bytes: four
# in the name and four in the record of who manages the field. Only what Go's JSON escapes takes more.
MAX_CHARACTERS = 45_000
ESCAPED = "&<>"


def _is_plain_name(name: str) -> bool:
    """Whether a name is of one line, without control characters and without blanks at its ends."""
    categories = [unicodedata.category(character) for character in name]
    ends = {category[0] for category in (categories[:1] + categories[-1:])}
    return bool(name) and not {"Cc", "Zl", "Zp"} & set(categories) and "Z" not in ends


def _characters(objects: "tuple[BackupObject, ...]") -> int:
    """How many characters names, sources and hosts take; those that are escaped in names count twice."""
    names = sum(len(one.name) + sum(map(one.name.count, ESCAPED)) for one in objects)
    hosts = sum(len(one.host or "") for one in objects)
    return names + hosts + sum(one.source.size for one in objects if one.source)


BackupObjectName = Annotated[
    str,
    StringConstraints(max_length=253),
    Rule(
        cel=r"self.matches(r'^[^\p{Cc}\p{Z}]([^\p{Cc}\p{Zl}\p{Zp}]*[^\p{Cc}\p{Z}])?$')",
        message="name the object, such as fs07:/data, without control characters or blanks at its ends",
        holds=_is_plain_name,
    ),
]
"""The name of an object that is backed up."""


class Source(ApiModel):
    """Where the data of an object is; exactly one of the fields is set."""

    RULES: ClassVar = (
        exactly_one(
            ("claim_name", "claimName"),
            ("host_path", "hostPath"),
            ("value", "value"),
            message="give exactly one of claimName, hostPath and value",
        ),
    )

    claim_name: ResourceName | None = None
    """A PersistentVolumeClaim in the set's namespace, mounted read-only."""
    host_path: Annotated[str, StringConstraints(max_length=1024), ABSOLUTE_PATH, NO_PARENT] | None = None
    """A folder of the node, mounted read-only; the class must allow it."""
    value: (
        Annotated[
            str,
            StringConstraints(max_length=1024),
            matching(r"^[^\x00-\x1f\x7f]+$", "write a text without control characters, such as fs07:/data"),
        ]
        | None
    ) = None
    """A text that only the class understands, such as `fs07:/data`; handed over as it is."""

    @property
    def size(self) -> int:
        """How many characters the source takes."""
        return len(self.claim_name or self.host_path or self.value or "")


class Estimate(ApiModel):
    """What to assume of an object as long as it has no history."""

    duration: Duration
    """How long its backup takes: `2h30m`."""
    throughput: Quantity
    """How fast its backup streams, in bytes a second: `12M`."""


class Measurement(ApiModel):
    """One full backup of an object."""

    start: Timestamp
    """When it began: `2026-01-31T22:00:00Z`."""
    duration: Duration
    """How long it took: `1h12m30s`, or `12.5s`."""
    bytes: Quantity
    """How much it wrote: `31G`, or `31400000000`."""

    @property
    def throughput(self) -> float:
        """Bytes a second."""
        return self.bytes / self.duration.seconds


class BackupObject(ApiModel):
    """One thing that is backed up by one stream."""

    name: BackupObjectName
    """What the object is called, such as `fs07:/data`; unlike any other of the set."""
    source: Source | None = Field(default=None, json_schema_extra=AS_ATOM)
    """Where its data is; when left out, the class is handed the object's name."""
    host: (
        Annotated[
            str,
            StringConstraints(max_length=253),
            matching(
                r"^[a-zA-Z0-9]([-._:a-zA-Z0-9]*[a-zA-Z0-9])?$",
                "write the name or address of a machine, such as fs07.example.org: letters, digits, "
                "'-', '_', '.' and ':'",
            ),
        ]
        | None
    ) = None
    """The machine that the data comes from, such as `fs07`, for a policy's `limits.perHost`."""
    estimate: Estimate | None = Field(default=None, json_schema_extra=AS_ATOM)
    """What to assume as long as there is no history."""
    history: tuple[Measurement, ...] = Field(default=(), max_length=7, json_schema_extra=AS_ATOMIC_LIST)
    """Its latest full backups, in any order."""


class ConfigMapKey(ApiModel):
    """A text in a ConfigMap of the same namespace."""

    config_map: ResourceName
    """The ConfigMap's name."""
    key: Annotated[
        str,
        StringConstraints(max_length=253),
        matching(r"^[-._a-zA-Z0-9]+$", "write a ConfigMap's key: letters, digits, '-', '_' and '.'"),
    ] = "history.csv"
    """The key whose text has the history, as CSV with the columns `object,start,end,bytes`."""


class Estimator(ApiModel):
    """How history becomes a prediction."""

    window: Annotated[int, Field(ge=1, le=50)] = 3
    """Over how many of the latest measurements an object's throughput is averaged."""


class BackupSetSpec(ApiModel):
    """The objects and their history."""

    objects: Annotated[
        tuple[BackupObject, ...],
        Field(max_length=MAX_OBJECTS),
        Rule(
            cel="self.map(object, "
            "size(object.name.replace('&', '&&').replace('<', '<<').replace('>', '>>')) + "
            "(has(object.host) ? size(object.host) : 0) + "
            "(has(object.source) ? "
            "(has(object.source.claimName) ? size(object.source.claimName) : 0) + "
            "(has(object.source.hostPath) ? size(object.source.hostPath) : 0) + "
            "(has(object.source.value) ? size(object.source.value) : 0) : 0)).sum() "
            f"<= {MAX_CHARACTERS}",
            message=f"the names, sources and hosts of a set may have {MAX_CHARACTERS} characters together"
            " (&, < and > in names count twice): split it into several sets, which one policy may name",
            holds=lambda objects: _characters(objects) <= MAX_CHARACTERS,
        ),
        Distinct(("name",)),
    ] = ()
    """What is backed up. Larger fleets are several sets, and a policy may name many."""
    history_from: ConfigMapKey | None = None
    """Where more history is read from."""
    estimator: Estimator = Estimator()
    """How history becomes a prediction."""


class BackupSet(ApiModel):
    """Objects that are backed up together, with their history."""

    DEFINITION: ClassVar = Definition(
        kind="BackupSet",
        plural="backupsets",
        short_name="bset",
        scope=Scope.NAMESPACED,
        version=VERSION,
        columns=(
            Column("History", ".spec.historyFrom.configMap", "The ConfigMap that history is read from"),
            Column("Window", ".spec.estimator.window", "Measurements that are averaged", type="integer"),
            Column("First Object", ".spec.objects[0].name", "The first object of the set", wide=True),
            Column("Age", ".metadata.creationTimestamp", "How long the set exists", type="date"),
        ),
    )

    api_version: Literal["flexlbf.io/v1alpha1"] = "flexlbf.io/v1alpha1"
    """The group and version of this schema."""
    kind: Literal["BackupSet"] = "BackupSet"
    """The kind of this resource."""
    metadata: ObjectMeta
    """The object's metadata."""
    spec: BackupSetSpec
    """What is backed up."""
