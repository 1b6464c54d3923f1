"""The commands that speak to a cluster, on a real API server, as a person and as kubectl's plugin."""

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from localcluster.bare import BareControlPlane
from support.resources import Policy, Raw, Resource, a_class, a_policy, a_pool, a_set
from unit.cli.terminal import PROGRAM, Ended, flexlbf

SESSION = {
    "name": "weekly-29400000",
    "state": "Running",
    "started": "2026-01-02T22:00:00Z",
    "expectedEnd": "2099-01-02T23:00:00Z",
    "objects": 5,
    "released": 3,
    "running": 2,
    "waiting": {"objects": 2, "head": "fs:/d1", "reason": "no drive has 10 MB/s free"},
    "done": 1,
    "failed": 0,
    "skipped": 0,
    "bytes": "1.5G",
}

OVER = SESSION | {
    "state": "Succeeded",
    "ended": "2026-01-02T23:30:00Z",
    "done": 5,
    "running": 0,
    "expectedEnd": None,
    "waiting": None,
}
"""The same session at its end; what is null is taken away."""


@dataclass
class Site:
    """A namespace with a policy, and a pool and a class of its own."""

    plane: BareControlPlane
    namespace: str

    def apply(self, *resources: Resource) -> None:
        """Make resources so."""
        scoped = [each.build(None if _is_clusters(each) else self.namespace) for each in resources]
        self.plane.kubectl("apply", "--server-side", "-f", "-", input=yaml.safe_dump_all(scoped))

    def policy(self) -> Raw:
        """The policy as it is in the cluster."""
        where = ("-n", self.namespace, "-o", "json", "--show-managed-fields")
        told = self.plane.kubectl("get", "bpol", "weekly", *where)
        found: Raw = json.loads(told)
        return found

    def says(self, status: Raw) -> None:
        """Write the policy's status, as the operator would."""
        patch = json.dumps({"status": status})
        where = ("-n", self.namespace, "--subresource=status", "--type=merge", "-p", patch)
        self.plane.kubectl("patch", "bpol", "weekly", *where)

    def a_policy(self, name: str = "weekly") -> Policy:
        """A policy on the site's own pool and class."""
        return a_policy(name).on(self.namespace).by(self.namespace)

    def run(self, command: str, *arguments: object) -> Ended:
        """A command in the site's namespace."""
        where = ("-n", self.namespace, "--kubeconfig", self.plane.kubeconfig)
        return flexlbf(command, *arguments, *where)

    def following(self) -> list[str]:
        """The program that follows the policy's session."""
        where = ["-n", self.namespace, "--kubeconfig", str(self.plane.kubeconfig)]
        return [*PROGRAM, "status", "--watch", *where]


def _is_clusters(resource: Resource) -> bool:
    return resource.kind in {"TapePool", "BackupClass"}


@pytest.fixture
def site(control_plane: BareControlPlane, namespace: str) -> Iterator[Site]:
    """A policy of five objects, two of them from a ConfigMap's history."""
    made = Site(control_plane, namespace)
    csv = "object,duration_s,throughput_mbps\ncm:/a,3600,10\ncm:/b,1800,20\n"
    control_plane.kubectl(
        "create", "configmap", "catalog", "-n", namespace, f"--from-literal=history.csv={csv}"
    )
    objects = a_set().with_objects(3).with_unmeasured("cm:/a").with_unmeasured("cm:/b")
    made.apply(
        a_pool(namespace).with_drives(),
        a_class(namespace),
        objects.with_history_from("catalog"),
        made.a_policy(),
    )
    yield made
    for kind in ("tp", "bclass"):
        control_plane.kubectl("delete", kind, namespace, "--wait=false")


def test_a_diff_against_the_cluster_lays_the_files_on_it(site: Site, tmp_path: Path):
    """A pool alone is enough; history comes from the cluster; nothing is written."""
    pool = a_pool(site.namespace).with_drives(max_throughput="15M")
    (tmp_path / "pool.yaml").write_text(yaml.safe_dump(pool.build()), encoding="utf-8")
    version = site.policy()["metadata"]["resourceVersion"]
    ended = site.run("diff", "-f", tmp_path, "--against", "cluster", "-o", "json")
    assert ended.status == 1, ended.err
    found = {each["policy"]: each for each in json.loads(ended.out)}[f"{site.namespace}/weekly"]
    assert (found["before"]["objects"], found["before"]["duration"]) == (5, 3600)
    assert "drives" in found["differs"]
    assert site.policy()["metadata"]["resourceVersion"] == version


def test_what_is_as_in_the_cluster_differs_in_nothing(site: Site, tmp_path: Path):
    """Defaults that the API server filled in are none, nor are the identities that owners are named by."""
    policy = site.a_policy().build(site.namespace)
    (tmp_path / "policy.yaml").write_text(yaml.safe_dump(policy), encoding="utf-8")
    ended = site.run("diff", "-f", tmp_path, "--against", "cluster", "-o", "json")
    assert ended.status == 0, ended.err
    found = {each["policy"]: each for each in json.loads(ended.out)}[f"{site.namespace}/weekly"]
    assert (found["change"], found["cronJobs"]["rewritten"]) == ("same", 0)


def test_policies_of_the_cluster_are_planned_explained_and_drawn(site: Site, tmp_path: Path):
    """Without any file; and nothing is written."""
    before = site.policy()
    items = site.run("plan", "weekly", "-o", "json").data()["items"]
    assert [each["kind"] for each in items].count("BackupPolicy") == 1
    assert items[0]["status"]["recommendation"]["duration"] == "1h"
    owners = {each["metadata"]["ownerReferences"][0]["uid"] for each in items[1:]}
    assert owners == {before["metadata"]["uid"]}
    assert site.policy() == before
    explained = site.run("explain", "weekly", "-o", "json").data()
    assert explained[f"{site.namespace}/weekly"]["makespan_s"] == 3600
    page = tmp_path / "page.html"
    assert site.run("report", "-o", page).status == 0
    assert "cm:/a" in page.read_text(encoding="utf-8")


def test_the_status_tells_of_settings_and_session(site: Site):
    """With a bar, how much is left, and why the first of those that wait does."""
    assert "weekly" in site.run("status").out
    site.says({"session": SESSION, "recommendation": recommendation()})
    out = " ".join(site.run("status", "weekly").out.split())
    assert "session weekly-29400000" in out
    assert "[####--------------------] 1 of 5 objects backed up, 2 running, 2 waiting, 1.5 GB written" in out
    assert "fs:/d1 waits: no drive has 10 MB/s free" in out
    data = site.run("status", "-o", "json").data()
    assert data[f"{site.namespace}/weekly"]["session"]["done"] == 1


def test_a_session_is_followed_until_it_is_over(site: Site):
    """A line for each change, where there is no terminal."""
    site.says({"session": SESSION})
    with subprocess.Popen(site.following(), stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        lines = iter(running.stdout)
        first = next(line for line in lines if line.startswith(f"{site.namespace}/weekly ["))
        assert "1 of 5 objects backed up, 2 running" in first
        site.says({"session": OVER})
        assert [*lines][-1].endswith("succeeded after 1h30m\n")
        assert running.wait(60) == 0


def test_suspending_and_resuming_change_one_field(site: Site):
    """And say so when there was nothing to change."""
    assert site.run("suspend", "weekly").out == f"BackupPolicy {site.namespace}/weekly is suspended\n"
    assert site.policy()["spec"]["suspend"] is True
    assert "already" in site.run("suspend", "weekly").out
    assert site.run("resume", "weekly").status == 0
    assert site.policy()["spec"]["suspend"] is False
    managers = [each["manager"] for each in site.policy()["metadata"]["managedFields"]]
    assert "kubectl-flexlbf" in managers


def test_a_run_sets_a_token_of_its_own_each_time(site: Site):
    """And none where nothing would run."""
    assert site.run("run", "weekly").status == 0
    first = site.policy()["spec"]["runToken"]
    assert site.run("run", "weekly").status == 0
    assert site.policy()["spec"]["runToken"] != first
    site.run("run", "weekly", "--token", "again")
    assert "asked for already" in site.run("run", "weekly", "--token", "again").out
    assert site.policy()["spec"]["runToken"] == "again"
    site.run("suspend", "weekly")
    assert "flexlbf resume weekly first" in site.run("run", "weekly").mistake()


@pytest.mark.parametrize("command", ["plan", "status", "explain", "suspend", "run"])
def test_a_policy_that_is_not_there_is_one_line(site: Site, command: str):
    """With what to name instead, or what the server said."""
    assert "wekly" in site.run(command, "wekly").mistake()


def test_a_kubeconfig_that_leads_nowhere_is_one_line(tmp_path: Path):
    """Whatever is wrong with it."""
    missing = tmp_path / "missing"
    assert "--kubeconfig" in flexlbf("status", "-n", "x", "--kubeconfig", missing).mistake()
    empty = tmp_path / "empty"
    empty.write_text("apiVersion: v1\nkind: Config\n", encoding="utf-8")
    assert "--context" in flexlbf("status", "--kubeconfig", empty).mistake()


def test_kubectl_finds_the_plugin(site: Site):
    """By its name, with the context's namespace and its own options."""
    folder = str(Path(sys.executable).parent)
    environment: dict[str, Any] = {
        **os.environ,
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "KUBECONFIG": str(site.plane.kubeconfig),
    }
    ended = subprocess.run(
        [site.plane._programs / "kubectl", "flexlbf", "status", "-n", site.namespace],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert ended.returncode == 0, ended.stderr
    assert f"{site.namespace}/weekly" in ended.stdout
    helped = subprocess.run(
        [site.plane._programs / "kubectl", "flexlbf", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert "Usage: kubectl flexlbf" in helped.stdout


def recommendation() -> Raw:
    """Settings as the operator writes them."""
    return {
        "drives": 1,
        "maxAgents": 3,
        "duration": "1h",
        "lowerBound": "1h",
        "boundBy": "LongestObject",
        "freedDrives": ["lto-1"],
    }


def test_a_terminal_shows_a_bar_that_moves(site: Site):
    """Of the session's objects."""
    site.says({"session": SESSION})
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 160, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "160"}
    with subprocess.Popen(site.following(), stdout=inside, env=environment) as running:
        os.close(inside)
        shown = _until(terminal, "━".encode())
        site.says({"session": OVER})
        shown += _until(terminal, b"succeeded after 1h30m")
        assert running.wait(60) == 0
    os.close(terminal)
    assert "1 of 5 objects backed up, 2 running" in shown.decode()


def _until(terminal: int, words: bytes) -> bytes:
    """What a terminal shows until it shows these words."""
    shown = b""
    while words not in shown:
        shown += os.read(terminal, 65536)
    return shown
