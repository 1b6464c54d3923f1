"""The page is one file of valid HTML that loads and runs nothing, whatever objects are called."""

import re
from itertools import pairwise
from xml.etree.ElementTree import Element

import pytest

from support.reports import (
    HOSTILE,
    a_fleet,
    by_id,
    classes,
    elements,
    large_fleet,
    large_page,
    page_of,
    parsed,
    planned_of,
    rows_of,
    text_of,
)
from support.resources import a_policy, a_set


@pytest.fixture(scope="module")
def page() -> Element:
    return parsed(large_page())


def test_every_object_has_a_bar_and_a_row(page: Element):
    """And each says what the schedule says of it."""
    (planned,) = planned_of(large_fleet())
    session = planned.examined.session
    assert session
    titles = [text_of(title).split(" ") for bar in _bars(page) for title in elements(bar, "title")]
    assert len(titles) == len(session.schedule) == 407
    table = next(elements(_figure(page, "policy-1-session"), "table"))
    rows = {row[0]: row for row in rows_of(table)}
    assert set(rows) == {" ".join(job.name.split()) for job in session.schedule.jobs}
    drives = [drive.name for drive in session.schedule.drives]
    for each in session.schedule:
        assert rows[each.job.name][1:3] == [_set_of(each.job.name), drives[each.drive]]


def test_bars_lie_where_the_schedule_has_them(page: Element):
    """From edge to edge of the drawing, which is the session: its window ended long before."""
    (planned,) = planned_of(large_fleet())
    session = planned.examined.session
    assert session
    whole = session.schedule.makespan
    wanted = sorted((each.start / whole, (each.end - each.start) / whole) for each in session.schedule)
    found = sorted((_percent(bar, "x"), _percent(bar, "width")) for bar in _bars(page))
    for one, other in zip(found, wanted, strict=True):
        assert one == pytest.approx(other, abs=1e-5)


def test_nothing_is_loaded_and_nothing_runs(page: Element):
    """No element that could, no address, no handler; and the page forbids it besides."""
    tags = {each.tag for each in page.iter() if isinstance(each.tag, str)}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "base", "image", "use", "form"}
    for each in page.iter():
        for name, value in each.attrib.items():
            assert not name.startswith("on")
            assert name not in {"src", "srcset", "style", "action"}
            assert name != "href" or value.startswith("#")
    (style,) = elements(page, "style")
    assert not re.search(r"url\(|@import|//", style.text or "")
    (policy,) = [
        each for each in elements(page, "meta") if each.get("http-equiv") == "Content-Security-Policy"
    ]
    assert "default-src 'none'" in (policy.get("content") or "")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_shown_as_it_is(page: Element, name: str):
    """Wherever it stands it is text."""
    shown = [text_of(each) for each in page.iter("th")]
    assert " ".join(name.split()) in shown
    titles = [text_of(title) for bar in _bars(page) for title in elements(bar, "title")]
    assert any(title.startswith(" ".join(name.split())) for title in titles)


def test_ids_are_unique_and_references_lead_somewhere():
    """With several policies on one page."""
    sets = [a_set().with_objects(5), a_set("other").with_objects(3, "other:/d")]
    fleet = a_fleet(a_policy("a"), a_policy("b").backing_up("other"), sets=sets)
    page = parsed(page_of(fleet))
    ids = [name for each in page.iter() if (name := each.get("id"))]
    assert len(ids) == len(set(ids))
    references = [
        name
        for each in page.iter()
        for attribute in ("aria-labelledby", "aria-describedby", "for")
        for name in (each.get(attribute) or "").split()
    ]
    references += [(each.get("href") or "").removeprefix("#") for each in page.iter("a")]
    assert references
    assert set(references) <= set(ids)


def test_every_drawing_has_a_title_a_description_and_a_table(page: Element):
    """For whoever can't see it."""
    drawings = [each for each in elements(page, "svg") if each.get("role") == "img"]
    assert len(drawings) == len([*elements(page, "figure")]) == 8
    for each in drawings:
        assert text_of(by_id(page, each.get("aria-labelledby") or ""))
        assert text_of(by_id(page, each.get("aria-describedby") or ""))
    for figure in elements(page, "figure"):
        (table,) = elements(figure, "table")
        assert rows_of(table)
        assert text_of(next(elements(table, "caption")))


def test_headings_go_down_one_level_at_a_time(page: Element):
    """One first heading, and none left out on the way down."""
    levels = [int(each.tag[1]) for each in page.iter() if re.fullmatch("h[1-6]", str(each.tag))]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_bars_can_be_coloured_by_set_where_there_are_several(page: Element):
    """By radio buttons, which need no script."""
    buttons = [each for each in page.iter("input") if each.get("type") == "radio"]
    assert [classes(each)[0] for each in buttons] == ["by-0", "by-1"]
    assert {"k0", "k1", "k2", "k3", "k4"} <= {name for bar in _bars(page) for name in classes(bar)}
    assert not [*parsed(page_of(a_fleet())).iter("input")]


def test_what_cannot_be_planned_says_why():
    """In its place among the others."""
    page = parsed(page_of(a_fleet(a_policy("fine"), a_policy("lost").backing_up("nowhere"))))
    assert "there is no BackupSet 'nowhere'" in text_of(by_id(page, "policy-2"))
    rows = rows_of(next(elements(page, "table")))
    assert [row[0] for row in rows] == ["default/fine", "default/lost"]
    assert "can't be planned" in rows[1]


def test_headlines_are_those_of_the_status(page: Element):
    """The page and the status say the same."""
    (planned,) = planned_of(large_fleet())
    best = planned.policy["status"]["recommendation"]
    shown = {
        text_of(term): text_of(value)
        for term, value in zip(elements(page, "dt"), elements(page, "dd"), strict=True)
    }
    assert shown["Drives"].startswith(f"{best['drives']} of 5")
    assert shown["Agents a drive"].startswith(f"{best['maxAgents']} at most")
    assert shown["Duration"].startswith(best["duration"])
    assert shown["Saved"].startswith(f"{best['comparedTo']['traditional']['savedPercent']} %")
    assert "overrun by" in shown["Window"]


def _figure(page: Element, name: str) -> Element:
    (found,) = [each for each in elements(page, "figure") if each.get("aria-labelledby") == f"{name}-heading"]
    return found


def _bars(page: Element) -> list[Element]:
    return [each for each in page.iter() if "bar" in classes(each)]


def _percent(bar: Element, name: str) -> float:
    return float((bar.get(name) or "").removesuffix("%")) / 100


def _set_of(name: str) -> str:
    return "server0" if name in HOSTILE else name.split(":", maxsplit=1)[0].replace("srv", "server")
