"""A headless browser, and the page of a large policy as a file for it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser import NoBrowserError, chromium
from support.reports import large_page


@pytest.fixture(scope="module")
def headless() -> Iterator[Browser]:
    """A Chromium; where there is none the tests are left out, but never in CI.

    For a module and no longer: while it is there an event loop runs, and other tests start their own.
    """
    try:
        program = chromium()
    except NoBrowserError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"in CI no test may be left out: {error}")
        pytest.skip(str(error))
    # Root may not use Chromium's own sandbox. It reads nothing but the file that a test made.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=arguments)
        yield running
        running.close()


@pytest.fixture(scope="session")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of 400 objects and those with names that are no names."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(large_page(), encoding="utf-8")
    return path
