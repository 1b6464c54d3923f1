"""The commands of pages that need no cluster do what the pages say; the integration tests run the others."""

from pathlib import Path

import pytest

from support.docpages import Page, matches, pages
from support.docrunner import Follower, without_log

OFFLINE = [page for page in pages() if page.commands() and not page.needs_cluster]


@pytest.mark.slow
@pytest.mark.parametrize("page", OFFLINE, ids=lambda page: page.name)
def test_a_page_can_be_followed(page: Page, tmp_path: Path):
    Follower(tmp_path).follow(page)


def test_what_is_not_run_says_why():
    reasons = [block.skipped for page in pages() for block in page.blocks() if block.skipped is not None]
    assert reasons
    assert all(len(each.split()) > 3 for each in reasons)


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a  b", "a b\n", True),
        ("a … d", "a b c d", True),
        ("a\n…\nd", "a\nb\nc\nd\n", True),
        ("a\n…\nd", "a\nd", True),
        ("a\n…", "a", True),
        ("a", "a\nb", False),
        ("a … d", "a b\nc d", False),
        ("a.c", "abc", False),
    ],
)
def test_an_ellipsis_stands_for_anything(expected: str, printed: str, same: bool):
    assert matches(expected, printed) is same


def test_what_kubectl_logs_is_not_what_it_printed():
    """Of a watch that it cut off itself, for one, some of the time; what else begins so is printed."""
    logged = (
        'I1122 00:11:31.238760    5938 reflector.go:664] "Warning: watch ended with error" err="canceled"\n'
    )
    printed = "policy/nightly condition met\nI1122 is no time\n"
    assert without_log(logged + printed + logged) == printed


def test_a_command_goes_on_after_a_backslash_and_ends_where_its_output_begins(tmp_path: Path):
    path = tmp_path / "page.md"
    path.write_text("A page.\n\n```console\n$ echo a \\\n    b\na b\n$ true\n```\n", encoding="utf-8")
    first, second = Page(path).commands()
    assert (first.line, first.text, first.expected) == (4, "echo a \\\n    b", "a b")
    assert (second.text, second.expected) == ("true", None)


def test_a_page_that_says_otherwise_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("support.docpages.ROOT", tmp_path)
    path = tmp_path / "page.md"
    for number, (shown, wrong) in enumerate(
        (("$ echo a\nb", "but the page shows"), ("$ false", "ended with 1"))
    ):
        path.write_text(f"```console\n{shown}\n```\n", encoding="utf-8")
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(AssertionError, match=wrong):
            Follower(folder).follow(Page(path))


@pytest.mark.parametrize(("command", "looks"), [("kubectl get jobs", 3), ("kubectl apply", 1)])
def test_who_only_looks_looks_again(
    command: str, looks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What another controller tells may come a moment later; what changes something is not done twice."""
    monkeypatch.setattr("support.docpages.ROOT", tmp_path)
    kubectl = tmp_path / "late"
    kubectl.write_text(
        "#!/bin/sh\necho look >> looks\n[ $(grep -c . looks) -ge 3 ] && echo Failed || echo Running\n"
    )
    kubectl.chmod(0o755)
    path = tmp_path / "page.md"
    path.write_text(f"```console\n$ {command}\nFailed\n```\n", encoding="utf-8")
    follower = Follower(tmp_path, programs={"kubectl": kubectl})
    if looks == 1:
        with pytest.raises(AssertionError, match="but the page shows"):
            follower.follow(Page(path))
    else:
        follower.follow(Page(path))
    assert len((tmp_path / "place" / "looks").read_text().splitlines()) == looks
