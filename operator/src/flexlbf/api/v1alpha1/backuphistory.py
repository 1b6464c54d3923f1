"""BackupHistory: what the runs of a set's objects came to, as the operator measured them."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, StringConstraints

from flexlbf.api.model import ApiModel, Column, Definition, Scope
from flexlbf.api.rules import matching
from flexlbf.api.v1alpha1.backupset import BackupObjectName
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

# With all of these at their maximum a shard stays below the API server's limit on an object, whatever its
# names are made of; the operator goes on in another shard long before. Unit tests measure both.
MAX_ENTRIES = 250
MAX_RUNS = 6

SessionName = Annotated[
    str,
    StringConstraints(max_length=63),
    matching(
        r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$",
        "write the name of a session: lower-case letters, digits, '-' and '.'",
    ),
]
"""What a session is called: after its policy, and the minute in which it began or its Job."""


class RecordedRun(ApiModel):
    """A backup that succeeded."""

    start: Timestamp
    """When its container began."""
    duration: Duration
    """How long the container ran: the wait for a drive is no part of it."""
    bytes: Quantity | None = None
    """How much it wrote; left out if the container did not say."""
    session: SessionName
    """The session that it was part of."""


class FailedAttempts(ApiModel):
    """Backups that failed."""

    session: SessionName
    """The latest session with such a backup."""
    attempts: Annotated[int, Field(ge=1, le=1000)]
    """How many attempts of that session failed."""
    start: Timestamp
    """When the last one began."""


class ObjectHistory(ApiModel):
    """What is known of one object."""

    name: BackupObjectName
    """The object's name in its set."""
    runs: tuple[RecordedRun, ...] = Field(default=(), max_length=MAX_RUNS, json_schema_extra=AS_ATOMIC_LIST)
    """Its latest successful backups, oldest first."""
    failures: FailedAttempts | None = Field(default=None, json_schema_extra=AS_ATOM)
    """The attempts that failed, in the latest session that had any."""


class HistoryTotals(ApiModel):
    """How much this part of the history holds."""

    objects: Annotated[int, Field(ge=0)] = 0
    """How many objects."""
    runs: Annotated[int, Field(ge=0)] = 0
    """How many successful runs."""
    last: Timestamp | None = None
    """When the latest of them began."""


class BackupHistorySpec(ApiModel):
    """A part of the history of a set."""

    backup_set: ResourceName
    """The BackupSet whose objects these are, in the same namespace."""
    totals: HistoryTotals = HistoryTotals()
    """How much there is, for `kubectl get`."""
    # Atomic, though each name is there once: to keep track of who owns which entry would treble what a write
    # costs the API server, and there is one writer only.
    objects: tuple[ObjectHistory, ...] = Field(
        default=(), max_length=MAX_ENTRIES, json_schema_extra=AS_ATOMIC_LIST
    )
    """What is known of each object. A larger set has several of these resources."""


class BackupHistory(ApiModel):
    """What the backups of a set's objects came to; written by the operator, and no one else."""

    DEFINITION: ClassVar = Definition(
        kind="BackupHistory",
        plural="backuphistories",
        short_name="bhist",
        scope=Scope.NAMESPACED,
        version=VERSION,
        columns=(
            Column("Set", ".spec.backupSet", "The BackupSet whose objects these are"),
            Column("Objects", ".spec.totals.objects", "How many objects", type="integer"),
            Column("Runs", ".spec.totals.runs", "How many successful runs", type="integer"),
            Column("Last", ".spec.totals.last", "How long ago the latest run began", type="date"),
            Column("Age", ".metadata.creationTimestamp", "How long the history exists", type="date"),
        ),
    )

    api_version: Literal["flexlbf.io/v1alpha1"] = "flexlbf.io/v1alpha1"
    """The group and version of this schema."""
    kind: Literal["BackupHistory"] = "BackupHistory"
    """The kind of this resource."""
    metadata: ObjectMeta
    """The object's metadata."""
    spec: BackupHistorySpec
    """What is known of the objects."""
