"""Draws charts as SVG: small, the same to the byte each time, readable on light and on dark pages.

Colours come from a style sheet with a dark variant, on a ground of the drawing's own; what a colour says is
said by a dash or a mark, too. Text stays text, in the reader's own sans-serif.
"""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from flexlbf.evaluation.plot import Chart, Panel, Point, Series, round_ticks

WIDTH, LEFT, RIGHT = 760, 44, 18
PLOT_HEIGHT, TITLE_HEIGHT, GAP = 150, 24, 28
LEGEND_HEIGHT, AXIS_HEIGHT, TOP = 28, 46, 8
LETTER = 7.0
"""Pixels of a letter, about: only legends need it."""

LIGHT = ("#1f6fc4", "#c2410c", "#0f7b5f", "#8040b0")
DARK = ("#6db3ff", "#ff9d66", "#4fd1a5", "#cfa3ff")
DASHES = ("none", "7 3", "2 3", "9 3 2 3")


def render(chart: Chart) -> str:
    """The drawing as the text of a file."""
    legend = LEGEND_HEIGHT if chart.legend else 0
    each = TITLE_HEIGHT + PLOT_HEIGHT + GAP
    height = TOP + legend + each * len(chart.panels) + AXIS_HEIGHT - GAP
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {height}",
            "width": str(WIDTH),
            "height": str(height),
            "role": "img",
            "aria-labelledby": "title description",
        },
    )
    SubElement(root, "title", id="title").text = chart.title
    SubElement(root, "desc", id="description").text = chart.description
    SubElement(root, "style").text = style_sheet()
    SubElement(root, "rect", {"class": "ground", "width": "100%", "height": "100%"})
    _draw_legend(root, chart)
    for i, panel in enumerate(chart.panels):
        _Plot(root, chart, panel, TOP + legend + each * i + TITLE_HEIGHT).draw()
    _text(root, (LEFT + WIDTH - RIGHT) / 2, height - 10, chart.x.title, "note middle")
    indent(root, " ")
    return tostring(root, encoding="unicode") + "\n"


def style_sheet() -> str:
    """Colours for light and dark pages."""
    light = _colours("#ffffff", "#1c2024", "#5b6470", "#dfe3e8", LIGHT)
    dark = _colours("#14181d", "#e9edf2", "#a4aeba", "#343b44", DARK)
    dashes = " ".join(f".d{i} {{stroke-dasharray: {dash}}}" for i, dash in enumerate(DASHES) if i)
    return (
        "text {font: 12px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif} .title {font-weight: 600} "
        ".middle {text-anchor: middle} .end {text-anchor: end} "
        ".line {fill: none; stroke-width: 1.6; stroke-linejoin: round} "
        ".mark {stroke-width: 1.6} .area {stroke: none; opacity: .16} "
        ".grid {fill: none; stroke-width: 1} .limit {fill: none; stroke-width: 1; stroke-dasharray: 4 3} "
        f"{dashes} {light} @media (prefers-color-scheme: dark) {{{dark}}}"
    )


def _colours(ground: str, ink: str, note: str, grid: str, series: tuple[str, ...]) -> str:
    lines = " ".join(
        f".s{i} {{stroke: {colour}}} .f{i} {{fill: {colour}}} .m{i} {{stroke: {colour}}}"
        for i, colour in enumerate(series)
    )
    return (
        f".ground, .hollow {{fill: {ground}}} text {{fill: {ink}}} .note {{fill: {note}}} "
        f".grid {{stroke: {grid}}} .limit {{stroke: {note}}} {lines}"
    )


class _Plot:
    """One panel with its top edge at a height."""

    def __init__(self, root: Element, chart: Chart, panel: Panel, top: float) -> None:
        self._group = SubElement(root, "g")
        self._x, self._panel = chart.x, panel
        self._labels = chart.legend or tuple(series.label for series in panel.series)
        self._top, self._bottom = top, top + PLOT_HEIGHT

    def draw(self) -> None:
        """Everything, what lies behind first."""
        _text(self._group, LEFT, self._top - 9, self._panel.title, "title")
        self._grid()
        self._limit()
        for series in self._panel.series:
            self._series(series)

    def _at(self, point: Point) -> tuple[str, str]:
        x, y = point
        across = (x - self._x.low) / (self._x.high - self._x.low)
        return (
            number(LEFT + across * (WIDTH - LEFT - RIGHT)),
            number(self._bottom - y / self._panel.y_max * PLOT_HEIGHT),
        )

    def _grid(self) -> None:
        lines = []
        for tick in round_ticks(self._panel.y_max, 5):
            _, y = self._at((0, tick))
            lines.append(f"M{LEFT} {y}H{WIDTH - RIGHT}")
            _text(self._group, LEFT - 7, float(y) + 4, f"{tick:,g}", "note end")
        for position in self._x.separators:
            x, _ = self._at((position, 0))
            lines.append(f"M{x} {number(self._top)}V{number(self._bottom)}")
        SubElement(self._group, "path", {"class": "grid", "d": "".join(lines)})
        for position, label in self._x.ticks:
            x, _ = self._at((position, 0))
            _text(self._group, float(x), self._bottom + 16, label, "note middle")

    def _limit(self) -> None:
        if self._panel.limit is None:
            return
        _, y = self._at((0, self._panel.limit.value))
        SubElement(self._group, "path", {"class": "limit", "d": f"M{LEFT} {y}H{WIDTH - RIGHT}"})
        _text(self._group, WIDTH - RIGHT, float(y) - 4, self._panel.limit.label, "note end")

    def _series(self, series: Series) -> None:
        look = self._labels.index(series.label) % len(LIGHT)
        alone = len(self._panel.series) == 1
        for run in series.runs:
            path = self._steps(run) if series.steps else self._joined(run)
            if series.steps and alone:
                first, last = (self._at((run[i][0], 0)) for i in (0, -1))
                area = f"M{' '.join(first)}L{path[1:]}L{' '.join(last)}Z"
                SubElement(self._group, "path", {"class": f"area f{look}", "d": area})
            dash = "" if alone else f" d{look}"
            SubElement(self._group, "path", {"class": f"line s{look}{dash}", "d": path})
            if not series.steps:
                for x, y in map(self._at, run):
                    _mark(self._group, look, float(x), float(y))

    def _steps(self, run: tuple[Point, ...]) -> str:
        points = [self._at(point) for point in run]
        return f"M{' '.join(points[0])}" + "".join(f"H{x}V{y}" for x, y in points[1:])

    def _joined(self, run: tuple[Point, ...]) -> str:
        return "M" + "L".join(" ".join(self._at(point)) for point in run)


def _draw_legend(root: Element, chart: Chart) -> None:
    steps = any(series.steps for panel in chart.panels for series in panel.series)
    x = float(LEFT)
    for look, label in enumerate(chart.legend):
        SubElement(root, "path", {"class": f"line s{look} d{look}", "d": f"M{number(x)} {TOP + 10}h28"})
        if not steps:
            _mark(root, look, x + 14, TOP + 10)
        _text(root, x + 34, TOP + 14, label, "")
        x += 34 + LETTER * len(label) + 18


def _mark(parent: Element, look: int, x: float, y: float) -> None:
    """A circle, square, diamond or triangle, hollow so that those behind are seen."""
    shapes = (
        f"M{number(x - 4)} {number(y)}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
        f"M{number(x - 3.5)} {number(y - 3.5)}h7v7h-7z",
        f"M{number(x)} {number(y - 5)}l5 5l-5 5l-5 -5z",
        f"M{number(x)} {number(y - 4.5)}l4.5 8h-9z",
    )
    SubElement(parent, "path", {"class": f"mark hollow m{look}", "d": shapes[look]})


def _text(parent: Element, x: float, y: float, text: str, look: str) -> None:
    place = {"x": number(x), "y": number(y)}
    SubElement(parent, "text", {"class": look, **place} if look else place).text = text


def number(value: float) -> str:
    """Pixels to a tenth, without needless zeros."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
