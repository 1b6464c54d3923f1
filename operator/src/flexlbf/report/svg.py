"""Drawings that are as wide as there is room for, while text and lines keep their size.

There is no view box: positions across are percentages and those down are pixels. What needs a path, which
can't be given in percentages, lies in a `stretched` part with a view box of its own. Text goes into elements
and attributes, so it is escaped by the library.
"""

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

SPAN = 1000
"""How wide and how high the inside of a stretched part is."""

Point = tuple[float, float]
"""A position in per cent across and in per cent up."""


class Drawing:
    """An `svg` element with a title and a description.

    Args:
        name: unique on the page; ids come from it.
        title: what it is.
        description: what it shows.
        height: pixels.
    """

    def __init__(self, name: str, title: str, description: str, height: float) -> None:
        self.root = Element(
            "svg",
            {
                "class": "drawing",
                "role": "img",
                "width": "100%",
                "height": number(height),
                "aria-labelledby": f"{name}-title",
                "aria-describedby": f"{name}-description",
            },
        )
        SubElement(self.root, "title", id=f"{name}-title").text = title
        SubElement(self.root, "desc", id=f"{name}-description").text = description

    def line(self, style: str, start: tuple[float, float], end: tuple[float, float]) -> None:
        """A line between positions in per cent across and pixels down."""
        SubElement(
            self.root,
            "line",
            {
                "class": style,
                "x1": percent(start[0]),
                "y1": number(start[1]),
                "x2": percent(end[0]),
                "y2": number(end[1]),
            },
        )

    def box(self, style: str, x: float, y: float, width: float, height: float) -> Element:
        """A rectangle; what it stands for is a `titled` of it."""
        return SubElement(
            self.root,
            "rect",
            {
                "class": style,
                "x": percent(x),
                "y": number(y),
                "width": percent(width),
                "height": number(height),
            },
        )

    def text(self, style: str, x: float, y: float, words: str) -> None:
        """Words; `middle` and `end` in the style say how they lie to their position."""
        SubElement(self.root, "text", {"class": style, "x": percent(x), "y": number(y)}).text = words

    def stretched(self, top: float, height: float) -> Element:
        """A part from edge to edge; inside, x goes to `SPAN` and y from 0 at its top to `SPAN`."""
        return SubElement(
            self.root,
            "svg",
            {
                "x": "0",
                "y": number(top),
                "width": "100%",
                "height": number(height),
                "viewBox": f"0 0 {SPAN} {SPAN}",
                "preserveAspectRatio": "none",
                "class": "stretched",
            },
        )

    def __str__(self) -> str:
        """The element as it stands in a page."""
        return tostring(self.root, encoding="unicode")


def titled(element: Element, words: str) -> None:
    """Give an element what a pointer over it shows."""
    SubElement(element, "title").text = words


def path(parent: Element, style: str, points: Iterable[Point], *, closed: bool = False) -> None:
    """A line through points, in a stretched part; closed, the area below it."""
    placed = [f"{number(x * SPAN / 100)} {number(SPAN - y * SPAN / 100)}" for x, y in points]
    if not placed:
        return
    line = "M" + "L".join(placed)
    if closed:
        first, last = placed[0].split()[0], placed[-1].split()[0]
        line += f"L{last} {SPAN}L{first} {SPAN}Z"
    SubElement(parent, "path", {"class": style, "d": line})


def stairs(points: Sequence[Point]) -> list[Point]:
    """A line that keeps a value until the next point."""
    line: list[Point] = []
    for x, y in points:
        if line:
            line.append((x, line[-1][1]))
        line.append((x, y))
    return line


def percent(value: float) -> str:
    """A percentage without needless digits."""
    return f"{number(value)}%"


def number(value: float) -> str:
    """A number without needless digits: a thousandth of a per cent of a screen can't be seen."""
    return f"{value:.3f}".rstrip("0").rstrip(".") or "0"
