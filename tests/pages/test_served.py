"""The served pages in a real browser: an overview, and a policy of 400 objects whose session runs.

Each look leaves a screenshot in `build/screenshots`, for people to judge.
"""

import time
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from pages.looks import LAPTOP, LOOKS, Shown, name_of, opened
from support.pagestage import PageStage, running_session
from support.reports import HOSTILE, NOW, large_fleet
from support.resources import a_policy

DRAWN_SECONDS = 120
LEAST_CONTRAST = 4.5
"""What WCAG AA asks of text."""

CONTRASTS = """
() => {
    const channel = value => value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
    const light = ([red, green, blue]) =>
        .2126 * channel(red / 255) + .7152 * channel(green / 255) + .0722 * channel(blue / 255);
    const ground = element => {
        for (let each = element; each; each = each.parentElement) {
            const colour = getComputedStyle(each).backgroundColor.match(/[\\d.]+/g).map(Number);
            if (colour.length < 4 || colour[3] > 0) return colour;
        }
        return [255, 255, 255];
    };
    const told = element => [...element.childNodes].some(each => each.nodeType === 3 && each.data.trim());
    return [...document.querySelectorAll('body *:not(svg *)')]
        .filter(each => each.checkVisibility() && told(each))
        .map(each => {
            const one = light(getComputedStyle(each).color.match(/[\\d.]+/g).map(Number));
            const other = light(ground(each));
            return [(Math.max(one, other) + .05) / (Math.min(one, other) + .05), each.outerHTML.slice(0, 80)];
        });
}
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Policies of which one has its session running, one can't be planned, and one is new."""
    stage = PageStage()
    fleet = large_fleet()
    stage.put_fleet(fleet)
    (weekly,) = fleet.policies()
    planned = fleet.plan(weekly, NOW).policy
    stage.put({**planned, "status": {**planned["status"], "session": running_session(407)}})
    for drive, obj in enumerate(("srv0:/home/volume2", "srv3:/data/volume41", HOSTILE[1])):
        stage.run(obj, f"lto8-{drive}", minutes=17 + 40 * drive)
    broken = a_policy("monthly").backing_up("server1", "gone").build("default")
    stage.put(fleet.plan(broken, NOW).policy)
    stage.put(a_policy("yearly").build("archive"))
    with stage.served() as where:
        _await_the_drawing(f"{where}/default/weekly")
        yield where


def _await_the_drawing(where: str) -> None:
    """Nobody's patience is tried here: what is looked at is the page once it is there."""
    deadline = time.monotonic() + DRAWN_SECONDS
    while urllib.request.urlopen(where).status != 200:  # noqa: S310 - our own
        assert time.monotonic() < deadline
        time.sleep(0.2)


@pytest.fixture(scope="module", params=LOOKS, ids=name_of)
def policy(request: pytest.FixtureRequest, headless: Browser, address: str) -> Iterator[Shown]:
    """The policy's page in each look."""
    where = f"{address}/default/weekly?refresh=off"
    with opened(headless, where, request.param, "served-policy") as there:
        yield there


@pytest.fixture(scope="module", params=LOOKS, ids=name_of)
def overview(request: pytest.FixtureRequest, headless: Browser, address: str) -> Iterator[Shown]:
    """The overview in each look."""
    with opened(headless, f"{address}?refresh=off", request.param, "served-overview") as there:
        yield there


@pytest.fixture(scope="module", params=[LOOKS[0], LOOKS[-1]], ids=name_of)
def broken(request: pytest.FixtureRequest, headless: Browser, address: str) -> Iterator[Shown]:
    """The page of a policy that can't be planned."""
    with opened(headless, f"{address}/default/monthly", request.param, "served-unplannable") as there:
        yield there


def _fits(shown: Shown) -> None:
    shown.assert_fits()
    shown.assert_readable()
    shown.assert_of_its_scheme()
    too_faint = [each for each in shown.found(CONTRASTS) if each[0] < LEAST_CONTRAST]
    assert too_faint == []
    assert len(shown.asked) == 1
    assert shown.said == []


def test_the_policys_page_fits_and_can_be_read(policy: Shown):
    """No wider than the screen, in contrasts that WCAG asks for, asking for nothing else."""
    _fits(policy)


def test_the_overview_fits_and_can_be_read(overview: Shown):
    """Likewise."""
    _fits(overview)


def test_the_page_of_what_cannot_be_planned_fits_and_can_be_read(broken: Shown):
    """Likewise."""
    _fits(broken)


def test_every_object_has_its_bar(policy: Shown):
    """Within the drawing, as in the report."""
    bars = policy.found(
        """[...document.querySelectorAll('.bar')].map(each => {
            const bar = each.getBoundingClientRect(), all = each.ownerSVGElement.getBoundingClientRect();
            return bar.width > 0 && bar.left >= all.left - 1 && bar.right <= all.right + 1;
        })"""
    )
    assert len(bars) == 407
    assert all(bars)


def test_a_screen_reader_finds_its_way_through_a_policy(headless: Browser, address: str):
    """Landmarks, headings, the session that runs, and what is running."""
    with opened(headless, f"{address}/default/weekly", (LAPTOP, "light"), "served-policy") as there:
        tree = there.page.locator("html").aria_snapshot()
    for line in (
        'link "Skip to the content"',
        "banner:",
        'navigation "Policies"',
        "main:",
        "contentinfo:",
        'heading "default/weekly" [level=1]',
        'heading "How it stands" [level=2]',
        'heading "The session that runs" [level=3]',
        'img "162 of 407 objects backed up, 1 failed, 1 left out, 3 running, 240 waiting, 4.52 TB written',
        'link "Let it stay as it is"',
        'table "Conditions of the policy"',
        'rowheader "WindowFit"',
        'columnheader "In words"',
        'table "3 objects being backed up now"',
        'rowheader "srv0:/home/volume2"',
        'heading "The plan" [level=2]',
        'img "The session, by drives and time"',
    ):
        assert line in tree


def test_a_screen_reader_finds_its_way_through_the_overview(overview: Shown):
    """A table for each namespace, on a phone too, where its rows are laid out as cards."""
    tree = overview.page.locator("html").aria_snapshot()
    for line in (
        'heading "Backup policies" [level=1]',
        'heading "archive" [level=2]',
        'table "Policies of default"',
        'columnheader "Window"',
        'rowheader "weekly"',
        'BackupSetNotFound"',
        'progressbar "Objects that need no more time"',
    ):
        assert line in tree


def test_links_lead_to_a_policy_and_back(headless: Browser, address: str):
    """By the names that people see."""
    with opened(headless, address, (LAPTOP, "light"), "served-overview") as there:
        there.page.get_by_role("link", name="monthly").click()
        assert there.page.get_by_role("heading", level=1).inner_text() == "default/monthly"
        there.page.get_by_role("link", name="default").click()
        assert there.page.get_by_role("heading", level=1).inner_text() == "Backup policies of default"
        there.page.get_by_role("link", name="All policies").click()
        assert there.page.get_by_role("heading", level=1).inner_text() == "Backup policies"


def test_the_keyboard_reaches_the_content_first(headless: Browser, address: str):
    """The first tab stop leads past what every page has."""
    with opened(headless, f"{address}/default/weekly", (LAPTOP, "light"), "served-policy") as there:
        there.page.keyboard.press("Tab")
        skip = there.page.locator(":focus")
        assert skip.inner_text() == "Skip to the content"
        assert skip.bounding_box()
        there.page.keyboard.press("Enter")
        assert there.page.url.endswith("#main")
