"""Differences as Markdown, for a bot's comment on a pull request."""

from collections.abc import Iterator, Sequence

from flexlbf.cli.diffdata import LABELS, schedule_words, words_of
from flexlbf.planning.difference import Difference

SHOWN = 50
"""Of the objects that come or go so many are named."""

UNCHANGED = "The plan stays as it is."


def as_markdown(found: Sequence[Difference]) -> str:
    """A table for each policy that differs, and a line for those that do not."""
    lines = ["### What this changes of the backup plan", ""]
    changed = [each for each in found if each.change != "same"]
    for each in changed:
        lines += [*_policy(each), ""]
    same = [each.name for each in found if each.change == "same"]
    if not changed:
        lines += [UNCHANGED, ""]
    elif same:
        lines += [f"Unchanged: {', '.join(map(literal, same))}.", ""]
    return "\n".join(lines).rstrip()


def literal(text: str) -> str:
    """Text that is shown as it is: no name can mark up, link, mention or break a table's cell."""
    shown = (each if each.isalnum() or each in " /-" else f"&#{ord(each)};" for each in text)
    return f"<code>{''.join(shown)}</code>"


def _policy(each: Difference) -> Iterator[str]:
    told = "" if each.change == "changed" else f" ({each.change})"
    yield f"#### {literal(each.name)}{told}"
    yield ""
    if each.changed:
        yield "| | before | after |"
        yield "|---|---|---|"
        for name, (before, after) in each.changed.items():
            yield f"| {LABELS[name]} | {literal(words_of(before))} | {literal(words_of(after))} |"
        yield ""
    phrases = [*schedule_words(each)]
    if phrases:
        yield f"{'; '.join(phrases)}."
        yield ""
    for verb, names in (("added", each.starts.added), ("removed", each.starts.removed)):
        if names and each.change == "changed":
            yield from _folded(f"Objects {verb}", names)


def _folded(title: str, names: Sequence[str]) -> Iterator[str]:
    more = f", and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    yield f"<details><summary>{title} ({len(names):,})</summary>"
    yield ""
    yield f"{', '.join(map(literal, names[:SHOWN]))}{more}"
    yield ""
    yield "</details>"
