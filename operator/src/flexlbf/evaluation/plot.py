"""Charts: panels above one another that share an x axis, with lines over time or marks over categories.

What a chart is; `svg` draws it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Series:
    """What is drawn in one colour.

    Attributes:
        label: its name in the legend; series of one label look alike in every panel.
        runs: the points, in runs that are not joined.
        steps: whether each value holds until the next point, as loads do; else points are marked.
    """

    label: str
    runs: tuple[tuple[Point, ...], ...]
    steps: bool = True


@dataclass(frozen=True, slots=True)
class Limit:
    """A line across a panel that values are held against."""

    label: str
    value: float


@dataclass(frozen=True, slots=True)
class Panel:
    """One coordinate system; its title names the unit of y, which starts at zero."""

    title: str
    series: tuple[Series, ...]
    y_max: float
    limit: Limit | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """The x axis.

    Attributes:
        title: what it counts, with its unit.
        low: where it begins.
        high: where it ends.
        ticks: positions with their labels.
        separators: positions of lines between groups.
    """

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    separators: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with the words that stand for it where it can't be seen."""

    title: str
    description: str
    x: Axis
    panels: tuple[Panel, ...]

    @property
    def legend(self) -> tuple[str, ...]:
        """The labels of all series, none if each panel has just one."""
        labels = dict.fromkeys(series.label for panel in self.panels for series in panel.series)
        return tuple(labels) if any(len(panel.series) > 1 for panel in self.panels) else ()


def round_ticks(high: float, most: int = 7) -> tuple[float, ...]:
    """From 0 to at most `high` in steps of 1, 2 or 5 times a power of ten."""
    step = next(
        factor * 10.0**power
        for power in range(-3, 10)
        for factor in (1, 2, 5)
        if high / (factor * 10.0**power) <= most
    )
    return tuple(i * step for i in range(int(high / step + 1e-9) + 1))


def from_zero(title: str, high: float) -> Axis:
    """An axis of figures from 0 on."""
    return Axis(title, 0, high, tuple((tick, f"{tick:,g}") for tick in round_ticks(high, 10)))


def in_groups(title: str, groups: Sequence[tuple[str, int]]) -> Axis:
    """An axis of categories at 0, 1, 2 and so on, in groups of a name and a size."""
    ticks, separators, start = [], [], 0
    for name, size in groups:
        ticks.append((start + (size - 1) / 2, name))
        start += size
        separators.append(start - 0.5)
    return Axis(title, -0.5, start - 0.5, tuple(ticks), tuple(separators[:-1]))
