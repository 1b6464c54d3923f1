"""Whoever is killed, and whenever: the session ends, each object ran once, and no drive had too much."""

import random

import pytest

from flexlbf.api.quantities import format_bytes
from integration.handlers.cluster import eventually
from integration.handlers.operatorprocess import OperatorProcess
from integration.sessions.theatre import Theatre, conditions, settle
from integration.sessions.workload import Library, lasting
from support.streamcheck import overloaded_drives

pytestmark = pytest.mark.integration

LIBRARY = Library(count=2, mbps=20)
KILLS = 10
PATIENCE = 240.0


def test_the_operator_is_killed_again_and_again_and_the_api_server_restarts(
    theatre: Theatre, operator: OperatorProcess
):
    """Ten times in one session, at moments that have nothing to do with what it does."""
    work = lasting(40, 120, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work)
    session = theatre.begin()
    theatre.await_streams(session, 1)
    chance = random.Random(4)
    killed_at = []
    for number in range(KILLS):
        operator.kill()
        killed_at.append(len(theatre.streams(session)))
        if number == KILLS // 2:
            theatre.plane.stop_api_server(graceful=True)
            theatre.plane.start_api_server()
        operator.start()
        settle(chance.uniform(0, 3))
    assert killed_at[0] < len(work.jobs), "everything was released before the operator was killed"
    assert "Complete" in conditions(theatre.await_end(session, PATIENCE))
    theatre.assert_played(session, work, LIBRARY)
    told = theatre.policy()["status"]["session"]
    assert (told["done"], told["bytes"]) == (len(work.jobs), format_bytes(work.size))


def test_a_session_that_began_while_the_operator_was_away_is_run_when_it_is_back(
    theatre: Theatre, operator: OperatorProcess
):
    work = lasting(3, 12, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work)
    theatre.cron_job()
    operator.kill()
    session = theatre.begin()
    settle(1)
    assert theatre.streams(session) == []
    operator.start()
    assert "Complete" in conditions(theatre.await_end(session, PATIENCE))
    theatre.assert_played(session, work, LIBRARY)


def test_a_session_that_nobody_can_plan_any_more_ends_with_its_window(
    theatre: Theatre, operator: OperatorProcess
):
    """Its set is deleted while the operator is away: what runs is seen to its end, and the rest is told."""
    work = lasting(30, 60, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work, window="20s")
    session = theatre.begin()
    theatre.await_streams(session, 4)
    operator.kill()
    for each in work.sets("weekly"):
        theatre.delete("BackupSet", each.name)
    operator.start()
    job = theatre.await_end(session, PATIENCE)
    assert {each["reason"] for each in job["status"]["conditions"]} == {"SessionAbandoned"}
    streams = theatre.streams(session)
    assert all(each.outcome == "Succeeded" for each in streams)
    assert overloaded_drives(theatre.log().all(), LIBRARY.limits, theatre.namespace) == []
    told = theatre.policy()["status"]["session"]
    assert (told["objects"], told["done"] + told["skipped"]) == (len(work.jobs), len(work.jobs))
    assert 0 < told["done"] < len(work.jobs)


@pytest.mark.usefixtures("operator")
def test_a_session_that_its_deleted_policy_left_behind_ends_when_nothing_runs(theatre: Theatre):
    """And nothing of it starts any more."""
    work = lasting(20, 60, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work)
    session = theatre.begin()
    theatre.await_streams(session, 4)
    theatre.delete("BackupPolicy", "weekly", propagation="Orphan")
    job = theatre.await_end(session, PATIENCE)
    assert {each["reason"] for each in job["status"]["conditions"]} == {"PolicyDeleted"}
    streams = theatre.streams(session)
    assert all(each.outcome == "Succeeded" for each in streams)
    assert 0 < len(streams) < len(work.jobs)


@pytest.mark.usefixtures("operator")
def test_a_jobs_pod_that_is_deleted_is_tried_again(theatre: Theatre):
    work = lasting(6, 20, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class(retries=1)
    theatre.adaptive(work)
    session = theatre.begin()

    def running() -> str:
        pods = [each for each in theatre.pods() if each["status"]["phase"] == "Running"]
        return str(pods[0]["metadata"]["name"])

    theatre.await_streams(session, 1)
    victim = eventually(running)
    theatre.request("DELETE", f"/api/v1/namespaces/{theatre.namespace}/pods/{victim}")
    assert "Complete" in conditions(theatre.await_end(session, PATIENCE))
    theatre.assert_played(session, work, LIBRARY, attempts=2)
