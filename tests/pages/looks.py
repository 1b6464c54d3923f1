"""A page in a real browser, in each of the looks that people have."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page

SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
LAPTOP, PHONE = (1440, 900), (390, 844)

SMALLEST_TEXT = 11
"""Pixels; smaller is read by nobody."""

Scheme = Literal["light", "dark"]
Look = tuple[tuple[int, int], Scheme]

SCHEMES: tuple[Scheme, ...] = ("light", "dark")
LOOKS: list[Look] = [(size, scheme) for size in (LAPTOP, PHONE) for scheme in SCHEMES]


def name_of(look: Look) -> str:
    """What a look is called."""
    size, scheme = look
    return f"{'laptop' if size == LAPTOP else 'phone'}-{scheme}"


@dataclass
class Shown:
    """A page that is open, and what it said and asked for meanwhile."""

    page: Page
    name: str
    said: list[str]
    asked: list[str]

    def found(self, script: str) -> Any:
        """What a script gives, run in the page by the browser's debugger."""
        return self.page.evaluate(script)

    def assert_fits(self) -> None:
        """With every table open it is no wider than the screen; wider tables scroll for themselves."""
        self.found("document.querySelectorAll('details').forEach(each => each.open = true)")
        width, room = self.found("[document.documentElement.scrollWidth, innerWidth]")
        assert width <= room
        outside = self.found(
            """[...document.querySelectorAll('body *:not(.scroll *):not(.stretched *)')]
            .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
            .map(each => each.outerHTML.slice(0, 100))"""
        )
        assert outside == []

    def assert_readable(self) -> None:
        """All text is large enough."""
        sizes = self.found(
            """[...document.querySelectorAll('body, body *')].filter(each => each.checkVisibility())
            .map(each => parseFloat(getComputedStyle(each).fontSize))"""
        )
        assert min(sizes) >= SMALLEST_TEXT

    def assert_of_its_scheme(self) -> None:
        """Dark pages are dark and light ones light, by what the system prefers."""
        red, green, blue = self.found(
            "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
        )
        dark = self.name.endswith("dark")
        assert (red + green + blue < 3 * 60) if dark else (red + green + blue > 3 * 200)


@contextmanager
def opened(headless: Browser, address: str, look: Look, screenshot: str) -> Iterator[Shown]:
    """Open a page in a look, and leave a screenshot of it in `build/screenshots`."""
    size, scheme = look
    context = headless.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    there = Shown(page, name_of(look), [], [])
    page.on("console", lambda message: there.said.append(message.text))
    page.on("pageerror", lambda error: there.said.append(str(error)))
    page.on("dialog", lambda dialog: there.said.append(dialog.message))
    page.on("request", lambda request: there.asked.append(request.url))
    page.goto(address)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{screenshot}-{there.name}.png", full_page=True)
    yield there
    context.close()
