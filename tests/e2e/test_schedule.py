"""The README's way: apply a policy, and backups happen when they are due, without anybody's doing."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from demo.session import ended, termination_message
from e2e.site import Site

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("e2e"), pytest.mark.timeout(300, func_only=True)]

ROOM = timedelta(seconds=25)
PATIENCE = 200.0


def test_a_policys_cron_job_fires_when_it_is_due_and_backs_a_folder_up(
    make_site: Callable[..., Site],
) -> None:
    site = make_site(drives=1)
    site.offer()
    site.node.write(f"{site.folder}/data/report.txt", b"quarterly\n" * 100_000)
    due = (datetime.now(UTC) + ROOM).replace(second=0, microsecond=0) + timedelta(minutes=1)
    source = {"hostPath": f"{site.folder}/data"}
    (planned,) = site.plan([{"name": "fs01:/data", "source": source}], f"{due.minute} {due.hour} * * *")
    assert planned.schedule == f"{due.minute} {due.hour} * * *"

    job = _await_end_of_job_of(site, planned.cron_job)

    assert ended(job) == "Complete"
    started = datetime.fromisoformat(job["metadata"]["creationTimestamp"])
    assert timedelta(0) <= started - due < timedelta(seconds=30)
    (pod,) = site.cluster.items("pods", f"--namespace={site.namespace}")
    message = termination_message(pod)
    (archive,) = (name for name in site.node.files(site.drive(0)) if name.endswith(".tar"))
    assert site.node.sha256(f"{site.drive(0)}/{archive}") == message["sha256"]
    _await_status_of_session(site, due)


def _await_end_of_job_of(site: Site, cron_job: str) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for job in site.cluster.items("jobs", f"--namespace={site.namespace}"):
            if job["metadata"]["ownerReferences"][0]["name"] == cron_job and ended(job):
                return job
        time.sleep(1)
    pytest.fail(f"{cron_job} has run no Job within {PATIENCE:.0f} s")


def _await_status_of_session(site: Site, due: datetime) -> None:
    """The policy's status tells when its last session began."""
    deadline = time.monotonic() + 20
    want = due.strftime("%Y-%m-%dT%H:%M:%SZ")
    while site.policy()["status"]["schedule"].get("lastScheduleTime") != want:
        assert time.monotonic() < deadline, site.policy()["status"]["schedule"]
        time.sleep(0.5)
