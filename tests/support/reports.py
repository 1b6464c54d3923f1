"""Fleets to draw, pages of them, and what a parser makes of a page."""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from xml.etree.ElementTree import Element

import html5lib

from flexlbf.planning.offline import Fleet, PlannedPolicy
from flexlbf.report import policy_report, render
from flexlbf.report.lastsession import last_session
from support.resources import Policy, Pool, Raw, Set, a_class, a_policy, a_pool, a_set

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)

HOSTILE = (
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(2)'>",
    "</style></title></svg>",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt; & co",
    "a|b*c_d`e`[f](http://example.test)@all #1",
    "fs:/päivä/日本語",
)
"""Names that a set may give its objects, and that must be shown as they are."""


def a_fleet(*policies: Policy, sets: Sequence[Set] = (), pool: Pool | None = None) -> Fleet:
    """Policies with what they refer to, in the default namespace."""
    fleet = Fleet()
    resources: list[Raw] = [(pool or a_pool().with_drives(count=3)).build(), a_class().build()]
    resources += [each.build() for each in sets or (a_set().with_objects(12),)]
    resources += [each.build() for each in policies or (a_policy(),)]
    for each in resources:
        fleet.add(each)
    return fleet


def large_fleet(objects: int = 400, sets: int = 5) -> Fleet:
    """So many objects of sizes as they come, in several sets, on unlike drives, in too short a window."""
    chance = random.Random(7)
    made = []
    for number in range(sets):
        one = a_set(f"server{number}")
        for index in range(objects // sets):
            folder = chance.choice(("home", "data", "var", "db", "mail"))
            seconds = max(120, int(chance.lognormvariate(6.9, 1.1)))
            rate = max(1, int(chance.lognormvariate(2.6, 0.7)))
            one = one.with_object(f"srv{number}:/{folder}/volume{index}", f"{seconds}s", f"{rate}M")
        made.append(one)
    for name in HOSTILE:
        made[0] = made[0].with_object(name, "2h", "20M")
    pool = a_pool().with_drives("lto8", 3, max_throughput="160M").with_drives("lto6", 2, max_agents=8)
    names = [each.name for each in made]
    policy = a_policy().backing_up(*names).setting(window="5h", objective="WithinPercent", percent=10)
    return a_fleet(policy, sets=made, pool=pool)


def planned_of(fleet: Fleet) -> list[PlannedPolicy]:
    """The policies of a fleet, planned."""
    return [fleet.plan(policy, NOW) for policy in fleet.policies()]


def page_of(fleet: Fleet) -> str:
    """The page of a fleet."""
    reports = [
        policy_report(fleet.plan(policy, NOW), number, last_session(policy))
        for number, policy in enumerate(fleet.policies(), 1)
    ]
    return render(reports, NOW)


@cache
def large_page() -> str:
    """The page of the large fleet, drawn once."""
    return page_of(large_fleet())


def parsed(page: str) -> Element:
    """The page as a browser reads it; whatever is no HTML5 is an error."""
    parser = html5lib.HTMLParser(
        tree=html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False
    )
    root: Element = parser.parse(page)
    return root


SVG = "{http://www.w3.org/2000/svg}"


def elements(root: Element, tag: str) -> Iterator[Element]:
    """All elements of a name, those of drawings too."""
    for each in root.iter():
        if isinstance(each.tag, str) and each.tag.removeprefix(SVG) == tag:
            yield each


def text_of(element: Element) -> str:
    """The text in an element, blanks as one."""
    return " ".join("".join(element.itertext()).split())


def classes(element: Element) -> list[str]:
    """The classes of an element."""
    return (element.get("class") or "").split()


def by_id(root: Element, name: str) -> Element:
    """The one element of an id."""
    (found,) = [each for each in root.iter() if each.get("id") == name]
    return found


def rows_of(table: Element) -> list[list[str]]:
    """The body of a table."""
    (body,) = elements(table, "tbody")
    return [[text_of(cell) for cell in row] for row in elements(body, "tr")]
