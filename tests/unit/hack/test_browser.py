"""Which browser the tests of pages use."""

import pytest

import browser


def test_the_environment_names_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is installed."""
    monkeypatch.setenv("FLEXLBF_CHROMIUM", "/opt/a-browser")
    assert browser.chromium() == "/opt/a-browser"


def test_without_one_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is on an empty path."""
    monkeypatch.delenv("FLEXLBF_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(browser.NoBrowserError, match="apt-get install chromium"):
        browser.chromium()
