"""Conditions, as `kubectl wait` and kstatus read them."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints
from pydantic.config import JsonDict

from flexlbf.api.lists import Distinct
from flexlbf.api.model import ApiModel
from flexlbf.api.v1alpha1.common import Timestamp


class ConditionStatus(StrEnum):
    """Whether a condition holds."""

    TRUE = "True"
    FALSE = "False"
    UNKNOWN = "Unknown"


class ConditionType(StrEnum):
    """The conditions that the operator reports."""

    READY = "Ready"
    RECONCILING = "Reconciling"
    STALLED = "Stalled"
    WINDOW_FIT = "WindowFit"
    DRIFTED = "Drifted"
    OVERSUBSCRIBED = "Oversubscribed"
    SESSION_COMPLETE = "SessionComplete"


class WindowFitReason(StrEnum):
    """Reasons of `WindowFit`; `kubectl get` shows them in the column Window."""

    FITS = "Fits"
    OVERRUNS = "Overruns"
    NO_WINDOW = "NoWindow"


class Condition(ApiModel):
    """One aspect of a resource's state."""

    type: Annotated[str, StringConstraints(max_length=316)]
    """Which aspect."""
    status: ConditionStatus
    """Whether it holds."""
    reason: Annotated[str, StringConstraints(min_length=1, max_length=1024)]
    """Why, in one CamelCase word for programs."""
    message: Annotated[str, StringConstraints(max_length=32768)] = ""
    """Why, in words for people."""
    observed_generation: Annotated[int, Field(ge=0)] | None = None
    """The version of the spec that this was found for."""
    last_transition_time: Timestamp
    """When the status last changed."""


ObservedGeneration = Annotated[int, Field(ge=-1)]
"""The version of a spec that a status was made from; -1 for one that was never looked at."""

UNSEEN: JsonDict = {"observedGeneration": -1}
"""The status of what nobody has looked at yet, set by the API server itself: kstatus would take an object
without any for one that is done."""

Conditions = Annotated[
    tuple[Condition, ...],
    Field(max_length=16),
    Distinct(("type",)),
]


def merge_conditions(
    before: Iterable[Condition], found: Iterable[Condition], *, now: datetime
) -> tuple[Condition, ...]:
    """What was found, in its order, each with the time at which its status last changed.

    A condition whose status stayed the same keeps its time even if reason or message changed; one that was
    not found again is dropped.
    """
    known = {condition.type: condition for condition in before}
    return tuple(
        condition.model_copy(
            update={
                "last_transition_time": known[condition.type].last_transition_time
                if condition.type in known and known[condition.type].status == condition.status
                else now.replace(microsecond=0)
            }
        )
        for condition in found
    )
