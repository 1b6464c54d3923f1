"""The troubleshooting has an entry for each reason that a condition can have, and for no other."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import flexlbf
from flexlbf.api.v1alpha1 import ConditionType
from flexlbf.planning.findings import PoolReason, Reason
from support.docpages import DOCS, Page

SOURCES = Path(flexlbf.__file__).parent
REASONS = {*map(str, Reason), *map(str, PoolReason)}

_CODE = re.compile(r"`(\w+)`")


def sections() -> Iterator[tuple[str, list[str]]]:
    """The sections of the page that have a table of reasons, each with the reasons in order."""
    for section in Page(DOCS / "troubleshooting.md").text.split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        rows = re.findall(r"^\| (.*?) \|", text.partition("\n| Reason |")[2], re.MULTILINE)
        if rows:
            yield title, [reason for row in rows for reason in _CODE.findall(row)]


def entries() -> list[str]:
    """Every reason that has an entry."""
    return [reason for _, reasons in sections() for reason in reasons]


def test_every_reason_has_an_entry_and_every_entry_is_one():
    assert set(entries()) == REASONS


def test_no_reason_has_two():
    assert [reason for reason, times in Counter(entries()).items() if times > 1] == []


def test_every_condition_has_a_section():
    assert {title for title, _ in sections()} == set(map(str, ConditionType))


def test_no_condition_is_made_with_a_reason_of_another_kind():
    """All come from the two enumerations; a text in the call would escape these tests."""
    calls = [
        (path.name, call)
        for path in SOURCES.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Condition"
    ]
    assert len(calls) >= 3
    reasons = [
        (name, ast.unparse(keyword.value))
        for name, call in calls
        for keyword in call.keywords
        if keyword.arg == "reason"
    ]
    assert len(reasons) == len(calls)
    assert {source for _, source in reasons} == {"reason", "finding.reason"}
