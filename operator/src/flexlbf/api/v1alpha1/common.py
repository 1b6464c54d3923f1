"""Types that several kinds use."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, PlainSerializer, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from flexlbf.api import durations, quantities, timestamps
from flexlbf.api.durations import Duration as DurationValue
from flexlbf.api.model import ApiModel
from flexlbf.api.rules import Rule, matching

VERSION = "v1alpha1"

AS_ATOM: dict[str, Any] = {"x-kubernetes-map-type": "atomic"}
AS_ATOMIC_LIST: dict[str, Any] = {"x-kubernetes-list-type": "atomic"}


def _quantity(value: Any) -> int:
    try:
        return quantities.parse_quantity(value)
    except ValueError as error:
        raise PydanticCustomError("quantity", "{message}", {"message": str(error)}) from error


def _duration(value: Any) -> DurationValue:
    if isinstance(value, DurationValue):
        return value
    try:
        return DurationValue.parse(value if isinstance(value, str) else "")
    except ValueError as error:
        raise PydanticCustomError("duration", "{message}", {"message": str(error)}) from error


def _timestamp(value: Any) -> datetime:
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value
    try:
        return timestamps.parse_timestamp(value if isinstance(value, str) else "")
    except ValueError as error:
        raise PydanticCustomError("timestamp", "{message}", {"message": str(error)}) from error


# Up to Kubernetes 1.33 the cost of a rule on an int-or-string is reckoned as if its text were as long as a
# whole request. Only comparisons with literals are cheap then, and `in` where `==` would do. They tell the
# first character, which decides whether the amount is above zero, and the last; the pattern sees the rest.
_LAST = " || ".join(f"self.endsWith('{character}')" for character in "0123456789kMGTPi")
_QUANTITY_RULE = Rule(
    cel=f"type(self) in [int] ? self > 0 : self >= '1' && self < ':' && ({_LAST})",
    message=quantities.QUANTITY_HINT,
)

Quantity = Annotated[
    int,
    BeforeValidator(_quantity),
    PlainSerializer(quantities.format_quantity, return_type=str, when_used="json"),
    WithJsonSchema(
        {
            "anyOf": [{"type": "integer"}, {"type": "string"}],
            "x-kubernetes-int-or-string": True,
            "maxLength": quantities.QUANTITY_MAX_LENGTH,
            "pattern": quantities.QUANTITY_PATTERN,
        }
    ),
    _QUANTITY_RULE,
]
"""Bytes, or bytes a second, as a whole number above zero."""

_DURATION_SCHEMA = {"type": "string", "maxLength": durations.DURATION_MAX_LENGTH}

Duration = Annotated[
    DurationValue,
    BeforeValidator(_duration),
    PlainSerializer(str, return_type=str, when_used="json"),
    WithJsonSchema(_DURATION_SCHEMA),
    Rule(
        cel=f"self.matches(r'{durations.DURATION_PATTERN}') && self.matches('[1-9]')",
        message=durations.DURATION_HINT,
    ),
]
"""A length of time above zero, to the millisecond."""

WholeDuration = Annotated[
    DurationValue,
    BeforeValidator(_duration),
    PlainSerializer(str, return_type=str, when_used="json"),
    WithJsonSchema(_DURATION_SCHEMA),
    Rule(
        cel=f"self.matches(r'{durations.WHOLE_DURATION_PATTERN}') && self.matches('[1-9]')",
        message=f"{durations.DURATION_HINT}, without fractions",
        holds=lambda value: value.milliseconds % 1000 == 0,
    ),
]
"""A length of time above zero in whole seconds, for what Kubernetes counts so."""

Timestamp = Annotated[
    datetime,
    BeforeValidator(_timestamp),
    PlainSerializer(timestamps.format_timestamp, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time", "maxLength": timestamps.TIMESTAMP_MAX_LENGTH}),
]
"""A point in time."""

ResourceName = Annotated[
    str,
    StringConstraints(max_length=253),
    matching(
        r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
        "write the name of a Kubernetes object: lower-case letters, digits, '-' and '.',"
        " beginning and ending with a letter or digit",
    ),
]
"""The name of another object."""

LabelValue = Annotated[str, StringConstraints(max_length=63)]
LabelKey = Annotated[str, StringConstraints(max_length=317)]
Labels = Annotated[dict[str, LabelValue], Field(max_length=64)]
_AS_WRITTEN = PlainSerializer(
    lambda value: int(value) if value.is_integer() else value, return_type=int | float
)
Percent = Annotated[float, Field(ge=0, le=1000), _AS_WRITTEN]
"""How much longer a session may take; written as people do, `15` and not `15.0`."""
Times = Annotated[float, Field(ge=1), _AS_WRITTEN]
"""How many times as much; written as people do, `2` and not `2.0`."""
ShortText = Annotated[str, StringConstraints(max_length=32)]
"""A duration, a rate or an amount as a status shows it."""


class SelectorOperator(StrEnum):
    """How a label is compared."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"


class SelectorRequirement(ApiModel):
    """One comparison of a label."""

    RULES: ClassVar = (
        Rule(
            cel="(self.operator in ['In', 'NotIn']) == (has(self.values) && size(self.values) > 0)",
            message="give values with In and NotIn, and none with Exists and DoesNotExist",
            holds=lambda requirement: (
                (requirement.operator in {SelectorOperator.IN, SelectorOperator.NOT_IN})
                == bool(requirement.values)
            ),
            field_path=".values",
        ),
    )

    key: LabelKey
    """The label's key."""
    operator: SelectorOperator
    """How the label is compared with the values."""
    values: tuple[LabelValue, ...] | None = Field(
        default=None, max_length=64, json_schema_extra=AS_ATOMIC_LIST
    )
    """What the label is compared with; only for In and NotIn."""

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether an object's labels meet this requirement; NotIn is met by an object without the label."""
        among = labels.get(self.key) in (self.values or ())
        return {
            SelectorOperator.IN: among,
            SelectorOperator.NOT_IN: not among,
            SelectorOperator.EXISTS: self.key in labels,
            SelectorOperator.DOES_NOT_EXIST: self.key not in labels,
        }[self.operator]


class LabelSelector(ApiModel):
    """Objects by their labels; all requirements must be met, and an empty selector takes every object."""

    match_labels: Labels | None = None
    """Labels that an object must have, with these values."""
    match_expressions: tuple[SelectorRequirement, ...] | None = Field(
        default=None, max_length=64, json_schema_extra=AS_ATOMIC_LIST
    )
    """Further requirements on an object's labels."""

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether an object with these labels is selected."""
        equal = all(labels.get(key) == value for key, value in (self.match_labels or {}).items())
        return equal and all(requirement.matches(labels) for requirement in self.match_expressions or ())


class ObjectMeta(ApiModel):
    """What the operator reads of an object's metadata; the API server has its own schema for it."""

    name: str = ""
    """The object's name."""
    namespace: str | None = None
    """The object's namespace; absent for cluster-scoped kinds."""
    uid: str | None = None
    """The identity that owner references carry."""
    generation: int | None = None
    """The version of the spec."""
    resource_version: str | None = None
    """The version of the whole object."""
    labels: dict[str, str] | None = None
    """The object's labels."""
    annotations: dict[str, str] | None = None
    """The object's annotations."""
    creation_timestamp: Timestamp | None = None
    """When the object was created."""
    deletion_timestamp: Timestamp | None = None
    """When the object's deletion was asked for."""
