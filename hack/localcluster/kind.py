"""Clusters with a node on which pods really run: kind, one node in one container.

The kubeconfig is a file of ours in the cache folder; the person's own is never touched.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from localcluster import cache, docker, gobuild, nodeimage
from localcluster.errors import LocalClusterError
from localcluster.kubectl import run_kubectl, wait_until
from localcluster.progress import Run, say, step
from localcluster.versions import CONTROL_PLANE, KIND_ITSELF

DEFAULT_NAME = "flexlbf"
READY_SECONDS = 120
RETRY = "PYTHONPATH=hack python3 -m localcluster"
AUDIT_LOG = "/var/log/kubernetes/audit.log"
"""Where a node has the API server's audit log, if one was asked for."""
_AUDIT_POLICY = "/kind/audit-policy.json"


@dataclass(frozen=True)
class KindCluster:
    """A running cluster."""

    name: str

    @property
    def kubeconfig(self) -> Path:
        """An administrator's kubeconfig."""
        return cache.folder("kind") / f"{self.name}.kubeconfig"

    @property
    def node(self) -> str:
        """The node's name, which is also its container's."""
        return f"{self.name}-control-plane"

    def kubectl(self, *arguments: str, input: str | None = None) -> str:  # noqa: A002 - subprocess' name
        """Run kubectl as the administrator and return what it prints."""
        program = gobuild.programs(CONTROL_PLANE) / "kubectl"
        return run_kubectl(program, self.kubeconfig, arguments, input)

    def load(self, *images: str) -> None:
        """Bring images of the Docker daemon into the node; pods use them with imagePullPolicy Never."""
        with step(f"Loading {', '.join(images)} into the cluster {self.name}"):
            _kind(self.name, "kind-load")(_program(), "load", "docker-image", f"--name={self.name}", *images)


def can_run_kind() -> str | None:
    """Why kind cannot run here; None when it can. Cheap, and changes nothing."""
    if sys.platform != "linux":
        return "kind clusters are only tried on Linux here"
    if reason := docker.missing():
        return reason
    needed = (KIND_ITSELF, CONTROL_PLANE)
    if shutil.which("go") is None and not all(map(gobuild.is_built, needed)):
        return "Go is needed to build kind and kubectl, and is not on the PATH"
    return None


def up(
    name: str = DEFAULT_NAME,
    extra_mounts: Mapping[Path, str] | None = None,
    audit_policy: Mapping[str, Any] | None = None,
) -> KindCluster:
    """Create the cluster, or take the one that is there, and wait until pods can run on it.

    Args:
        name: Clusters with different names run beside each other.
        extra_mounts: Directories of this host and where the node shall see them (for a new cluster only).
        audit_policy: What the API server writes to `AUDIT_LOG` on the node (for a new cluster only).
    """
    docker.ensure()
    image = nodeimage.node_image()
    cluster = KindCluster(name)
    with cache.locked(f"kind-{name}"):
        run = _kind(name, "kind-up")
        if name in existing():
            say(f"The cluster {name} is there already.")
            run(_program(), "export", "kubeconfig", f"--name={name}", f"--kubeconfig={cluster.kubeconfig}")
        else:
            with step(f"Creating the kind cluster {name}; log in {run.log}", "half a minute"):
                _create(cluster, image, {**(extra_mounts or {}), **_audit_mount(name, audit_policy)}, run)
        with step("Waiting until pods can run"):
            _await_ready(cluster)
    return cluster


def down(name: str = DEFAULT_NAME) -> None:
    """Delete the cluster and its kubeconfig; nothing happens when there is none."""
    cluster = KindCluster(name)
    if docker.missing() is None and gobuild.is_built(KIND_ITSELF):
        with cache.locked(f"kind-{name}"), step(f"Deleting the kind cluster {name}"):
            _kind(name, "kind-down")(
                _program(), "delete", "cluster", f"--name={name}", f"--kubeconfig={cluster.kubeconfig}"
            )
    audit = cluster.kubeconfig.with_name(f"{name}-audit.json")
    for path in (cluster.kubeconfig, cluster.kubeconfig.with_suffix(".kubeconfig.lock"), audit):
        path.unlink(missing_ok=True)


@contextmanager
def kind_cluster(name: str, extra_mounts: Mapping[Path, str] | None = None) -> Iterator[KindCluster]:
    """A new cluster for the time of the block; a leftover of the same name is deleted first."""
    docker.ensure()
    if name in existing():
        down(name)
    try:
        yield up(name, extra_mounts)
    finally:
        down(name)


def existing() -> list[str]:
    """The names of all kind clusters of the Docker daemon."""
    listed = subprocess.run([_program(), "get", "clusters"], check=False, capture_output=True, text=True)
    if listed.returncode:
        raise LocalClusterError(f"kind get clusters: {listed.stderr.strip()}")
    return listed.stdout.split()


def _program() -> Path:
    return gobuild.programs(KIND_ITSELF) / "kind"


def _kind(name: str, verb: str) -> Run:
    """Kind with the Docker daemon, whatever else the person's shell says."""
    environment = {**os.environ, "KIND_EXPERIMENTAL_PROVIDER": "docker"}
    environment.pop("KUBECONFIG", None)
    return Run(cache.log_path(f"kind-{name}"), f"{RETRY} {verb} --name {name}", environment=environment)


def _create(cluster: KindCluster, image: str, extra_mounts: Mapping[Path, str], run: Run) -> None:
    run.log.unlink(missing_ok=True)
    configuration = cache.folder("kind") / f"{cluster.name}.json"
    configuration.write_text(json.dumps(_configuration(image, extra_mounts), indent=2))
    try:
        run(
            *(_program(), "create", "cluster", f"--name={cluster.name}", f"--config={configuration}"),
            *(f"--kubeconfig={cluster.kubeconfig}", f"--wait={READY_SECONDS}s"),
        )
    finally:
        configuration.unlink()


def _audit_mount(name: str, policy: Mapping[str, Any] | None) -> dict[Path, str]:
    if policy is None:
        return {}
    file = cache.folder("kind") / f"{name}-audit.json"
    file.write_text(json.dumps(policy))
    return {file: _AUDIT_POLICY}


def _audit_patch() -> str:
    """The API server's part of an audit: the node's files in its pod, and its flags."""
    folder = str(Path(AUDIT_LOG).parent)
    flags = {"audit-policy-file": _AUDIT_POLICY, "audit-log-path": AUDIT_LOG}
    volumes = [
        {"name": "policy", "hostPath": _AUDIT_POLICY, "mountPath": _AUDIT_POLICY, "readOnly": True},
        {"name": "log", "hostPath": folder, "mountPath": folder, "pathType": "DirectoryOrCreate"},
    ]
    arguments = [{"name": flag, "value": value} for flag, value in flags.items()]
    server = {"extraArgs": arguments, "extraVolumes": volumes}
    return json.dumps({"kind": "ClusterConfiguration", "apiServer": server})


def _configuration(image: str, extra_mounts: Mapping[Path, str]) -> dict[str, object]:
    """One node; its kubelet runs on cgroup v1 hosts too."""
    audit = [_audit_patch()] if _AUDIT_POLICY in extra_mounts.values() else []
    mounts = [
        {"hostPath": str(host.resolve()), "containerPath": inside} for host, inside in extra_mounts.items()
    ]
    return {
        "kind": "Cluster",
        "apiVersion": "kind.x-k8s.io/v1alpha4",
        "networking": {"apiServerAddress": "127.0.0.1"},
        "nodes": [{"role": "control-plane", "image": image, "extraMounts": mounts}],
        "kubeadmConfigPatches": ["kind: KubeletConfiguration\nfailCgroupV1: false\n", *audit],
    }


def _await_ready(cluster: KindCluster) -> None:
    """Kind waits for the control plane only; pods need the node, and the namespace's account."""
    patience = f"--timeout={READY_SECONDS}s"
    cluster.kubectl("wait", "--for=condition=Ready", "nodes", "--all", patience)
    wait_until(
        lambda: "default" in cluster.kubectl("get", "serviceaccounts", "--output=name"),
        READY_SECONDS,
        "the default service account",
    )
    cluster.kubectl("rollout", "status", "deployment/coredns", "--namespace=kube-system", patience)
