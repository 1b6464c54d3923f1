"""The bare control plane comes up, serves, bears faults, and leaves nothing behind."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import localcluster.versions
from localcluster.bare import BareControlPlane
from localcluster.errors import LocalClusterError

pytestmark = pytest.mark.integration

HACK = Path(localcluster.__file__).parent.parent
CONFIG_MAP = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one"}})
POD = json.dumps(
    {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"generateName": "one-"},
        "spec": {"containers": [{"name": "one", "image": "none"}]},
    }
)


@pytest.fixture(scope="module")
def plane() -> Iterator[BareControlPlane]:
    with BareControlPlane(users={"alice": ["developers"]}) as running:
        yield running


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for_end(pids: list[int], directory: Path) -> bool:
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        if not directory.exists() and not any(map(is_alive, pids)):
            return True
        time.sleep(0.05)
    return False


def test_it_serves_the_version_that_was_asked_for(plane: BareControlPlane) -> None:
    assert (
        json.loads(plane.kubectl("get", "--raw", "/version"))["gitVersion"]
        == localcluster.versions.KUBERNETES
    )


def test_pods_are_admitted_as_soon_as_it_is_up(plane: BareControlPlane) -> None:
    assert "created" in plane.kubectl("create", "-f", "-", input=POD)


def test_users_are_who_they_say_and_may_do_what_they_are_granted(plane: BareControlPlane) -> None:
    as_alice = f"--kubeconfig={plane.kubeconfig_for('alice')}"
    assert "developers" in plane.kubectl(as_alice, "auth", "whoami")
    with pytest.raises(LocalClusterError, match="Forbidden"):
        plane.kubectl(as_alice, "get", "configmaps")
    plane.kubectl("create", "rolebinding", "developers", "--clusterrole=view", "--group=developers")
    deadline = time.monotonic() + 10
    while plane.kubectl("auth", "can-i", "get", "configmaps", "--as=x", "--as-group=developers") != "yes\n":
        assert time.monotonic() < deadline
    assert plane.kubectl(as_alice, "get", "configmaps", "--output=name")


def test_every_write_is_in_the_audit_log_when_it_is_answered(plane: BareControlPlane) -> None:
    plane.kubectl("create", "namespace", "counted")
    plane.kubectl("create", "--namespace=counted", "-f", "-", input=CONFIG_MAP)
    plane.kubectl("delete", "--namespace=counted", "configmap", "one")
    writes = [
        (event["verb"], event["user"]["username"])
        for event in plane.audit_events()
        if event.get("objectRef", {}).get("namespace") == "counted"
        and event["objectRef"]["resource"] == "configmaps"
        and event["objectRef"].get("name") == "one"
        and event["verb"] in {"create", "update", "patch", "delete"}
    ]
    assert writes == [("create", "admin"), ("delete", "admin")]


def test_two_stand_beside_each_other_and_survive_a_crash_of_the_api_server() -> None:
    with (
        BareControlPlane(audit=False, controller_manager=False) as one,
        BareControlPlane(scheduler=True) as two,
    ):
        assert one.url != two.url
        one.kubectl("create", "-f", "-", input=CONFIG_MAP)
        with pytest.raises(LocalClusterError, match="NotFound"):
            two.kubectl("get", "configmap", "one")
        before = one.url, one.kubeconfig.read_text()
        one.stop_api_server()
        with pytest.raises(LocalClusterError, match="refused"):
            one.kubectl("get", "configmap", "one")
        one.start_api_server()
        assert one.kubectl("get", "configmap", "one", "--output=name") == "configmap/one\n"
        assert (one.url, one.kubeconfig.read_text()) == before
        assert set(two.pids) == {"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"}
        assert not one.audit_log.exists()
        pids, directories = [*one.pids.values(), *two.pids.values()], [one.directory, two.directory]
    assert not any(map(is_alive, pids))
    assert not any(directory.exists() for directory in directories)


def test_a_flag_that_does_not_exist_is_reported_with_the_programs_own_words() -> None:
    plane = BareControlPlane(api_server_args=["--no-such-flag"])
    with pytest.raises(LocalClusterError, match="unknown flag: --no-such-flag"):
        plane.start()
    with pytest.raises(LocalClusterError, match="not running"):
        _ = plane.directory


def test_the_command_line_runs_one_and_leaves_nothing_when_it_is_killed() -> None:
    environment = {**os.environ, "PYTHONPATH": str(HACK)}
    command = [sys.executable, "-m", "localcluster", "bare"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as running:
        assert running.stdout is not None
        line = running.stdout.readline()
        directory = Path(line.removeprefix("export KUBECONFIG=").strip()).parent
        pids = [int(entry.name) for entry in Path("/proc").glob("[0-9]*") if works_in(entry, directory)]
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
    assert len(pids) == 3
    assert wait_for_end(pids, directory)


def works_in(process: Path, directory: Path) -> bool:
    try:
        return (process / "cwd").resolve(strict=True) == directory.resolve()
    except OSError:
        return False
