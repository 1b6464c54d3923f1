"""What planning decides: a plan, or why there is none."""

from dataclasses import dataclass
from typing import Any

from flexlbf.manifests.cronjob import PlannedStart
from flexlbf.planning.findings import Finding, Reason

NOT_PLANNED = Finding(Reason.NOT_PLANNED, "there is no plan yet that could be held against the window")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be made true for one policy.

    Attributes:
        stalled: why the policy can't be planned; then the rest is empty and what runs is left as it is.
        outcome: the reason of the Ready condition.
        window_fit: whether the session fits the window; None if that can't be said.
        window: the reason for that.
        figures: the status's `workload`, `recommendation` and `alternatives`.
        session_duration: how long the session takes, as the status shows it.
        starts: the objects to start, in their order; empty in mode Recommend.
    """

    stalled: Finding | None
    outcome: Finding | None
    window_fit: bool | None
    window: Finding
    figures: dict[str, Any]
    session_duration: str | None
    starts: tuple[PlannedStart, ...]

    @classmethod
    def impossible(cls, why: Finding) -> "Plan":
        """No plan: only a change of the input helps, and what runs is left as it is."""
        return cls(why, None, None, NOT_PLANNED, {}, None, ())
