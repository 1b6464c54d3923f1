"""Axes: times at round distances, and positions along a drawing of any width."""

from dataclasses import dataclass

from flexlbf.planning.wording import duration
from flexlbf.scheduling.units import MINUTE, NANOSECONDS

HOUR = 60 * MINUTE
DAY = 24 * HOUR
STEPS = (
    *(factor * NANOSECONDS for factor in (1, 5, 10, 30)),
    *(factor * MINUTE for factor in (1, 2, 5, 10, 15, 30)),
    *(factor * HOUR for factor in (1, 2, 3, 4, 6, 12)),
    *(factor * DAY for factor in (1, 2, 5, 10, 20, 50, 100, 500)),
)
"""Distances of ticks that people count in."""


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """Times from 0 on.

    Attributes:
        end: nanoseconds at its end.
        ticks: nanoseconds.
    """

    end: int
    ticks: tuple[int, ...]

    @classmethod
    def to(cls, end: int, most: int = 7) -> "TimeAxis":
        """An axis to an instant with at most so many ticks; phones have no room for more than seven."""
        end = max(end, 1)
        step = next((each for each in STEPS if end // each < most), end)
        return cls(end, tuple(range(0, end + 1, step)))

    def percent(self, at: float) -> float:
        """The position of an instant."""
        return 100 * at / self.end


def clock(nanoseconds: float) -> str:
    """A time within the session: `0`, `2h30m`; the same length of time that tables show."""
    return duration(nanoseconds) if nanoseconds else "0"
