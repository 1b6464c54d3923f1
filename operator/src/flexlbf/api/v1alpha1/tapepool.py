"""TapePool: the drives that an administrator offers."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, StringConstraints

from flexlbf.api.lists import Distinct
from flexlbf.api.model import ApiModel, Column, Definition, Scope
from flexlbf.api.rules import Rule, matching
from flexlbf.api.v1alpha1.common import (
    VERSION,
    LabelSelector,
    ObjectMeta,
    Quantity,
    ShortText,
)
from flexlbf.api.v1alpha1.conditions import UNSEEN, Conditions, ObservedGeneration

MAX_DRIVES = 512

Device = Annotated[str, StringConstraints(min_length=1, max_length=253)]


class UnavailableDrive(ApiModel):
    """A drive that gets nothing new for now."""

    drive: Annotated[str, StringConstraints(min_length=1, max_length=48)]
    """The drive's name, such as `lto9-1`."""
    reason: Annotated[str, StringConstraints(min_length=1, max_length=256)]
    """Why, for those who wonder: `cleaning until Friday`."""


class DriveGroup(ApiModel):
    """Drives that are alike."""

    RULES: ClassVar = (
        Rule(
            cel="!has(self.devices) || size(self.devices) == 0 || size(self.devices) == self.count",
            message="name one device for each drive of the group, or none at all",
            holds=lambda group: len(group.devices) in {0, group.count},
            field_path=".devices",
        ),
        Rule(
            cel="!has(self.unavailable) || self.unavailable.all(u, u.drive.startsWith(self.name + '-') && "
            "u.drive.substring(size(self.name) + 1).matches('^(0|[1-9][0-9]{0,2})$') && "
            "int(u.drive.substring(size(self.name) + 1)) < self.count)",
            message="name drives of this group: those of lto9 are lto9-0, lto9-1 and so on, up to its count",
            holds=lambda group: all(each.drive in group.drive_names() for each in group.unavailable),
            field_path=".unavailable",
        ),
    )

    name: Annotated[
        str,
        StringConstraints(max_length=40),
        matching(
            r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
            "write a name of lower-case letters, digits and '-': the drives of lto9 are lto9-0, lto9-1",
        ),
    ]
    """What the group is called; its drives are called `<name>-0`, `<name>-1` and so on."""
    count: Annotated[int, Field(ge=1, le=256)]
    """How many drives the group has."""
    max_throughput: Quantity
    """What one drive sustains, in bytes a second: `80M`."""
    max_agents: Annotated[int, Field(ge=1, le=64)] = 10
    """How many disk agents may stream to one drive at the same time."""
    devices: Annotated[
        tuple[Device, ...],
        Field(max_length=256),
        Distinct(),
    ] = ()
    """The device of each drive, in order, such as `/dev/nst0`; handed to the backup's pod."""

    unavailable: Annotated[
        tuple[UnavailableDrive, ...],
        Field(max_length=256),
        Distinct(("drive",)),
    ] = ()
    """Drives that get nothing new, being cleaned or broken; what streams to them goes on. Plans do without
    them, and say what that costs."""

    def drive_names(self) -> tuple[str, ...]:
        """What the group's drives are called."""
        return tuple(f"{self.name}-{index}" for index in range(self.count))


class TapePoolSpec(ApiModel):
    """The drives, and who may use them."""

    drives: Annotated[
        tuple[DriveGroup, ...],
        Field(max_length=64),
        Rule(
            cel="size(self) > 0",
            message="a pool needs a group of drives: write {name: lto, count: 2, maxThroughput: 80M}",
            holds=lambda groups: len(groups) > 0,
            reason="FieldValueRequired",
        ),
        Rule(
            cel=f"self.map(group, group.count).sum() <= {MAX_DRIVES}",
            message=f"a pool has at most {MAX_DRIVES} drives over all groups: split it into several pools",
            holds=lambda groups: sum(group.count for group in groups) <= MAX_DRIVES,
        ),
        Distinct(("name",)),
    ]
    """The groups of drives. Where drives are otherwise equal, earlier groups are used first."""
    allowed_namespaces: LabelSelector | None = None
    """Labels of the namespaces whose policies may use the pool; all namespaces when left out."""


class PoolUse(ApiModel):
    """What one policy asks of the pool."""

    namespace: Annotated[str, StringConstraints(max_length=63)]
    """The policy's namespace."""
    name: Annotated[str, StringConstraints(max_length=253)]
    """The policy's name."""
    drives: Annotated[int, Field(ge=0, le=MAX_DRIVES)]
    """How many drives its plan uses."""
    throughput: ShortText
    """The rate that its plan asks of them at its peak, in bytes a second."""


class TapePoolStatus(ApiModel):
    """Who uses the pool, and whether there is enough of it."""

    observed_generation: ObservedGeneration | None = None
    """The version of the spec that this status was made from; -1 until there is one."""
    conditions: Conditions | None = None
    """Ready, and whether policies ask for more than there is (Oversubscribed)."""
    drives: Annotated[int, Field(ge=0, le=MAX_DRIVES)] | None = None
    """How many drives the pool has."""
    policies: (
        Annotated[
            tuple[PoolUse, ...],
            Field(max_length=512),
            Distinct(("namespace", "name")),
        ]
        | None
    ) = None
    """The policies that use the pool; of very many, the first 512 by namespace and name."""
    peak_drives: Annotated[int, Field(ge=0)] | None = None
    """The most drives that policies ask for at the same time."""
    peak_throughput: ShortText | None = None
    """The highest rate that policies ask for at the same time, in bytes a second."""


class TapePool(ApiModel):
    """Tape drives, or any backup devices with a sustained rate, that policies share."""

    DEFINITION: ClassVar = Definition(
        kind="TapePool",
        plural="tapepools",
        short_name="tp",
        scope=Scope.CLUSTER,
        version=VERSION,
        columns=(
            Column("Ready", '.status.conditions[?(@.type=="Ready")].status', "Whether the pool can be used"),
            Column("Drives", ".status.drives", "How many drives the pool has", type="integer"),
            Column("Peak Drives", ".status.peakDrives", "The most drives asked for at once", type="integer"),
            Column("Peak Rate", ".status.peakThroughput", "The highest rate asked for at once"),
            Column(
                "Oversubscribed",
                '.status.conditions[?(@.type=="Oversubscribed")].status',
                "Whether policies ask for more than there is",
                wide=True,
            ),
            Column("Age", ".metadata.creationTimestamp", "How long the pool exists", type="date"),
        ),
    )

    api_version: Literal["flexlbf.io/v1alpha1"] = "flexlbf.io/v1alpha1"
    """The group and version of this schema."""
    kind: Literal["TapePool"] = "TapePool"
    """The kind of this resource."""
    metadata: ObjectMeta
    """The object's metadata."""
    spec: TapePoolSpec
    """What the administrator offers."""
    status: TapePoolStatus | None = Field(default=None, json_schema_extra={"default": UNSEEN})
    """What the operator found."""
