"""`flexlbf explain` says in words why, and what would help."""

from pathlib import Path

from support.resources import a_policy
from unit.cli.manifestfiles import site, written
from unit.cli.terminal import flexlbf


def test_it_says_why_and_what_would_change_it(tmp_path: Path):
    """In lines that are no longer than a pipe's page."""
    ended = flexlbf("explain", "weekly", "-f", site(tmp_path / "site"))
    assert ended.status == 0
    text = " ".join(ended.out.split())
    assert text.startswith("BackupPolicy default/weekly - What is wanted is the fastest session")
    assert "No session with these settings is shorter than 2h, for long alone takes that long" in text
    assert "What would change it - Splitting long, the longest object (2h), in two equal parts would" in text
    assert max(map(len, ended.out.splitlines())) <= 80


def test_programs_get_the_figures(tmp_path: Path):
    """By policy."""
    data = flexlbf("explain", "-f", site(tmp_path / "site"), "-o", "json").data()
    found = data["default/weekly"]
    assert (found["drives"], found["makespan_s"]) == (1, 7200)
    assert {each["topic"] for each in found["reasons"]} >= {"objective", "drives", "agents", "bound"}
    split = next(each for each in found["helps"] if each["change"] == "split")
    assert split["saves_s"] == found["makespan_s"] - split["makespan_s"]
    assert split["fits"] is True


def test_policies_are_named_with_or_without_their_namespace(tmp_path: Path):
    """And only those are explained."""
    folder = site(tmp_path / "site")
    written(folder / "other.yaml", a_policy("other").build())
    for name in ("other", "default/other"):
        assert [*flexlbf("explain", name, "-f", folder, "-o", "json").data()] == ["default/other"]


def test_a_name_that_is_not_there_is_told_with_those_that_are(tmp_path: Path):
    """On one line."""
    told = flexlbf("explain", "wekly", "-f", site(tmp_path / "site")).mistake()
    assert told == "Error: there is no BackupPolicy default/wekly: name one of default/weekly"


def test_what_cannot_be_planned_is_told_after_the_others(tmp_path: Path):
    """With status 2."""
    folder = site(tmp_path / "site")
    written(folder / "other.yaml", a_policy("other").backing_up("nowhere").build())
    ended = flexlbf("explain", "-f", folder)
    assert ended.status == 2
    assert "BackupPolicy default/weekly" in ended.out
    assert "BackupPolicy default/other: there is no BackupSet 'nowhere'" in ended.err
