"""Whoever is killed, and whenever: the session ends, each object ran once, and no drive had too much."""

import random

import pytest

from flexlbf.api.quantities import format_bytes
from integration.handlers.cluster import eventually
from integration.handlers.operatorprocess import OperatorProcess
from integration.sessions.theatre import Theatre, conditions, settle
from integration.sessions.workload import Library, lasting

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
