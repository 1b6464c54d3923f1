"""The documentation in a real browser, from files: light and dark, on a laptop and a phone, and its search.

Each look leaves a screenshot in `build/screenshots`, for people to judge.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from support.docsite import build_site

SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
SIZES = {"laptop": (1440, 900), "phone": (390, 844)}
LOOKED_AT = (
    "index.html",
    "quickstart.html",
    "concepts/drives-and-agents.html",
    "howto/read-the-status.html",
    "reference/api.html",
    "reference/cli.html",
    "evaluation.html",
    "troubleshooting.html",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    build_site(folder)
    return folder


class Reader:
    """Somebody who reads the site, and what the browser asked for and said meanwhile."""

    def __init__(self, browser: Browser, size: tuple[int, int], scheme: Literal["light", "dark"]) -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
        )
        self.page: Page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, path: Path) -> None:
        """Open a page and wait until all of it is there."""
        self.page.goto(path.as_uri())
        self.page.wait_for_load_state("networkidle")

    def found(self, script: str) -> Any:
        """What a script gives, run in the page by the browser's debugger."""
        return self.page.evaluate(script)


@pytest.fixture(params=[(size, scheme) for size in SIZES for scheme in ("light", "dark")], ids="-".join)
def reader(request: pytest.FixtureRequest, headless: Browser) -> Iterator[tuple[Reader, str]]:
    """A reader with each look, and what it is called."""
    size, scheme = request.param
    reading = Reader(headless, SIZES[size], scheme)
    yield reading, f"{size}-{scheme}"
    reading.context.close()


def test_pages_fit_and_ask_for_nothing_from_elsewhere(site: Path, reader: tuple[Reader, str]):
    """Not for a font, an icon or a script; nothing is complained of, and nothing sticks out."""
    reading, look = reader
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    for name in LOOKED_AT:
        reading.open(site / name)
        picture = f"docs-{name.removesuffix('.html').replace('/', '-')}-{look}.png"
        reading.page.screenshot(path=SCREENSHOTS / picture)
        width, room = reading.found("[document.documentElement.scrollWidth, innerWidth]")
        assert width <= room, f"{name} is {width} pixels wide on a {look} of {room}"
        broken = reading.found(
            "[...document.images].filter(each => !each.naturalWidth).map(each => each.src)"
        )
        assert broken == []
    assert [each for each in reading.asked if not each.startswith(("file:", "data:", "blob:"))] == []
    assert reading.said == []


def test_a_dark_page_has_dark_drawings(site: Path, headless: Browser):
    """Also when the reader chose dark for this site only."""
    reading = Reader(headless, SIZES["laptop"], "light")
    reading.open(site / "concepts/drives-and-agents.html")
    scheme = "getComputedStyle(document.querySelector('article img')).colorScheme"
    assert "dark" not in reading.found(scheme)
    reading.page.locator("label[for=__palette_1]").first.click()
    assert "dark" in reading.found(scheme)
    reading.context.close()


def test_the_search_finds_without_a_server(site: Path, headless: Browser):
    """From files, as somebody has them who built the site."""
    reading = Reader(headless, SIZES["laptop"], "light")
    reading.open(site / "index.html")
    reading.page.locator("input.md-search__input").click()
    reading.page.keyboard.type("NamespaceNotAllowed")
    found = reading.page.locator(".md-search-result__link")
    found.first.wait_for(timeout=60_000)
    assert any("troubleshooting.html" in str(each.get_attribute("href")) for each in found.all())
    assert [each for each in reading.asked if not each.startswith(("file:", "data:", "blob:"))] == []
    reading.context.close()
