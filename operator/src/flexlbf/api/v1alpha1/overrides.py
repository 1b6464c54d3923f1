"""What a policy may ask for its pods, as far as its class allows."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints, WithJsonSchema

from flexlbf.api.model import ApiModel
from flexlbf.api.rules import Rule
from flexlbf.api.v1alpha1.common import AS_ATOM, AS_ATOMIC_LIST, LabelValue, Quantity, ResourceName

ResourceAmount = Annotated[
    int | str,
    WithJsonSchema(
        {
            "anyOf": [{"type": "integer"}, {"type": "string"}],
            "x-kubernetes-int-or-string": True,
            "maxLength": 20,
            "pattern": r"^[0-9]+([.][0-9]+)?(m|k|[KMGTPE]i|[MGTPE])?$",
        }
    ),
]
ResourceAmounts = Annotated[dict[str, ResourceAmount], Field(max_length=16)]


class Resources(ApiModel):
    """Compute resources of the container that gets the object."""

    requests: ResourceAmounts | None = None
    """What the container is promised: `{cpu: 500m, memory: 256Mi}`."""
    limits: ResourceAmounts | None = None
    """What the container may take at the most."""


class TolerationOperator(StrEnum):
    """How a toleration is compared with a taint."""

    EXISTS = "Exists"
    EQUAL = "Equal"


class TaintEffect(StrEnum):
    """What a taint does to pods."""

    NO_SCHEDULE = "NoSchedule"
    PREFER_NO_SCHEDULE = "PreferNoSchedule"
    NO_EXECUTE = "NoExecute"


class Toleration(ApiModel):
    """A taint that the pods put up with, as in Kubernetes' own Toleration."""

    key: Annotated[str, StringConstraints(max_length=317)] | None = None
    """The taint's key; every taint when left out, with Exists."""
    operator: TolerationOperator | None = None
    """How the value is compared: Equal when left out."""
    value: LabelValue | None = None
    """The taint's value."""
    effect: TaintEffect | None = None
    """The taint's effect; every effect when left out."""
    toleration_seconds: Annotated[int, Field(ge=0)] | None = None
    """For NoExecute: how long the pod stays."""


class PodOverrides(ApiModel):
    """What the policy sets of its pods; the class must allow each by `allowedOverrides`."""

    resources: Resources | None = Field(default=None, json_schema_extra=AS_ATOM)
    """Compute resources of the container that gets the object."""
    node_selector: Annotated[dict[str, LabelValue], Field(max_length=32)] | None = None
    """Labels of the nodes that the pods may run on."""
    tolerations: tuple[Toleration, ...] | None = Field(
        default=None, max_length=16, json_schema_extra=AS_ATOMIC_LIST
    )
    """Taints that the pods put up with."""
    priority_class_name: (
        Annotated[
            ResourceName,
            Rule(
                # Such pods may push any other off its node, the cluster's own included.
                cel="!self.startsWith('system-')",
                message="name a PriorityClass that is not one of Kubernetes' own, which begin with 'system-'",
                holds=lambda name: not name.startswith("system-"),
            ),
        ]
        | None
    ) = None
    """The PriorityClass of the pods."""
    rate_limit: Quantity | None = None
    """The highest rate of one object's stream, in bytes a second; handed to the pod."""
