"""Throughput and active agents over time, against what a drive, or all of them, take: figures 6 and 7."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from flexlbf.evaluation.plot import round_ticks
from flexlbf.planning.wording import duration
from flexlbf.report.axes import TimeAxis, clock
from flexlbf.report.ground import AXIS_HEIGHT, grid, times
from flexlbf.report.model import Figure, Table
from flexlbf.report.svg import Drawing, Point, path, stairs
from flexlbf.scheduling import Assignment
from flexlbf.scheduling.units import to_megabytes
from flexlbf.scheduling.usage import Moment, timeline

HEADING = 20
RATE_HEIGHT, AGENTS_HEIGHT = 120, 80
GAP = 14
HEADROOM = 1.12
"""The highest value that is drawn over the limit: its label needs room."""


@dataclass(frozen=True, slots=True)
class Load:
    """Streams that are looked at together.

    Attributes:
        name: unique on the page.
        title: what they are, such as the drive's name.
        streams: all of them.
        max_rate: micro-bytes a second that the drive, or the drives, take.
        max_agents: streams likewise.
    """

    name: str
    title: str
    streams: Sequence[Assignment]
    max_rate: int
    max_agents: int

    def figure(self, axis: TimeAxis) -> Figure:
        """The load over time."""
        moments = timeline(self.streams)
        spans = _spans(moments, axis.ticks, axis.end)
        return Figure(self.name, self.title, self._reading(moments), self._draw(moments, axis), _table(spans))

    def _reading(self, moments: Sequence[Moment]) -> str:
        if not moments:
            return "Nothing runs here."
        end = moments[-1].at
        mean = sum(job.job.rate * (job.end - job.start) for job in self.streams) / max(end, 1)
        most = max(each.agents for each in moments)
        peak = max(each.rate for each in moments)
        return (
            f"{to_megabytes(round(mean)):,.0f} MB/s on average and {to_megabytes(peak):,.0f} MB/s at the "
            f"peak (maxTput: {to_megabytes(self.max_rate):,.0f}); at most {most} agents at a time "
            f"(maxAgents: {self.max_agents}); until {duration(end)}."
        )

    def _draw(self, moments: Sequence[Moment], axis: TimeAxis) -> str:
        first, second = HEADING, HEADING + RATE_HEIGHT + GAP + HEADING
        bottom = second + AGENTS_HEIGHT
        title = f"{self.title}: throughput and active agents over time"
        drawing = Drawing(self.name, title, self._reading(moments), bottom + AXIS_HEIGHT)
        rates = [(axis.percent(each.at), to_megabytes(each.rate)) for each in moments]
        agents = [(axis.percent(each.at), float(each.agents)) for each in moments]
        _panel(drawing, axis, "MB/s", rates, to_megabytes(self.max_rate), (first, RATE_HEIGHT))
        _panel(drawing, axis, "active agents", agents, self.max_agents, (second, AGENTS_HEIGHT))
        times(drawing, axis, bottom + AXIS_HEIGHT - 7)
        return str(drawing)


def _panel(
    drawing: Drawing,
    axis: TimeAxis,
    unit: str,
    values: Sequence[Point],
    limit: float,
    place: tuple[float, float],
) -> None:
    top, height = place
    # What was measured may exceed what is planned with.
    high = HEADROOM * max(limit, *(value for _, value in values), 0)
    drawing.text("panel-heading", 0, top - 6, unit)
    drawing.text("tick end", 100, top - 6, f"limit {limit:,g}")
    grid(drawing, axis, top, top + height)
    inside = drawing.stretched(top, height)
    line = stairs([(x, 100 * value / high) for x, value in values])
    path(inside, "area", line, closed=True)
    path(inside, "load", line)
    for tick in round_ticks(limit, 4):
        y = top + height * (1 - tick / high)
        drawing.line("grid", (0, y), (100, y))
        if 0 < tick < limit * 0.9:
            drawing.text("tick halo", 0, y - 3, f"{tick:,g}")
    y = top + height * (1 - limit / high)
    drawing.line("limit", (0, y), (100, y))


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    rate: float
    peak: int
    agents: int


def _spans(moments: Sequence[Moment], ticks: Sequence[int], end: int) -> list[_Span]:
    """Between one tick and the next: the mean and the highest rate, and the most agents."""
    steady = [(one.at, after.at, one) for one, after in pairwise(moments)]
    found = []
    for start, stop in pairwise((*ticks, end)):
        within = [(max(a, start), min(b, stop), each) for a, b, each in steady if a < stop and b > start]
        if within and stop > start:
            mean = sum((b - a) * each.rate for a, b, each in within) / (stop - start)
            peak, most = max(each.rate for *_, each in within), max(each.agents for *_, each in within)
            found.append(_Span(start, stop, mean, peak, most))
    return found


def _table(spans: Sequence[_Span]) -> Table:
    rows = [
        (
            f"{clock(each.start)} to {clock(each.end)}",
            f"{to_megabytes(round(each.rate)):,.1f}",
            f"{to_megabytes(each.peak):,.1f}",
            each.agents,
        )
        for each in spans
    ]
    return Table.of(
        "Throughput and agents by time",
        ("<From the start", "MB/s on average", "MB/s at the peak", "Agents at most"),
        rows,
    )
