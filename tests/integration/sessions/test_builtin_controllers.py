"""Kubernetes' own controllers and kubectl see an adaptive session as what it is: a Job of a CronJob."""

import json

import pytest

from integration.handlers.cluster import eventually
from integration.sessions.theatre import Theatre, conditions, only
from integration.sessions.workload import Library, lasting
from support.resources import Raw

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]

LIBRARY = Library(count=2, mbps=20)
TWO_MINUTES = 150.0


def sessions(theatre: Theatre) -> list[Raw]:
    """The Jobs that are sessions."""
    return [
        each
        for each in theatre.list("Job")
        if each["metadata"].get("labels", {}).get("flexlbf.io/role") == "session"
    ]


@pytest.mark.timeout(400)
def test_a_cron_job_shows_its_session_and_begins_no_second_one_beside_it(theatre: Theatre):
    """The schedule is every minute, and the session takes longer than that."""
    work = lasting(70, 20, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work)
    name = theatre.cron_job()["metadata"]["name"]
    theatre.patch("BackupPolicy", "weekly", {"spec": {"schedule": "* * * * *"}})

    def began() -> Raw:
        session = only(sessions(theatre))
        active = theatre.cron_job()["status"]["active"]
        assert [each["name"] for each in active] == [session["metadata"]["name"]]
        return session

    session = eventually(began, TWO_MINUTES)["metadata"]["name"]
    refused = eventually(lambda: skipped(theatre, name), TWO_MINUTES)
    assert "Forbid" in refused or "forbid" in refused
    assert len(sessions(theatre)) == 1
    theatre.patch("BackupPolicy", "weekly", {"spec": {"schedule": "0 0 29 2 1"}})
    assert "Complete" in conditions(theatre.await_end(session, TWO_MINUTES))

    def ended() -> None:
        assert not theatre.cron_job()["status"].get("active")
        assert theatre.cron_job()["status"]["lastSuccessfulTime"]

    eventually(ended)
    theatre.assert_played(session, work, LIBRARY)


def skipped(theatre: Theatre, cron_job: str) -> str:
    """What the CronJob controller says of the session that it did not begin."""
    notes = [
        str(each.get("note", ""))
        for each in theatre.list("Event")
        if each["regarding"]["name"] == cron_job and each["reason"] == "JobAlreadyActive"
    ]
    return notes[0]


def test_a_deleted_session_takes_its_objects_jobs_with_it(theatre: Theatre):
    work = lasting(120, 30, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work)
    session = theatre.begin()
    theatre.await_streams(session, 3)
    theatre.plane.kubectl("delete", "job", session, f"--namespace={theatre.namespace}", "--timeout=60s")

    def gone() -> None:
        assert theatre.list("Job") == []
        assert theatre.pods() == []

    eventually(gone)
    assert all(each.ended for each in theatre.streams(session))


def test_kubectl_waits_for_a_session(theatre: Theatre):
    work = lasting(4, 12, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work)
    session = theatre.begin()
    for_it = (f"--namespace={theatre.namespace}", "--timeout=120s")
    theatre.plane.kubectl("wait", "--for=condition=complete", f"job/{session}", *for_it)
    theatre.assert_played(session, work, LIBRARY)
    theatre.plane.kubectl("wait", "--for=condition=SessionComplete", "backuppolicy/weekly", *for_it)
    job = json.loads(theatre.plane.kubectl("get", "job", session, for_it[0], "-o", "json"))
    assert job["status"]["succeeded"] == len(work.jobs)
    assert not job["status"].get("active")
    assert conditions(job) == {"SuccessCriteriaMet", "Complete"}
