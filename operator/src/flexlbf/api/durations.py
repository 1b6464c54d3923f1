"""Lengths of time as people write them: `15h12m`, `90s`, `1d`, `12.5s`."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

DURATION_MAX_LENGTH = 20
DURATION_PATTERN = (
    r"^([0-9]{1,5}d)?([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,8}([.][0-9]{1,3})?s)?$"  # each unit once, in order
)
WHOLE_DURATION_PATTERN = r"^([0-9]{1,5}d)?([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,8}s)?$"
DURATION_HINT = (
    "write a duration above zero in days, hours, minutes and seconds, such as 8h, 15h12m, 90s or 1d"
)

_HALF = Fraction(1, 2)
_PARTS = re.compile(
    r"(?:(?P<d>\d{1,5})d)?(?:(?P<h>\d{1,6})h)?(?:(?P<m>\d{1,7})m)?(?:(?P<s>\d{1,8})(?:\.(?P<ms>\d{1,3}))?s)?",
    re.ASCII,
)


@dataclass(frozen=True, order=True, slots=True)
class Duration:
    """A length of time in whole milliseconds, so that no arithmetic on it rounds."""

    milliseconds: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what a person wrote.

        Raises:
            ValueError: The text is not a duration above zero; the message says what to write.
        """
        found = _PARTS.fullmatch(text) if len(text) <= DURATION_MAX_LENGTH else None
        if found is None:
            raise ValueError(DURATION_HINT)
        days, hours, minutes, seconds = (int(found[unit] or 0) for unit in "dhms")
        whole = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
        milliseconds = whole * 1000 + int((found["ms"] or "").ljust(3, "0"))
        if milliseconds == 0:
            raise ValueError(DURATION_HINT)
        return cls(milliseconds)

    @classmethod
    def of_seconds(cls, seconds: float) -> Self:
        """The nearest whole millisecond to a measured time, and never nothing."""
        return cls(max(1, math.floor(Fraction(seconds) * 1000 + _HALF)))

    @property
    def seconds(self) -> float:
        """The same length in seconds, as the scheduler counts."""
        return self.milliseconds / 1000

    @property
    def whole_seconds(self) -> int:
        """The same length in seconds, rounded up: Kubernetes' own fields take whole seconds."""
        return -(-self.milliseconds // 1000)

    def __str__(self) -> str:
        """The exact length: what `parse` reads back to an equal value."""
        minutes, milliseconds = divmod(self.milliseconds, 60_000)
        hours, minutes = divmod(minutes, 60)
        seconds = f"{milliseconds // 1000}.{milliseconds % 1000:03}".rstrip("0").rstrip(".")
        parts = (f"{hours}h" if hours else "", f"{minutes}m" if minutes else "")
        return "".join(parts) + (f"{seconds}s" if milliseconds or not (hours or minutes) else "")


def format_duration(seconds: float) -> str:
    """Say a length of time as a status shows it: `20h52m`, `43h`, `12m30s`, `45s`, `0s`.

    From an hour on nobody plans in seconds, so minutes are rounded half up. The order of two lengths is
    never reversed by it, and what takes any time at all never reads as nothing.

    Raises:
        ValueError: The length is negative or not finite.
    """
    if not math.isfinite(seconds) or seconds < 0:
        raise ValueError(f"{seconds} is not a length of time")
    whole = math.floor(Fraction(seconds) + _HALF)
    if seconds > 0:
        whole = max(1, whole)
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return _joined((minutes, "m"), (rest, "s"))
    hours, minutes = divmod(math.floor(Fraction(seconds) / 60 + _HALF), 60)
    return _joined((hours, "h"), (minutes, "m"))


def _joined(*parts: tuple[int, str]) -> str:
    return "".join(f"{count}{unit}" for count, unit in parts if count) or f"0{parts[-1][1]}"
