"""What drawings over time have in common: ticks, a grid, and marks of moments that matter."""

from flexlbf.report.axes import TimeAxis, clock
from flexlbf.report.svg import Drawing

AXIS_HEIGHT = 22
"""Pixels for the times below, or above, a drawing."""

EDGE = 4
"""Per cent from an edge within which a label's middle can't lie."""


def grid(drawing: Drawing, axis: TimeAxis, top: float, bottom: float) -> None:
    """A line at each tick but the first, which is the edge."""
    for tick in axis.ticks[1:]:
        at = axis.percent(tick)
        drawing.line("grid", (at, top), (at, bottom))


def times(drawing: Drawing, axis: TimeAxis, y: float) -> None:
    """The time of each tick; those at the edges lie inwards."""
    for tick in axis.ticks:
        at = axis.percent(tick)
        drawing.text(f"tick {anchor(at)}".strip(), at, y, clock(tick))


def anchor(at: float) -> str:
    """How a label lies to a position in per cent, so that it stays within the drawing."""
    if at < EDGE:
        return ""
    return "end" if at > 100 - EDGE else "middle"
