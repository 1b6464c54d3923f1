"""What people do to a session: ask for one now, take a drive away, end it with its window."""

import pytest

from integration.handlers.cluster import eventually
from integration.sessions.theatre import Theatre, conditions, settle
from integration.sessions.workload import GROUP, Library, lasting
from support.resources import Raw

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]

LIBRARY = Library(count=2, mbps=20)
PATIENCE = 240.0


def session_status(theatre: Theatre) -> Raw:
    """What the policy says of its session."""
    status: Raw = theatre.policy()["status"]["session"]
    return status


def test_a_run_token_asks_for_a_session_once(theatre: Theatre):
    work = lasting(3, 12, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work)
    theatre.patch("BackupPolicy", "weekly", {"spec": {"runToken": "before the upgrade"}})

    def served() -> Raw:
        assert theatre.policy()["status"]["runToken"] == "before the upgrade"
        return session_status(theatre)

    status = eventually(served)
    assert (status["done"], status["failed"], status["skipped"]) == (len(work.jobs), 0, 0)
    assert status["running"] == 0
    assert "SessionComplete" in conditions(theatre.policy())
    theatre.assert_played(status["name"], work, LIBRARY)
    theatre.patch("BackupPolicy", "weekly", {"metadata": {"labels": {"touched": "yes"}}})
    settle(2)
    assert {each.session for each in theatre.log().all()} == {status["name"]}


def test_a_drive_that_becomes_unavailable_gets_nothing_new(theatre: Theatre):
    """What streams to it goes on; the rest of the session runs on the other drive."""
    work = lasting(16, 60, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work)
    session = theatre.begin()
    theatre.await_streams(session, 8)
    pool = theatre.get("TapePool", theatre.namespace)
    assert pool is not None
    (group,) = pool["spec"]["drives"]
    marked = {**group, "unavailable": [{"drive": f"{GROUP}-0", "reason": "is being cleaned"}]}
    theatre.patch("TapePool", theatre.namespace, {"spec": {"drives": [marked]}})
    settle(2)
    before = len(theatre.streams(session))
    assert before < len(work.jobs)
    assert "Complete" in conditions(theatre.await_end(session, PATIENCE))
    theatre.assert_played(session, work, LIBRARY)
    assert {each.drive for each in theatre.streams(session)[before:]} == {f"{GROUP}-1"}


def test_what_has_not_started_when_the_window_ends_is_skipped_and_said(theatre: Theatre):
    work = lasting(20, 60, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work, window="6s", onWindowEnd="SkipRemaining")
    session = theatre.begin()
    theatre.await_end(session, PATIENCE)
    streams = theatre.streams(session)
    assert 0 < len(streams) < len(work.jobs)
    assert all(each.outcome == "Succeeded" for each in streams)

    def told() -> Raw:
        status = session_status(theatre)
        assert status["running"] == 0
        return status

    status = eventually(told)
    assert status["done"] == len(streams)
    assert status["skipped"] == len(work.jobs) - len(streams)
    assert set(status["skippedObjects"]) <= work.names - {each.obj for each in streams}
