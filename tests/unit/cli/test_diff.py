"""`flexlbf diff` tells what changed manifests change, to people, to programs and to a bot."""

import json
from pathlib import Path

import pytest

from flexlbf.cli.diffmarkdown import literal
from support.reports import HOSTILE
from support.resources import a_policy, a_pool, a_set
from unit.cli.manifestfiles import SET, site, written
from unit.cli.terminal import Ended, flexlbf


def compared(old: Path, new: Path, *options: object) -> Ended:
    """The new manifests against the old ones."""
    return flexlbf("diff", "-f", new, "--against", old, *options)


def test_without_a_difference_the_status_is_0(tmp_path: Path):
    """And it is said."""
    ended = compared(site(tmp_path / "old"), site(tmp_path / "new"))
    assert (ended.status, ended.out, ended.err) == (0, "1 policy unchanged: default/weekly.\n", "")


def test_with_a_difference_the_status_is_1_and_a_few_lines_say_it(tmp_path: Path):
    """Only what differs is shown."""
    new = site(tmp_path / "new", objects=SET.with_object("new", "4h", "10M"))
    ended = compared(site(tmp_path / "old"), new)
    assert ended.status == 1
    assert "BackupPolicy default/weekly" in ended.out
    lines = [line.split() for line in ended.out.splitlines()]
    assert ["duration", "2h", "4h"] in lines
    assert ["window", "3h,", "fits", "3h,", "overrun"] in lines
    assert "1 CronJob created" in ended.out
    assert "added: new" in ended.out
    assert "schedule" not in ended.out
    assert len(lines) < 15


def test_policies_that_were_not_touched_are_planned_anew(tmp_path: Path):
    """A pool that changes may change them."""
    pool = a_pool().with_drives(count=2, max_throughput="20M")
    ended = compared(site(tmp_path / "old"), site(tmp_path / "new", pool=pool), "-o", "json")
    assert ended.status == 1
    (found,) = json.loads(ended.out)
    assert found["policy"] == "default/weekly"
    assert found["change"] == "changed"
    assert found["before"]["drives"] == 1
    assert found["after"]["drives"] == 2


def test_programs_get_both_sides(tmp_path: Path):
    """Seconds, counts and names."""
    other = a_policy("other").setting(mode="Recommend")
    ended = compared(site(tmp_path / "old"), site(tmp_path / "new", policy=other), "-o", "json")
    gone, there = sorted(json.loads(ended.out), key=lambda each: str(each["change"]), reverse=True)
    assert (gone["change"], gone["policy"], gone["after"]) == ("removed", "default/weekly", None)
    assert (there["change"], there["policy"], there["before"]) == ("added", "default/other", None)
    assert there["after"]["duration"] == 7200
    assert there["after"]["runs"] == "Recommend"
    assert gone["before"]["window"] == {"seconds": 10800, "fits": True}
    assert gone["cronJobs"] == {"rewritten": 0, "created": 0, "deleted": 6}
    assert there["starts"]["added"][0] == "long"


def test_what_cannot_be_planned_is_an_error_with_its_reason(tmp_path: Path):
    """The difference is shown all the same."""
    broken = a_policy().backing_up("nowhere")
    ended = compared(site(tmp_path / "old"), site(tmp_path / "new", policy=broken))
    assert ended.status == 2
    assert "can't be planned" in ended.out
    assert "there is no BackupSet 'nowhere'" in ended.err
    mended = compared(site(tmp_path / "broken", policy=broken), site(tmp_path / "mended"))
    assert mended.status == 1
    as_before = compared(site(tmp_path / "one", policy=broken), site(tmp_path / "other", policy=broken))
    assert (as_before.status, as_before.err) == (0, "")


def test_what_cannot_be_read_is_an_error(tmp_path: Path):
    """On either side, on one line."""
    there = site(tmp_path / "there")
    assert "No such file" in compared(tmp_path / "missing", there).mistake()
    assert "No such file" in compared(there, tmp_path / "missing").mistake()


def test_markdown_has_a_table_for_each_policy_that_differs(tmp_path: Path):
    """And the objects that come and go, folded away."""
    new = site(tmp_path / "new", objects=SET.with_object("new", "4h", "10M").without_object("fs:/d0"))
    ended = compared(site(tmp_path / "old"), new, "-o", "markdown")
    assert ended.status == 1
    assert "#### <code>default/weekly</code>" in ended.out
    assert "| duration | <code>2h</code> | <code>4h</code> |" in ended.out
    assert "<details><summary>Objects added (1)</summary>\n\n<code>new</code>" in ended.out
    assert "<details><summary>Objects removed (1)</summary>\n\n<code>fs&#58;/d0</code>" in ended.out


def test_markdown_says_when_all_stays(tmp_path: Path):
    """In a sentence."""
    ended = compared(site(tmp_path / "old"), site(tmp_path / "new"), "-o", "markdown")
    assert (ended.status, ended.out.splitlines()[-1]) == (0, "The plan stays as it is.")


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_can_mark_up_a_comment(name: str, tmp_path: Path):
    """No tag, no link, no mention, no cell of a table."""
    shown = literal(name)
    inside = shown.removeprefix("<code>").removesuffix("</code>")
    assert not set(inside) & set("<>|@`*_[]()\"'{}~!\\.:")
    assert inside.count("#") == inside.count("&#")
    old = site(tmp_path / "old")
    new = site(tmp_path / "new", objects=SET.with_object(name, "4h", "10M"))
    assert shown in compared(old, new, "-o", "markdown").out


def test_sides_may_be_of_several_files(tmp_path: Path):
    """Each of them repeatable."""
    site(tmp_path / "old")
    more = written(
        tmp_path / "more.yaml",
        a_set("more").with_objects(2, "m:/d").build(),
        a_policy("m").backing_up("more").build(),
    )
    old, new = tmp_path / "old", site(tmp_path / "new")
    ended = flexlbf("diff", "-f", new, "-f", more, "--against", old, "-o", "json")
    assert [(each["policy"], each["change"]) for each in json.loads(ended.out)] == [
        ("default/m", "added"),
        ("default/weekly", "same"),
    ]
