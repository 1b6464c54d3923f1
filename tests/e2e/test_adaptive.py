"""An adaptive session in real pods, run by the operator under its own role."""

from collections.abc import Callable

import pytest

from e2e.site import POLICY, Site
from localcluster.kubectl import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("e2e"), pytest.mark.timeout(300, func_only=True)]

OBJECTS = 12  # more than the Jobs that a session keeps


def test_a_run_token_backs_everything_up_now_and_the_runs_become_history(
    make_site: Callable[..., Site],
) -> None:
    site = make_site(drives=2, agents=6)
    site.offer()
    site.node.write(f"{site.folder}/data/file", b"0123456789" * 100_000)
    source, estimate = {"hostPath": f"{site.folder}/data"}, {"duration": "1m", "throughput": "10M"}
    objects = [{"name": f"fs:/{index}", "source": source, "estimate": estimate} for index in range(OBJECTS)]
    site.apply("BackupSet", "all", {"objects": objects})
    spec = {
        "schedule": "0 3 1 1 *",
        "backupSets": {"names": ["all"]},
        "tapePool": site.namespace,
        "backupClass": site.namespace,
        "execution": "Adaptive",
    }
    for token in ("first", "second"):
        site.apply("BackupPolicy", POLICY, {**spec, "runToken": token})
        wait_until(lambda: _served(site) == token, 120, f"the {token} session")  # noqa: B023 - at once
        session = site.policy()["status"]["session"]
        assert (session["done"], session["failed"], session["skipped"]) == (OBJECTS, 0, 0)
    archives = [
        name for index in (0, 1) for name in site.node.files(site.drive(index)) if name.endswith(".tar")
    ]
    assert len(archives) == 2 * OBJECTS
    (history,) = site.cluster.items("backuphistories", f"--namespace={site.namespace}")
    assert {each["name"]: len(each["runs"]) for each in history["spec"]["objects"]} == {
        each["name"]: 2 for each in objects
    }


def _served(site: Site) -> str | None:
    token: str | None = site.policy().get("status", {}).get("runToken")
    return token
