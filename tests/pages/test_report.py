"""The report in a real browser: readable at 400 objects, on a laptop and on a phone, light and dark.

Each look leaves a screenshot in `build/screenshots`, for people to judge.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pages.looks import LAPTOP, LOOKS, Shown, name_of, opened


@pytest.fixture(scope="module", params=LOOKS, ids=name_of)
def shown(request: pytest.FixtureRequest, headless: Browser, page_file: Path) -> Iterator[Shown]:
    """The page in each look, opened once; no test depends on what another opened in it."""
    with opened(headless, page_file.as_uri(), request.param, "report") as there:
        yield there


@pytest.fixture
def laptop(headless: Browser, page_file: Path) -> Iterator[Shown]:
    """The page as a laptop shows it."""
    with opened(headless, page_file.as_uri(), (LAPTOP, "light"), "report") as there:
        yield there


def test_it_fits_the_screen(shown: Shown):
    """With every table open; tables that are wider scroll for themselves."""
    shown.assert_fits()


def test_it_asks_for_nothing_and_complains_of_nothing(shown: Shown):
    """Not for a font, an icon or a style; and nothing that an object is called ran."""
    shown.page.wait_for_load_state("networkidle")
    assert [each for each in shown.asked if not each.startswith("file:")] == []
    assert len(shown.asked) == 1
    assert shown.said == []


def test_all_text_can_be_read(shown: Shown):
    """Drawings keep the size of their text, however narrow they are."""
    shown.assert_readable()


def test_a_bar_bears_its_name_only_where_it_holds_it(shown: Shown):
    """On a phone fewer do."""
    labels = shown.found(
        """[...document.querySelectorAll('.bar text')].filter(each => each.checkVisibility())
        .map(each => [each.textContent, each.getBoundingClientRect().right,
                      each.parentElement.querySelector('rect').getBoundingClientRect().right])"""
    )
    assert len(labels) > (20 if shown.name.startswith("laptop") else 0)
    assert [name for name, text, bar in labels if text > bar] == []


def test_every_object_can_be_seen(shown: Shown):
    """Its bar is there, has a height, and lies within the drawing."""
    bars = shown.found(
        """[...document.querySelectorAll('.bar')].map(each => {
            const bar = each.getBoundingClientRect(), all = each.ownerSVGElement.getBoundingClientRect();
            return [bar.width, bar.height, bar.left >= all.left - 1 && bar.right <= all.right + 1];
        })"""
    )
    assert len(bars) == 407
    assert all(width > 0 and height >= 5 and inside for width, height, inside in bars)


def test_dark_pages_are_dark_and_light_ones_light(shown: Shown):
    """By what the system prefers."""
    shown.assert_of_its_scheme()


def test_a_screen_reader_finds_headings_pictures_and_tables(laptop: Shown):
    """By their roles and names, and in the tables the figures."""
    laptop.found("document.querySelectorAll('details').forEach(each => each.open = true)")
    tree = laptop.page.locator("body").aria_snapshot()
    for line in (
        'heading "Backup sessions" [level=1]',
        'heading "default/weekly" [level=2]',
        'heading "The session, by drives and time" [level=3]',
        'img "The session, by drives and time"',
        'img "All drives together: throughput and active agents over time"',
        'img "Session duration against drives"',
        'img "Session duration against agents a drive"',
        'table "Every object of the session"',
        'table "The longest objects"',
        'radio "throughput in MB/s" [checked]',
        'radio "set"',
        'columnheader "Restore reads"',
        'rowheader "<script>alert(1)</script>"',
        'group "Colour by"',
    ):
        assert line in tree


def test_colours_follow_the_choice(laptop: Shown):
    """By the set instead of by the rate, and the legend with them; by keyboard alone."""
    bar = "getComputedStyle(document.querySelector('.bar.k3 rect, rect.bar.k3')).fill"
    legends = "[0, 1].map(each => document.querySelector(`.legend-${each}`).checkVisibility())"
    before = laptop.found(bar)
    assert laptop.found(legends) == [True, False]
    laptop.page.locator(".by-0").focus()
    laptop.page.keyboard.press("ArrowRight")
    assert laptop.found(legends) == [False, True]
    assert laptop.found(bar) != before
