"""The session's duration against the drives, or the agents, with the chosen setting marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from flexlbf.planning.wording import duration, stretch_words
from flexlbf.report.axes import TimeAxis, clock
from flexlbf.report.ground import AXIS_HEIGHT, anchor
from flexlbf.report.model import Figure, Key, Legend, Table
from flexlbf.report.svg import Drawing, number, path, percent, titled
from flexlbf.tuning.sweep import Point

TOP, HEIGHT = 14, 210
LEFT, RIGHT = 5.0, 95.0
"""Per cent between which points lie, so that marks at the ends are whole."""

HEADROOM = 1.1
MOST_LABELS = 8


@dataclass(frozen=True, slots=True)
class Curve:
    """What is drawn.

    Attributes:
        name: unique on the page.
        noun: what is counted across: `drives`, or `agents a drive`.
        points: by their count.
        others: the same with another setting, drawn paler; empty if there is none.
        legend: the words for both.
        chosen: the count that was chosen.
        window: nanoseconds that a session may take, None if nobody said.
    """

    name: str
    noun: str
    points: tuple[tuple[int, Point], ...]
    others: tuple[tuple[int, Point], ...]
    legend: tuple[str, str]
    chosen: int
    window: int | None

    def figure(self) -> Figure:
        """The curve with its table."""
        keys = [Key("curve-key", self.legend[0])]
        if self.others:
            keys.append(Key("other-key", self.legend[1]))
        keys.append(Key("bound-key", "no session is shorter (lower bound)"))
        return Figure(
            self.name,
            f"Duration against {self.noun}",
            self._reading(),
            self._draw(),
            self._table(),
            (Legend("", tuple(keys)),),
        )

    def _reading(self) -> str:
        by_count = dict(self.points)
        sentence = f"With {self.chosen} {self.noun} the session takes {_of(by_count[self.chosen])}"
        less, more = by_count.get(self.chosen - 1), by_count.get(self.chosen + 1)
        beside = [f"with {self.chosen - 1}: {_of(less)}"] if less else []
        beside += [f"with {self.chosen + 1}: {_of(more)}"] if more else []
        return f"{'; '.join([sentence, *beside])}."

    def _draw(self) -> str:
        bottom = TOP + HEIGHT
        drawing = Drawing(
            self.name, f"Session duration against {self.noun}", self._reading(), bottom + AXIS_HEIGHT + 16
        )
        everything = [each for _, each in (*self.points, *self.others)]
        high = HEADROOM * max(each.makespan for each in everything)
        self._grid(drawing, high)
        inside = drawing.stretched(TOP, HEIGHT)
        bounds = [(self._x(count), 100 * each.bound.duration / high) for count, each in self.points]
        path(inside, "bound", bounds)
        if self.others:
            path(inside, "other", [(self._x(n), 100 * each.makespan / high) for n, each in self.others])
        path(inside, "curve", [(self._x(n), 100 * each.makespan / high) for n, each in self.points])
        self._marks(drawing, self.others, "other-point", high)
        self._marks(drawing, self.points, "point", high)
        self._chosen(drawing, high)
        drawing.text("tick middle", 50, bottom + AXIS_HEIGHT + 12, self.noun)
        return str(drawing)

    def _grid(self, drawing: Drawing, high: float) -> None:
        bottom = TOP + HEIGHT
        for tick in TimeAxis.to(int(high), 6).ticks:
            y = bottom - HEIGHT * tick / high
            drawing.line("grid", (0, y), (100, y))
            if tick:
                drawing.text("tick halo", 0, y - 3, clock(tick))
        if self.window and self.window <= high:
            y = bottom - HEIGHT * self.window / high
            drawing.line("limit", (0, y), (100, y))
            x = max((20, 50, 80), key=lambda at: self._distance(at, self.window or 0))
            drawing.text("mark limit halo middle", x, y - 4, f"window {duration(self.window)}")
        labelled = _labelled([count for count, _ in self.points], self.chosen)
        for count in labelled:
            at = self._x(count)
            drawing.text(f"tick {anchor(at)}".strip(), at, bottom + AXIS_HEIGHT - 6, f"{count}")

    def _distance(self, at: float, makespan: int) -> int:
        """How far a duration lies from the curve at a position: there words would cover nothing."""
        nearest = sorted(self.points, key=lambda each: abs(self._x(each[0]) - at))[:2]
        return min(abs(each.makespan - makespan) for _, each in nearest)

    def _marks(self, drawing: Drawing, points: Sequence[tuple[int, Point]], style: str, high: float) -> None:
        for count, each in points:
            words = f"{count} {self.noun} (at most {each.max_agents} agents): {_of(each)}"
            titled(self._dot(drawing, style, count, each, high, 4), words)

    def _chosen(self, drawing: Drawing, high: float) -> None:
        each = dict(self.points)[self.chosen]
        self._dot(drawing, "chosen", self.chosen, each, high, 9)
        x = self._x(self.chosen)
        y = TOP + HEIGHT * (1 - each.makespan / high)
        side = "end" if x > 60 else ""
        lies = anchor(x) if anchor(x) != "middle" else side
        drawing.text(f"choice halo {lies}".strip(), x, y - 15, f"chosen: {self.chosen}, {_of(each)}")

    def _dot(
        self, drawing: Drawing, style: str, count: int, each: Point, high: float, radius: float
    ) -> Element:
        return SubElement(
            drawing.root,
            "circle",
            {
                "class": style,
                "cx": percent(self._x(count)),
                "cy": number(TOP + HEIGHT * (1 - each.makespan / high)),
                "r": number(radius),
            },
        )

    def _x(self, count: int) -> float:
        counts = [each for each, _ in self.points]
        low, span = counts[0], counts[-1] - counts[0]
        return LEFT + (RIGHT - LEFT) * (count - low) / span if span else 50.0

    def _table(self) -> Table:
        others = dict(self.others)
        titles = [self.noun.capitalize(), "Duration", "Lower bound", "Restores read"]
        rows: list[list[object]] = []
        for count, each in self.points:
            mark = f"{count} (chosen)" if count == self.chosen else count
            row: list[object] = [mark, _of(each), duration(each.bound.duration), stretch_words(each.stretch)]
            if self.others:
                row.append(_of(others[count]) if count in others else "")
            rows.append(row)
        if self.others:
            titles[1] = f"Duration, {self.legend[0]}"
            titles.append(f"Duration, {self.legend[1]}")
        return Table.of(f"Duration by {self.noun}", titles, rows)


def _of(each: Point) -> str:
    return duration(each.makespan)


def _labelled(counts: Sequence[int], chosen: int) -> list[int]:
    """Some of many counts, with what was chosen and both ends, none too near to another."""
    if len(counts) <= MOST_LABELS:
        return list(counts)
    least = (counts[-1] - counts[0]) / MOST_LABELS
    kept = [chosen]
    for count in (counts[0], counts[-1], *counts):
        if all(abs(count - each) >= least for each in kept):
            kept.append(count)
    return sorted(kept)
