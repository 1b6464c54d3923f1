"""What served pages say of a policy: its conditions, its session, what runs, and nothing that could run."""

import base64
import hashlib
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from flexlbf.report.engine import content_security_policy
from flexlbf.report.overview import overview
from flexlbf.report.served import draw, message_page, overview_page, policy_page
from flexlbf.report.standing import OpenStream, Standing, standing_of
from support.pagestage import running_session
from support.reports import HOSTILE, NOW, a_fleet, elements, page_of, parsed, planned_of, rows_of, text_of
from support.resources import Raw, a_class, a_policy, a_set

HOUR = timedelta(hours=1)


def a_planned_policy(session: Mapping[str, Any] | None = None, **spec: Any) -> Raw:
    """A policy with the status that planning gives it, and that of a session."""
    (planned,) = planned_of(a_fleet(a_policy().setting(**spec)))
    status = {**planned.policy["status"], **({"session": session} if session else {})}
    return {**planned.policy, "status": status}


def standing(policy: Raw, *streams: OpenStream, window_end: Any = None) -> Standing:
    return standing_of(policy, streams, window_end, NOW)


def page(of: Standing, refresh: int | None = None) -> Element:
    return parsed(policy_page(of, None, current=False, refresh=refresh))


def assert_harmless(root: Element) -> None:
    """Nothing on the page could run or load anything."""
    tags = {each.tag for each in root.iter() if isinstance(each.tag, str)}
    assert not tags & {"script", "img", "iframe", "object", "embed", "base", "form", "link"}
    for each in root.iter():
        assert not [name for name in each.attrib if name.startswith("on") or name in {"style", "src"}]
        target = each.get("href") or "#"
        assert not re.match(r"\w+:|//", target), target


def test_conditions_that_say_nothing_are_left_out():
    shown = {each.kind: each for each in standing(a_planned_policy(window="1h")).verdicts}
    assert set(shown) == {"Ready", "WindowFit", "Drifted"}
    assert (shown["Ready"].verdict, shown["WindowFit"].verdict, shown["Drifted"].verdict) == (
        "good",
        "good",
        "",
    )


def test_what_stalls_a_policy_comes_first():
    """With its reason and the words of the condition."""
    shown = standing(a_planned_policy(backupSets={"names": ["gone"]})).verdicts
    assert [each.kind for each in shown] == ["Stalled", "Ready", "WindowFit"]
    assert (shown[0].reason, shown[0].verdict) == ("BackupSetNotFound", "bad")
    assert "create it" in shown[0].message


def test_a_session_that_runs_says_where_it_is():
    session = standing(a_planned_policy(running_session(100)), window_end=NOW + 4 * HOUR).progress
    assert session
    assert session.running
    assert [(each.kind, each.width) for each in session.bar] == [
        ("done", 40),
        ("failed", 2),
        ("running", 3),
        ("waiting", 55),
    ]
    assert sum(each.width for each in session.bar) == pytest.approx(100)
    figures = {each.label: (each.value, each.verdict) for each in session.headlines}
    assert figures == {
        "Backed up": ("40 of 100", ""),
        "Running": ("3", ""),
        "Waiting": ("55", ""),
        "Failed or left out": ("2", "bad"),
        "Expected end": ("in 3h10m", "good"),
    }
    assert "it needs 42 MB/s" in (session.waiting or "")


@pytest.mark.parametrize(
    ("changes", "window_end", "value", "verdict", "note"),
    [
        ({}, NOW + 3 * HOUR, "in 3h10m", "bad", "10m after its window ends"),
        ({}, None, "in 3h10m", "", "began 2026-01-05 10:00 UTC"),
        ({"expectedEnd": "2026-01-05T11:59:00Z"}, None, "any moment", "", "began"),
        ({"expectedEnd": None}, NOW, "not known yet", "", "began"),
        ({"expectedEnd": "soon"}, NOW, "not known yet", "", "began"),
    ],
    ids=["overruns", "without-window", "overdue", "unknown", "no-time"],
)
def test_the_expected_end_is_held_against_the_window(
    changes: Raw, window_end: Any, value: str, verdict: str, note: str
):
    policy = a_planned_policy({**running_session(100), **changes})
    session = standing(policy, window_end=window_end).progress
    assert session
    shown = session.headlines[-1]
    assert (shown.label, shown.value, shown.verdict) == ("Expected end", value, verdict)
    assert note in shown.note


def test_a_session_that_is_over_needs_no_other_look():
    over = {**running_session(10), "state": "Failed", "ended": "2026-01-05T11:30:00Z", "waiting": None}
    shown = standing(a_planned_policy(over))
    assert not shown.running
    text = text_of(page(shown))
    assert "The last session of the operator" in text
    assert "failed after 1h30m" in text
    assert "1 object failed: srv0:/db/volume3" in text


def test_what_runs_is_named_with_its_drive():
    """Also with nothing of it in the status, as of a session that Kubernetes runs by the plan."""
    streams = [
        OpenStream("fs:/b", "lto-1", 12.5, NOW - HOUR, 2),
        OpenStream("fs:/a", "lto-0", 80.0, None, 1),
    ]
    shown = standing(a_planned_policy(), *streams)
    assert shown.running
    (table,) = [each for each in elements(page(shown), "table") if "backed up now" in text_of(each)]
    assert rows_of(table) == [
        ["fs:/a", "lto-0", "80.0", "starts", "first"],
        ["fs:/b", "lto-1", "12.5", "1h", "2"],
    ]


def test_a_policy_without_a_status_says_so():
    bare = a_policy().build("default")
    assert "has not looked at this policy yet" in text_of(page(standing(bare)))
    assert "none yet" in text_of(parsed(overview_page(overview([bare], NOW), None, refresh=None)))


def test_a_suspended_policy_says_so():
    assert standing(a_planned_policy(suspend=True)).schedule.endswith("suspended: no session begins")


def test_the_overview_has_a_row_for_each_policy_by_namespace():
    policies = [
        a_planned_policy(running_session(100), window="1m"),
        a_policy("a").build("zoo"),
        a_policy("b").build("archive"),
        {
            **a_policy("c").build("archive"),
            "status": {"lastSession": {"objects": 1200, "duration": "3h", "forecast": "2h50m"}},
        },
    ]
    groups = overview(policies, NOW)
    assert [(group.namespace, [row.name for row in group.rows]) for group in groups] == [
        ("archive", ["b", "c"]),
        ("default", ["weekly"]),
        ("zoo", ["a"]),
    ]
    root = parsed(overview_page(groups, None, refresh=30))
    tables = [rows_of(each) for each in elements(root, "table")]
    name, ready, _drives, _agents, _duration, window, session, following = tables[1][0]
    assert (name, ready, window, following) == ("weekly", "Planned", "Overruns", "2026-01-10 22:00 UTC")
    assert session.startswith("40 of 100 objects backed up")
    assert tables[0][1][6] == "1,200 objects in 3h, forecast 2h50m"
    assert [each.get("href") for each in elements(root, "a")][-1] == "policies/zoo/a"


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_things_are_called_it_is_text(name: str):
    """Policies, sessions, objects, drives, messages and reasons alike."""
    condition = {"type": name, "status": "True", "reason": name, "message": name}
    session = {**running_session(10), "name": name, "failedObjects": [name], "waiting": {"head": name}}
    status = {"conditions": [condition, {**condition, "type": "Ready"}], "session": session}
    policy = {**a_policy(name).build(name), "status": status}
    shown = standing(policy, OpenStream(name, name, 1.0, NOW, 1))
    for root in (
        page(shown),
        parsed(overview_page(overview([policy], NOW), None, refresh=None)),
        parsed(overview_page(overview([policy], NOW), name, refresh=None)),
        parsed(message_page(name, name, "policies")),
    ):
        assert_harmless(root)
        assert " ".join(name.split()) in text_of(root)


def test_a_page_loads_itself_again_only_when_told_to():
    """And says so, with a way to have it stay."""
    shown = standing(a_planned_policy(running_session(10)))
    refreshed = page(shown, refresh=30)
    assert [
        each.get("content") for each in elements(refreshed, "meta") if each.get("http-equiv") == "refresh"
    ] == ["30"]
    assert "?refresh=off" in [each.get("href") for each in elements(refreshed, "a")]
    still = page(shown)
    assert not [each for each in elements(still, "meta") if each.get("http-equiv") == "refresh"]
    assert "?refresh=off" not in [each.get("href") for each in elements(still, "a")]


def test_the_plan_is_drawn_as_the_report_draws_it():
    """The same headings, drawings and tables; nothing of the class's pods."""
    fleet = a_fleet()
    key = ("BackupClass", "", "directories")
    secret = a_class().with_container(env=[{"name": "PASSWORD", "value": "hunter2"}])
    fleet.resources[key] = secret.build()
    (policy,) = fleet.policies()
    drawn = draw(fleet.snapshot(policy), None, NOW)
    root = parsed(policy_page(standing(dict(policy)), drawn, current=True, refresh=None))
    report = parsed(page_of(fleet))
    for tag in ("figure", "table", "h3", "dl"):
        assert [text_of(each) for each in elements(root, tag)] == [
            text_of(each) for each in elements(report, tag)
        ]
    assert "hunter2" not in text_of(root)
    assert [text_of(each) for each in elements(root, "h2")] == ["How it stands", "The plan"]


def test_what_cannot_be_planned_is_drawn_as_why():
    fleet = a_fleet(sets=[a_set("other").with_objects(2)])
    (policy,) = fleet.policies()
    drawn = draw(fleet.snapshot(policy), None, NOW)
    assert "there is no BackupSet" in drawn.html
    assert "<figure" not in drawn.html


def test_pages_allow_themselves_their_own_style_only():
    """By its digest; a browser's own tests of it are in tests/pages."""
    root = parsed(message_page("a", "b", "policies"))
    (style,) = elements(root, "style")
    digest = base64.b64encode(hashlib.sha256((style.text or "").encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in content_security_policy()
    assert "unsafe" not in content_security_policy()
    (rule,) = [
        each.get("content")
        for each in elements(root, "meta")
        if each.get("http-equiv") == "Content-Security-Policy"
    ]
    assert rule == content_security_policy()
