"""BackupClass: how one object is backed up, in the administrator's words."""

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, StringConstraints

from flexlbf.api.durations import Duration as DurationValue
from flexlbf.api.lists import Distinct
from flexlbf.api.model import ApiModel, Column, Definition, Scope
from flexlbf.api.rules import Rule, matching
from flexlbf.api.v1alpha1.common import (
    VERSION,
    LabelSelector,
    ObjectMeta,
    ResourceName,
    WholeDuration,
)

ABSOLUTE_PATH = matching(
    r"^/([^/\x00-\x1f\x7f]+/)*[^/\x00-\x1f\x7f]*$",
    "write an absolute path without empty parts or control characters, such as /srv/data",
)
NO_PARENT = Rule(
    cel="!self.matches(r'(^|/)[.][.](/|$)')",
    message="write the path without '..', so that it is plain which folder is meant",
    holds=lambda path: ".." not in path.split("/"),
)


class Override(StrEnum):
    """What a policy may set of its pods."""

    RESOURCES = "Resources"
    NODE_SELECTOR = "NodeSelector"
    TOLERATIONS = "Tolerations"
    PRIORITY_CLASS_NAME = "PriorityClassName"
    RATE_LIMIT = "RateLimit"


class Container(ApiModel):
    """A container of the pod; all fields of Kubernetes' own Container may be set."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"x-kubernetes-preserve-unknown-fields": True})

    name: Annotated[str, StringConstraints(min_length=1, max_length=63)]
    """What the container is called."""


class PodSpec(ApiModel):
    """The pod; all fields of Kubernetes' own PodSpec may be set."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"x-kubernetes-preserve-unknown-fields": True})

    containers: Annotated[
        tuple[Container, ...],
        Field(max_length=16),
        Rule(
            cel="size(self) > 0",
            message="a pod needs a container: write {name: backup, image: ..., args: [$(FLEXLBF_OBJECT)]}",
            holds=lambda containers: len(containers) > 0,
            reason="FieldValueRequired",
        ),
        Distinct(("name",)),
    ]
    """The pod's containers."""


class PodMetadata(ApiModel):
    """Labels and annotations of every pod."""

    labels: (
        Annotated[dict[str, Annotated[str, StringConstraints(max_length=63)]], Field(max_length=64)] | None
    ) = None
    """Labels of every pod."""
    annotations: (
        Annotated[dict[str, Annotated[str, StringConstraints(max_length=8192)]], Field(max_length=64)] | None
    ) = None
    """Annotations of every pod."""


class PodTemplate(ApiModel):
    """The pod that backs one object up."""

    metadata: PodMetadata | None = None
    """Labels and annotations of every pod."""
    spec: PodSpec
    """The pod itself."""

    def pod_spec(self) -> dict[str, Any]:
        """The pod's spec as the administrator wrote it."""
        return self.spec.to_api()


class ClassSource(ApiModel):
    """Where the data of an object may come from."""

    mount_path: Annotated[str, StringConstraints(max_length=512), ABSOLUTE_PATH, NO_PARENT] = "/source"
    """Where the object's volume is mounted, read-only, in the container."""
    claims: bool = True
    """Whether objects may name PersistentVolumeClaims of their namespace."""
    host_paths: Annotated[
        tuple[Annotated[str, StringConstraints(max_length=512), ABSOLUTE_PATH, NO_PARENT], ...],
        Field(max_length=32),
        Distinct(),
    ] = ()
    """Folders of the node below which objects may name paths; none are allowed when left empty."""


class BackupClassSpec(ApiModel):
    """The pod, its limits, and what users may change of it."""

    RULES: ClassVar = (
        Rule(
            cel="!has(self.container) || "
            "self.podTemplate.spec.containers.exists(c, c.name == self.container)",
            message="name one of the containers in podTemplate.spec.containers",
            holds=lambda spec: (
                spec.container is None
                or any(container.name == spec.container for container in spec.pod_template.spec.containers)
            ),
            field_path=".container",
        ),
    )

    pod_template: PodTemplate
    """The pod that backs one object up. It finds its object, drive, device and limits in `FLEXLBF_*`
    environment variables, so `$(FLEXLBF_OBJECT)` works in `args`."""
    container: Annotated[str, StringConstraints(min_length=1, max_length=63)] | None = None
    """The container that gets the object; the first one when left out."""
    service_account_name: ResourceName | None = None
    """The service account of every pod, in the policy's namespace; it overrides the template's."""
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    """How often an object that failed is tried again before its run counts as failed."""
    active_deadline: WholeDuration | None = None
    """How long the run of one object may take, retries included, before it is stopped: `6h`."""
    starting_deadline: Annotated[
        WholeDuration,
        Rule(
            # Kubernetes looks every ten seconds, so a shorter deadline would miss runs at random.
            cel="self.matches('[1-9][0-9]*[dhm]') || self.matches('[1-9][0-9]+s')",
            message="give at least 10s, because Kubernetes looks for due runs every ten seconds",
            holds=lambda value: value.milliseconds >= 10_000,
        ),
    ] = DurationValue.parse("10m")
    """How late a run may start before it is left out: `10m`."""
    successful_jobs_history_limit: Annotated[int, Field(ge=0, le=10)] = 1
    """How many finished Jobs of each object are kept; in an adaptive session, of all together."""
    failed_jobs_history_limit: Annotated[int, Field(ge=0, le=10)] = 3
    """How many failed Jobs of each object are kept; in an adaptive session, of all together."""
    ttl_after_finished: WholeDuration | None = None
    """How long a finished Job is kept at the most: `2d`."""
    source: ClassSource = ClassSource()
    """Where the data of an object may come from."""
    allowed_overrides: Annotated[
        tuple[Override, ...],
        Field(max_length=5),
        Distinct(),
    ] = ()
    """What policies may set in `podOverrides`; nothing when left empty."""
    allowed_namespaces: LabelSelector | None = None
    """Labels of the namespaces whose policies may use the class; all namespaces when left out. A class with a
    service account or with folders of the node is as powerful as they are."""


class BackupClass(ApiModel):
    """How objects are backed up, as a StorageClass says how volumes are made."""

    DEFINITION: ClassVar = Definition(
        kind="BackupClass",
        plural="backupclasses",
        short_name="bclass",
        scope=Scope.CLUSTER,
        version=VERSION,
        columns=(
            Column("Container", ".spec.container", "The container that gets the object"),
            Column("ServiceAccount", ".spec.serviceAccountName", "The service account of every pod"),
            Column("Retries", ".spec.retries", "How often a failed object is tried again", type="integer"),
            Column("Deadline", ".spec.activeDeadline", "How long one object may take"),
            Column("Overrides", ".spec.allowedOverrides", "What policies may set", wide=True),
            Column("Age", ".metadata.creationTimestamp", "How long the class exists", type="date"),
        ),
    )

    api_version: Literal["flexlbf.io/v1alpha1"] = "flexlbf.io/v1alpha1"
    """The group and version of this schema."""
    kind: Literal["BackupClass"] = "BackupClass"
    """The kind of this resource."""
    metadata: ObjectMeta
    """The object's metadata."""
    spec: BackupClassSpec
    """How one object is backed up."""
