"""What a user wants of a session: the target that the tuner may not miss (section V of the paper)."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol


class Objective(Protocol):
    """A target for the session's duration, given what all drives could do."""

    @property
    def name(self) -> str:
        """The value of the policy's `objective`."""

    def target(self, reference: int) -> Fraction:
        """The longest duration (nanoseconds) that is good enough; `reference` is that on all drives."""


@dataclass(frozen=True, slots=True)
class Fastest:
    """As fast as all drives together with every agent allowed."""

    name = "Fastest"

    def target(self, reference: int) -> Fraction:
        """The reference itself."""
        return Fraction(reference)


@dataclass(frozen=True, slots=True)
class WithinPercent:
    """At most `percent` slower than the fastest: the second half of table III is 15."""

    percent: float
    name = "WithinPercent"

    def __post_init__(self) -> None:
        if not 0 <= self.percent < math.inf:
            raise ValueError("a percentage is a number of 0 or more: 15 accepts a session 15 % longer")

    def target(self, reference: int) -> Fraction:
        """The reference and `percent` of it; exact, so that 0.1 is a tenth and rounding never decides."""
        return reference * (1 + Fraction(str(self.percent)) / 100)


@dataclass(frozen=True, slots=True)
class Deadline:
    """Done within the window, however long the fastest would take; `window` in nanoseconds."""

    window: int
    name = "Deadline"

    def __post_init__(self) -> None:
        if self.window <= 0:
            raise ValueError("a deadline must be more than 0 s: write 8h or 90m")

    def target(self, reference: int) -> Fraction:  # noqa: ARG002 - the window rules, not the reference
        """The window."""
        return Fraction(self.window)
