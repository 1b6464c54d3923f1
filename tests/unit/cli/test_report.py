"""`flexlbf report` writes one page."""

from pathlib import Path

from support.reports import HOSTILE, parsed, text_of
from support.resources import a_policy
from unit.cli.manifestfiles import SET, site, written
from unit.cli.terminal import flexlbf


def test_a_page_is_written_where_it_is_wanted(tmp_path: Path):
    """With folders above it, and the policy in it."""
    page = tmp_path / "made" / "page.html"
    ended = flexlbf("report", "-f", site(tmp_path / "site"), "-o", page)
    assert (ended.status, ended.out) == (0, f"wrote {page}\n")
    assert "default/weekly" in text_of(parsed(page.read_text(encoding="utf-8")))


def test_a_policy_can_be_chosen(tmp_path: Path):
    """Of several in the files."""
    folder, page = site(tmp_path / "site"), tmp_path / "page.html"
    written(folder / "other.yaml", a_policy("other").build())
    assert flexlbf("report", "other", "-f", folder, "-o", page).status == 0
    shown = text_of(parsed(page.read_text(encoding="utf-8")))
    assert "default/other" in shown
    assert "default/weekly" not in shown


def test_a_policy_that_cannot_be_planned_is_on_the_page_and_an_error(tmp_path: Path):
    """For pipelines."""
    page = tmp_path / "page.html"
    folder = site(tmp_path / "site", policy=a_policy().backing_up("nowhere"))
    ended = flexlbf("report", "-f", folder, "-o", page)
    assert ended.status == 2
    assert "there is no BackupSet 'nowhere'" in ended.err
    assert "there is no BackupSet 'nowhere'" in text_of(parsed(page.read_text(encoding="utf-8")))


def test_any_name_that_a_set_allows_gives_a_page(tmp_path: Path):
    """From a file as from the API."""
    objects, page = SET, tmp_path / "page.html"
    for name in HOSTILE:
        objects = objects.with_object(name)
    assert flexlbf("report", "-f", site(tmp_path / "site", objects=objects), "-o", page).status == 0
    shown = text_of(parsed(page.read_text(encoding="utf-8")))
    assert all(" ".join(name.split()) in shown for name in HOSTILE)


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path):
    """With what to name instead."""
    (tmp_path / "file").write_text("")
    ended = flexlbf("report", "-f", site(tmp_path / "site"), "-o", tmp_path / "file" / "page.html")
    assert ended.status == 2
    assert "name a folder that can be written to" in ended.err
