"""The bench itself, without an operator: Jobs made by hand are played and found in the log as they were."""

from typing import Any

import pytest

from integration.handlers.cluster import eventually
from integration.sessions.theatre import Theatre, conditions
from integration.sessions.workload import Library
from support.resources import Raw
from support.streamcheck import makespan, most_jobs, not_once, overloaded_drives

pytestmark = pytest.mark.integration

LIBRARY = Library(count=1, mbps=20, max_agents=2)


def session_job(name: str) -> Raw:
    """A session's Job, which no controller touches."""
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "none", "image": "none"}]}}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "labels": {"flexlbf.io/role": "session"}},
        "spec": {"managedBy": "flexlbf.io/session", "template": template},
    }


def object_job(theatre: Theatre, obj: str, script: str, attempt: int = 1) -> Raw:
    """An object's Job, of 8 MB/s on the first drive."""
    labels = {
        "app.kubernetes.io/managed-by": "flexlbf-operator",
        "flexlbf.io/role": "object",
        "flexlbf.io/policy": "weekly",
        "flexlbf.io/session": "session",
        "flexlbf.io/backup-set": "fleet",
        "flexlbf.io/pool": theatre.namespace,
        "flexlbf.io/drive": "lto-0",
    }
    annotations = {
        "flexlbf.io/object": obj,
        "flexlbf.io/rate": "8000000",
        "flexlbf.io/attempt": str(attempt),
    }
    container: dict[str, Any] = {"name": "agent", "image": "example.test/agent:1"}
    container["env"] = [{"name": "FLEXLBF_SOURCE", "value": script}]
    template = {
        "metadata": {"labels": labels, "annotations": annotations},
        "spec": {"restartPolicy": "Never", "containers": [container]},
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": f"{obj}-{attempt}", "labels": labels, "annotations": annotations},
        "spec": {"backoffLimit": 0, "podReplacementPolicy": "Failed", "template": template},
    }


def await_condition(theatre: Theatre, job: str, condition: str) -> None:
    """Wait until a Job has it."""

    def check() -> None:
        assert condition in conditions(theatre.get("Job", job) or {})

    eventually(check)


def test_jobs_that_keep_to_the_limits_are_found_to_keep_to_them(theatre: Theatre):
    theatre.create(session_job("session"))
    theatre.create(object_job(theatre, "a", "0.5s bytes=1"))
    theatre.create(object_job(theatre, "b", "1.5s bytes=1 fail=1"))
    await_condition(theatre, "a-1", "Complete")
    await_condition(theatre, "b-1", "Failed")
    theatre.create(object_job(theatre, "b", "0.5s bytes=1 fail=1", attempt=2))
    await_condition(theatre, "b-2", "Complete")
    log = theatre.log()
    streams = log.of_session(theatre.namespace, "session")
    assert [(each.obj, each.attempt, each.outcome) for each in streams] == [
        ("a", 1, "Succeeded"),
        ("b", 1, "Failed"),
        ("b", 2, "Succeeded"),
    ]
    assert not_once(streams, {"a", "b"}, attempts=2) == []
    assert overloaded_drives(streams, LIBRARY.limits) == []
    assert most_jobs(streams) == 3
    assert makespan(streams, log.session_began(theatre.namespace, "session")) >= 2.0
    for each, seconds in zip(streams, (0.5, 1.5, 0.5), strict=True):
        assert each.started is not None
        assert each.ended is not None
        assert each.ended.at - each.started.at >= seconds - 0.05


def test_jobs_that_ask_too_much_of_a_drive_are_found(theatre: Theatre):
    for obj in "abc":
        theatre.create(object_job(theatre, obj, "2s bytes=1"))
    for obj in "abc":
        await_condition(theatre, f"{obj}-1", "Complete")
    (found,) = overloaded_drives(theatre.log().all(), LIBRARY.limits)
    assert (found.agents, found.objects) == (3, ("a", "b", "c"))


def test_a_deleted_job_holds_its_drive_until_its_pod_is_gone(theatre: Theatre):
    theatre.create(object_job(theatre, "a", "1000s bytes=1"))

    def running() -> None:
        assert [each["status"]["phase"] for each in theatre.pods()] == ["Running"]

    eventually(running)
    theatre.delete("Job", "a-1", propagation="Orphan")

    def gone() -> None:
        assert theatre.get("Job", "a-1") is None

    eventually(gone)
    (stream,) = theatre.log().all()
    assert (stream.ended, stream.deleted is not None) == (None, True)
    (pod,) = theatre.pods()
    theatre.request("DELETE", f"/api/v1/namespaces/{theatre.namespace}/pods/{pod['metadata']['name']}")

    def ended() -> None:
        (stream,) = theatre.log().all()
        assert stream.outcome == "Failed"

    eventually(ended)
