"""Drawings are well-formed, the same each time, small, and readable by everybody."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from flexlbf.evaluation.plot import (
    Axis,
    Chart,
    Limit,
    Panel,
    Series,
    from_zero,
    in_groups,
    round_ticks,
)
from flexlbf.evaluation.svg import DARK, LIGHT, number, render
from unit.evaluation.study import artefact

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = ("figure6", "figure7", "figure8", "figure9", "figure10")

STEPS = Chart(
    title="A <title> & more",
    description="What is seen.",
    x=Axis("minutes", 0, 100, ((0, "0"), (100, "100"))),
    panels=(Panel("MB/s", (Series("LBF", (((0, 40), (50, 80), (100, 0)),)),), 100, Limit("its rate", 80)),),
)
MARKS = Chart(
    title="Sets",
    description="",
    x=in_groups("sets", [("small", 2), ("large", 2)]),
    panels=(
        Panel(
            "%",
            (
                Series("one", (((0, 10), (1, 20)), ((2, 5), (3, 5))), steps=False),
                Series("two", (((2, 1), (3, 2)),), steps=False),
            ),
            30,
        ),
    ),
)


def drawn(chart: Chart | None) -> ET.Element:
    assert chart is not None
    return ET.fromstring(render(chart))  # noqa: S314 - our own


def paths(chart: Chart, look: str) -> list[str]:
    found = drawn(chart).iter(f"{SVG}path")
    return [each.attrib["d"] for each in found if look in each.attrib["class"].split()]


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_one_small_file_that_needs_no_other(name: str):
    chart = artefact(name).chart
    assert chart is not None
    text = render(chart)
    assert ET.fromstring(text).tag == f"{SVG}svg"  # noqa: S314 - our own
    assert len(text) < 25_000
    assert "href" not in text
    assert "url(" not in text


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_told_to_those_who_do_not_see_it(name: str):
    root = drawn(artefact(name).chart)
    told = [root.find(f"{SVG}{tag}") for tag in ("title", "desc")]
    assert all(each is not None and each.text for each in told)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"].split() == [each.attrib["id"] for each in told if each is not None]


@pytest.mark.parametrize("name", FIGURES)
def test_no_text_lies_outside(name: str):
    root = drawn(artefact(name).chart)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.attrib["x"]) <= width
        assert 10 <= float(text.attrib["y"]) <= height


def test_every_colour_has_a_dark_variant_on_a_dark_ground():
    light, dark = render(STEPS).split("@media (prefers-color-scheme: dark)")
    assert all(colour in light for colour in LIGHT)
    assert all(colour in dark for colour in DARK)
    assert ".ground" in dark


@pytest.mark.parametrize(("colours", "ground"), [(LIGHT, "#ffffff"), (DARK, "#14181d")])
def test_lines_stand_out_from_their_ground(colours: tuple[str, ...], ground: str):
    """By 4.5 to 1, as text has to."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for colour in colours:
        darker, brighter = sorted((luminance(colour), luminance(ground)))
        assert (brighter + 0.05) / (darker + 0.05) >= 4.5, colour


def test_the_same_chart_is_the_same_text():
    assert render(MARKS) == render(replace(MARKS))


def test_what_a_title_says_is_no_markup():
    title = drawn(STEPS).find(f"{SVG}title")
    assert title is not None
    assert title.text == "A <title> & more"


def test_a_load_holds_until_it_changes():
    [line] = paths(STEPS, "line")
    assert line == "M44 122H393V62H742V182"


def test_a_load_alone_is_filled_and_not_dashed():
    assert len(paths(STEPS, "area")) == 1
    assert not paths(STEPS, "d0")
    assert not paths(MARKS, "area")


def test_series_of_one_panel_differ_in_more_than_colour():
    first, second = (paths(MARKS, f"m{look}")[0] for look in (0, 1))
    assert "a4 4" in first
    assert "a4 4" not in second
    assert paths(MARKS, "d1")


def test_runs_are_not_joined():
    assert len(paths(MARKS, "s0")) == 2 + 1  # the legend has one, too


def test_the_legend_names_each_series_once_and_none_that_is_alone():
    assert MARKS.legend == ("one", "two")
    assert STEPS.legend == ()


def test_groups_are_named_in_their_middle_and_parted():
    assert MARKS.x.ticks == ((0.5, "small"), (2.5, "large"))
    assert MARKS.x.separators == (1.5,)


@pytest.mark.parametrize(
    ("high", "ticks"),
    [
        (100, (0, 20, 40, 60, 80, 100)),
        (11, (0, 2, 4, 6, 8, 10)),
        (0.5, (0, 0.1, 0.2, 0.3, 0.4, 0.5)),
        (16.7, (0, 5, 10, 15)),
    ],
)
def test_ticks_are_round(high: float, ticks: tuple[float, ...]):
    assert round_ticks(high) == pytest.approx(ticks)


def test_an_axis_from_zero_ends_where_it_is_told():
    axis = from_zero("minutes", 1_575)
    assert axis.high == 1_575
    assert axis.ticks[-1] == (1_400, "1,400")


@pytest.mark.parametrize(("value", "text"), [(1.0, "1"), (1.25, "1.2"), (-0.01, "0"), (10.06, "10.1")])
def test_pixels_are_short(value: float, text: str):
    assert number(value) == text
