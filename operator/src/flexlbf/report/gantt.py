"""The session by drives and time: a bar for each stream, in a lane of its drive."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width
from xml.etree.ElementTree import SubElement

from flexlbf.report.axes import TimeAxis, clock
from flexlbf.report.ground import AXIS_HEIGHT, anchor, grid, times
from flexlbf.report.lanes import DriveLanes
from flexlbf.report.svg import Drawing, number, percent, titled
from flexlbf.scheduling import Assignment
from flexlbf.scheduling.units import to_megabytes

MARKS_HEIGHT = 18
HEADING_HEIGHT = 26
GAP = 10
MOST_HEIGHT, LANE_HIGHEST, LANE_LOWEST = 760, 22, 6
LABELLED = 13
"""Pixels that a lane must have for its bars to carry names."""

LETTER, WIDE_LETTER, PADDING = 6.9, 11.5, 10
"""Pixels that a letter of a label takes at the most, one of a wide script too, and what is left beside it."""

ROOMS = (("wide", 1200), ("middling", 640), ("narrow", 320))
"""Widths of the drawing, in pixels: a label is shown from the least of them in which it fits on."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a stream is shown: the classes that colour it, and what a pointer over it says."""

    style: str
    words: str


@dataclass(frozen=True, slots=True)
class Gantt:
    """What is drawn.

    Attributes:
        name, title, description: of the drawing.
        drives: the lanes of each.
        axis: over the session.
        looks: of each object by name.
        window: nanoseconds that the session may take, None if nobody said.
    """

    name: str
    title: str
    description: str
    drives: Sequence[DriveLanes]
    axis: TimeAxis
    looks: Mapping[str, Look]
    window: int | None

    def draw(self) -> str:
        """The drawing as the text of an element."""
        lane = self._lane_height()
        lanes = sum(len(each.lanes) for each in self.drives)
        top = MARKS_HEIGHT + AXIS_HEIGHT
        bottom = top + len(self.drives) * (HEADING_HEIGHT + GAP) + lanes * lane
        drawing = Drawing(self.name, self.title, self.description, bottom + AXIS_HEIGHT)
        grid(drawing, self.axis, top, bottom)
        times(drawing, self.axis, top - 8)
        times(drawing, self.axis, bottom + AXIS_HEIGHT - 7)
        y: float = top
        for each in self.drives:
            y = self._drive(drawing, each, y, lane) + GAP
        self._window_end(drawing, top, bottom)
        return str(drawing)

    def _window_end(self, drawing: Drawing, top: float, bottom: float) -> None:
        """A line with words above the times, unless the window ends beyond the axis."""
        if self.window and self.window <= self.axis.end:
            place = self.axis.percent(self.window)
            drawing.line("limit", (place, top), (place, bottom))
            drawing.text(f"limit {anchor(place)}".strip(), place, top - AXIS_HEIGHT - 5, "window ends")

    def _lane_height(self) -> float:
        lanes = max(1, sum(len(each.lanes) for each in self.drives))
        return max(LANE_LOWEST, min(LANE_HIGHEST, MOST_HEIGHT / lanes))

    def _drive(self, drawing: Drawing, each: DriveLanes, top: float, lane: float) -> float:
        drawing.text("lane-heading halo", 0, top + HEADING_HEIGHT - 8, _heading(each))
        top += HEADING_HEIGHT
        height = max(lane * len(each.lanes), 2)
        drawing.box("lanes", 0, top, 100, height)
        for place, streams in enumerate(each.lanes):
            for stream in streams:
                self._bar(drawing, stream, top + place * lane, lane)
        return top + height

    def _bar(self, drawing: Drawing, stream: Assignment, y: float, lane: float) -> None:
        look = self.looks[stream.job.name]
        x, width = self.axis.percent(stream.start), self.axis.percent(stream.end - stream.start)
        gap = 2 if lane >= LABELLED else 1
        room = _room(stream.job.name, width) if lane >= LABELLED else None
        if room is None:
            titled(drawing.box(f"bar {look.style}", x, y, width, lane - gap), look.words)
            return
        # A part of its own, which cuts off what might not fit after all.
        part = SubElement(
            drawing.root,
            "svg",
            {
                "class": f"bar {look.style}",
                "x": percent(x),
                "y": number(y),
                "width": percent(width),
                "height": number(lane - gap),
            },
        )
        titled(part, look.words)
        SubElement(part, "rect", {"width": "100%", "height": "100%"})
        label = SubElement(part, "text", {"class": room, "x": "5", "y": number((lane - gap) / 2 + 4)})
        label.text = stream.job.name


def _heading(each: DriveLanes) -> str:
    drive, streams = each.drive, each.streams
    agents = f"{drive.max_agents} agent{'' if drive.max_agents == 1 else 's'}"
    does = f"{len(streams):,} object{'' if len(streams) == 1 else 's'}"
    until = f" until {clock(max(stream.end for stream in streams))}" if streams else ""
    return f"{drive.name}: {to_megabytes(drive.max_rate):g} MB/s, {agents}; {does}{until}"


def _room(name: str, width: float) -> str | None:
    """The narrowest drawing in which a bar of so many per cent holds its name, None if none does."""
    needed = PADDING + sum(WIDE_LETTER if east_asian_width(each) in "WF" else LETTER for each in name)
    fitting = [room for room, pixels in ROOMS if width * pixels / 100 >= needed]
    return fitting[-1] if fitting else None
