"""Differences for people at a terminal."""

from collections.abc import Sequence

from rich.text import Text

from flexlbf.cli.diffdata import LABELS, schedule_words, words_of
from flexlbf.cli.page import Page, table
from flexlbf.planning.difference import Difference
from flexlbf.planning.wording import count_of, listed


def show_differences(found: Sequence[Difference]) -> None:
    """Print what differs, policy by policy, and then which policies stay as they are."""
    page = Page()
    for each in found:
        if each.change != "same":
            _show(page, each)
    same = [each.name for each in found if each.change == "same"]
    if same:
        page.paragraph(
            f"{count_of(len(same), 'policy').replace('policys', 'policies')} unchanged: {listed(same)}."
        )
    if not found:
        page.paragraph("There are no policies on either side.")
    page.show()


def _show(page: Page, each: Difference) -> None:
    told = "" if each.change == "changed" else f": {each.change}"
    page.heading(f"BackupPolicy {each.name}{told}")
    if each.changed:
        shown = table("<", "<before", "<after")
        for name, (before, after) in each.changed.items():
            shown.add_row(f"  {LABELS[name]}", Text(words_of(before)), Text(words_of(after)))
        page.table(shown)
    phrases = [*schedule_words(each)]
    if phrases:
        page.paragraph(f"  {'; '.join(phrases)}.")
    for verb, names in (("added", each.starts.added), ("removed", each.starts.removed)):
        if names and each.change == "changed":
            page.paragraph(f"  {verb}: {listed([*names])}")
    page.paragraph("")
