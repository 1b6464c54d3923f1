"""What drawings are made of: lanes, axes, colours, stairs."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.report.axes import HOUR, TimeAxis, clock
from flexlbf.report.lanes import drive_lanes
from flexlbf.report.palette import DARK, LIGHT, RateSteps, Theme
from flexlbf.report.svg import Drawing, stairs
from flexlbf.scheduling import Drive, FlexLBF, Job, Traditional, simulate
from support.strategies import examples, pools, workloads

LEAST_CONTRAST = 4.5
LEAST_CONTRAST_OF_LINES = 3


@examples(60)
@given(workloads(), pools(), st.sampled_from([FlexLBF(), Traditional(1)]))
def test_lanes_hold_every_stream_once_and_none_overlap(
    jobs: list[Job], drives: list[Drive], scheduler: FlexLBF | Traditional
):
    """In no more lanes than the drive has agents."""
    schedule = simulate(jobs, drives, scheduler)
    lanes = drive_lanes(schedule)
    assert [each.drive for each in lanes] == list(schedule.drives)
    for index, each in enumerate(lanes):
        assert len(each.lanes) <= each.drive.max_agents
        wanted = [stream for stream in schedule if stream.drive == index]
        assert sorted(map(repr, each.streams)) == sorted(map(repr, wanted))
        for lane in each.lanes:
            assert all(one.end <= other.start for one, other in pairwise(lane))


@given(st.integers(0, 10**18), st.integers(2, 12))
def test_an_axis_has_few_ticks_at_round_distances(end: int, most: int):
    """From nothing up to its end, and never beyond."""
    axis = TimeAxis.to(end, most)
    assert 1 <= len(axis.ticks) <= most
    assert axis.ticks[0] == 0
    assert axis.ticks[-1] <= axis.end
    assert len({after - before for before, after in pairwise(axis.ticks)}) <= 1


def test_times_read_as_people_write_them():
    """With nothing for the beginning."""
    axis = TimeAxis.to(7 * HOUR)
    assert [clock(each) for each in axis.ticks] == ["0", "2h", "4h", "6h"]
    assert axis.percent(axis.end) == 100


@given(st.lists(st.floats(0, 2000), min_size=1))
def test_faster_streams_never_get_a_slower_colour(rates: list[float]):
    """And the legend has a line for each colour in use."""
    steps = RateSteps.of(rates)
    used = [steps.step(rate) for rate in sorted(rates)]
    assert used == sorted(used)
    assert set(used) <= {step for step, _ in steps.legend()} <= set(range(len(LIGHT.steps)))


def test_the_legend_says_the_limits():
    """As numbers of two digits."""
    steps = RateSteps.of([float(rate) for rate in range(1, 101)])
    assert [words for _, words in steps.legend()] == [
        "under 21",
        "21 to 41",
        "41 to 61",
        "61 to 81",
        "81 and more",
    ]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_bars_can_be_told_from_what_is_behind_them(theme: Theme):
    """By WCAG's contrast for text, so that bars that bear labels and their labels have it too."""
    for ground in (theme.ground, theme.raised):
        for colour in (theme.ink, theme.soft, theme.accent, theme.limit, theme.good, theme.bad):
            assert contrast(colour, ground) >= LEAST_CONTRAST
        for colour in (*theme.steps, *theme.kinds):
            assert contrast(colour, ground) >= LEAST_CONTRAST_OF_LINES
    for colour in (*theme.steps, *theme.kinds):
        assert contrast(theme.label, colour) >= LEAST_CONTRAST


def test_a_line_keeps_its_value_until_the_next():
    """As what is asked of a drive does."""
    assert stairs([(0, 1), (2, 3), (5, 0)]) == [(0, 1), (2, 1), (2, 3), (5, 3), (5, 0)]


def test_a_drawing_escapes_what_it_is_given():
    """In its text and in its attributes."""
    drawing = Drawing("x", "<b>", "a & b", 10)
    drawing.text('"><script>', 0, 0, "</svg>")
    assert "<script>" not in str(drawing)
    assert str(drawing).count("</svg>") == 1
    assert "&lt;b&gt;" in str(drawing)
    assert "a &amp; b" in str(drawing)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, as WCAG 2 defines it."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
