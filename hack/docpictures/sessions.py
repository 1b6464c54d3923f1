"""Sessions by drives and time: the report's drawing, with its colours in it, as a file that stands alone."""

from xml.etree.ElementTree import Element, SubElement, fromstring, indent, tostring

from docpictures.workload import Workload
from flexlbf.planning.wording import duration
from flexlbf.report.axes import TimeAxis
from flexlbf.report.gantt import Gantt, Look
from flexlbf.report.lanes import drive_lanes
from flexlbf.report.palette import DARK, LIGHT, RateSteps, Theme
from flexlbf.scheduling import Schedule

WIDTH, MARGIN, LEGEND_HEIGHT = 760, 12, 24
KEY, LETTER = 12, 6.6
"""Pixels of a legend's square, and of a letter of its words, about."""


def arbitrary_order(workload: Workload) -> str:
    """How a product without history runs a session."""
    return _drawn(
        workload,
        workload.arbitrary,
        "A session in arbitrary order with four agents",
        f"The two longest objects start late, and the session takes {_takes(workload.arbitrary)}.",
    )


def longest_first(workload: Workload) -> str:
    """The same under FlexLBF, on the same axis."""
    most = len(drive_lanes(workload.flexlbf)[0].lanes)
    return _drawn(
        workload,
        workload.flexlbf,
        "The same session under FlexLBF",
        f"The longest objects start first, up to {most} at a time; it takes {_takes(workload.flexlbf)}.",
    )


def _takes(schedule: Schedule) -> str:
    return duration(schedule.makespan)


def _drawn(workload: Workload, schedule: Schedule, title: str, description: str) -> str:
    steps = RateSteps.of([job.throughput_mbps for job in workload.jobs])
    looks = {
        each.job.name: Look(f"t{steps.step(each.job.throughput_mbps)}", each.job.name) for each in schedule
    }
    axis = TimeAxis.to(workload.arbitrary.makespan)
    gantt = Gantt("session", title, description, drive_lanes(schedule), axis, looks, None)
    return _alone(fromstring(gantt.draw()), steps)  # noqa: S314 - what we have just written ourselves


def _alone(drawing: Element, steps: RateSteps) -> str:
    """A part of a page as a file: with a size, a ground, its style and its legend."""
    height = float(drawing.attrib["height"])
    whole = height + LEGEND_HEIGHT + 2 * MARGIN
    size = {"width": str(WIDTH), "height": f"{whole:g}", "viewBox": f"0 0 {WIDTH} {whole:g}"}
    labels = {key: drawing.attrib.pop(key) for key in ("role", "aria-labelledby", "aria-describedby")}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, **labels})
    for each in [each for each in drawing if each.tag in {"title", "desc"}]:
        drawing.remove(each)
        root.append(each)
    SubElement(root, "style").text = _style()
    SubElement(root, "rect", {"class": "ground", "width": "100%", "height": "100%"})
    _legend(root, steps)
    inner = {"x": str(MARGIN), "y": str(MARGIN + LEGEND_HEIGHT), "width": str(WIDTH - 2 * MARGIN)}
    drawing.attrib.update(inner)
    root.append(drawing)
    indent(root, " ")
    return tostring(root, encoding="unicode") + "\n"


def _legend(root: Element, steps: RateSteps) -> None:
    x, y = float(MARGIN), MARGIN + KEY - 2
    for step, words in [(None, "MB/s of a stream:"), *steps.legend()]:
        if step is not None:
            box = {"x": f"{x:g}", "y": str(MARGIN - 1), "width": str(KEY), "height": str(KEY)}
            SubElement(root, "rect", {"class": f"t{step}", **box})
            x += KEY + 5
        SubElement(root, "text", {"x": f"{x:g}", "y": str(y)}).text = words
        x = round(x + LETTER * len(words) + 12)


def _style() -> str:
    """The report's rules for such drawings; names are shown on bars that hold them at this width."""
    rules = (
        "text {font: 12px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif} .wide {display: none}",
        ".bar text {font-size: 11px} .lane-heading {font-weight: 600}",
        ".middle {text-anchor: middle} .end {text-anchor: end}",
        ".halo {paint-order: stroke; stroke-width: 4px}",
    )
    dark = f"@media (prefers-color-scheme: dark) {{{_colours(DARK)}}}"
    return " ".join((*rules, _colours(LIGHT), dark))


def _colours(theme: Theme) -> str:
    steps = " ".join(f".t{index} {{fill: {colour}}}" for index, colour in enumerate(theme.steps))
    return (
        f".ground {{fill: {theme.ground}}} text {{fill: {theme.ink}}} .tick {{fill: {theme.soft}}} "
        f".grid {{stroke: {theme.line}}} .lanes {{fill: {theme.raised}}} .halo {{stroke: {theme.ground}}} "
        f"{steps} .bar text {{fill: {theme.label}}}"
    )
