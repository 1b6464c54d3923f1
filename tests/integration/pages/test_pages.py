"""The operator's pages show what is there, as it is now, to be read and no more, and whoever leads."""

import json
import re

import pytest

from flexlbf.cluster.client import FIELD_MANAGER
from integration.handlers.cluster import eventually
from integration.pages.reader import Reader
from integration.sessions.theatre import Theatre
from integration.sessions.workload import Library, lasting
from support.reports import elements, text_of
from support.resources import a_config_map

pytestmark = pytest.mark.integration

HISTORY = """\
object,start,end,bytes
fs:/measured,2026-01-02T22:00:00Z,2026-01-02T22:30:00Z,18000000000
"""
LIBRARY = Library(count=2, mbps=20)


def address(theatre: Theatre, name: str = "weekly") -> str:
    """Where the page of a policy is."""
    return f"/policies/{theatre.namespace}/{name}"


def a_recommended_policy(theatre: Theatre, objects: int = 5) -> None:
    """One that emits nothing, so that nothing begins by itself."""
    theatre.apply(theatre.with_a_plain_setup(objects).setting(mode="Recommend"))
    theatre.ready()


def refreshes(body: str) -> bool:
    return 'http-equiv="refresh"' in body


def test_a_policy_is_in_the_overview_and_has_a_page_at_every_operator(
    theatre: Theatre, readers: tuple[Reader, Reader]
):
    """Whether it leads or waits for its turn."""
    a_recommended_policy(theatre)
    for reader in readers:
        index = reader.once("/policies", theatre.namespace)
        links = {each.get("href") for each in elements(index.page, "a")}
        assert f"policies/{theatre.namespace}/weekly" in links
        reader.once(f"/policies/{theatre.namespace}", "weekly", "Recommended")
        shown = reader.once(address(theatre), "The plan", "Recommended", "5 objects")
        titles = {text_of(title) for svg in elements(shown.page, "svg") for title in elements(svg, "title")}
        assert len([each for each in titles if each.startswith("fs:/d")]) == 5
        assert not refreshes(shown.body)


def test_a_change_shows_and_what_is_deleted_is_gone(theatre: Theatre, reader: Reader):
    a_recommended_policy(theatre)
    reader.once(address(theatre), "5 objects")
    theatre.apply(theatre.a_set().with_objects(9))
    reader.once(address(theatre), "9 objects on")
    theatre.delete("BackupPolicy", "weekly")
    gone = reader.once(address(theatre), "No such policy", theatre.namespace, status=404)
    home = next(each.get("href") for each in elements(gone.page, "a") if each.get("href") != "#main")
    assert home == "../../policies"
    reader.once(f"/policies/{theatre.namespace}", "No such policies", status=404)


def test_what_cannot_be_planned_says_why_and_what_to_do(theatre: Theatre, readers: tuple[Reader, Reader]):
    """In the words of the condition."""
    theatre.with_a_plain_setup()
    theatre.apply(theatre.a_policy().backing_up("fleet", "nowhere"))
    told = theatre.stalled("BackupSetNotFound")
    for reader in readers:
        shown = reader.once(address(theatre), "BackupSetNotFound", " ".join(told.split()))
        assert "No session." in shown.text
        reader.once(f"/policies/{theatre.namespace}", "BackupSetNotFound")


def test_a_session_is_followed_until_it_is_over(theatre: Theatre, readers: tuple[Reader, Reader]):
    """The page loads itself again while it runs, and no longer; who reads slowly may have it stay."""
    work = lasting(15, 24, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work)
    session = theatre.begin()
    for reader in readers:
        running = reader.once(address(theatre), "The session that runs", session, "being backed up now")
        assert refreshes(running.body)
        assert not refreshes(reader.read(f"{address(theatre)}?refresh=off").body)
        reader.once("/policies", "of 24 objects backed up")
    theatre.await_end(session, 240)
    for reader in readers:
        over = reader.once(address(theatre), "The last session of the operator", "24 of 24 objects backed up")
        assert "The plan beside session" in over.text
        _await_stillness(reader, address(theatre))


def _await_stillness(reader: Reader, path: str) -> None:
    def check() -> None:
        assert not refreshes(reader.read(path).body)

    eventually(check)


def test_a_page_that_is_known_is_not_sent_again(theatre: Theatre, reader: Reader):
    a_recommended_policy(theatre)
    tag = reader.once(address(theatre), "The plan").headers["etag"]

    def known() -> str:
        again = reader.read(address(theatre), **{"If-None-Match": tag})
        assert (again.status, again.body) == (304, "")
        return again.headers["etag"]

    assert known() == tag
    assert reader.read(address(theatre), **{"If-None-Match": '"another"'}).status == 200


def test_pages_are_to_be_read_and_no_more(theatre: Theatre, reader: Reader):
    a_recommended_policy(theatre)
    shown = reader.once(address(theatre), "The plan")
    head = reader.read(address(theatre), "HEAD")
    assert (head.status, head.body) == (200, "")
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        refused = reader.read(address(theatre), method)
        assert (refused.status, refused.headers["allow"]) == (405, "GET,HEAD"), method
    for answer in (shown, head, refused, reader.read("/elsewhere")):
        rule = answer.headers["content-security-policy"]
        assert rule.startswith("default-src 'none'; style-src 'sha256-")
        assert "frame-ancestors 'none'" in rule
        assert "unsafe" not in rule
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "private, no-cache"
        assert not re.search(r"aiohttp|Python", answer.headers.get("server", ""))


def test_nothing_is_asked_of_the_cluster_for_a_reader(theatre: Theatre, readers: tuple[Reader, Reader]):
    """However often the pages are read; a history from a ConfigMap was read once by each operator."""
    policy = theatre.with_a_plain_setup()
    theatre.apply(a_config_map("measured", history_csv=HISTORY))
    theatre.apply(theatre.a_set().with_unmeasured("fs:/measured").with_history_from("measured"))
    theatre.apply(policy.setting(mode="Recommend"))
    theatre.ready()
    for reader in readers:
        reader.once(address(theatre), "The plan", "fs:/measured")
    before = _requests(theatre)
    assert [verb for verb, resource in before if resource == "configmaps"].count("get") == len(readers)
    for _ in range(10):
        for reader in readers:
            assert reader.read(address(theatre)).status == 200
            assert reader.read("/policies").status == 200
    assert _requests(theatre) == before


def _requests(theatre: Theatre) -> list[tuple[str, str]]:
    """What the operators have asked in the test's namespace: verbs and resources."""
    text = theatre.plane.audit_log.read_text()
    events = [json.loads(line) for line in text[: text.rindex("\n")].splitlines()]
    return [
        (each["verb"], each["objectRef"]["resource"])
        for each in events
        if each.get("objectRef", {}).get("namespace") == theatre.namespace
        and each["userAgent"].startswith(FIELD_MANAGER)
    ]
