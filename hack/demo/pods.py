"""Pods that the demo runs itself: they make files, restore, and compare."""

import json
import time
from typing import Any

from demo.clusters import Cluster
from localcluster.errors import LocalClusterError

PATIENCE = 120.0
AGENT_USER = 65532


def run_pod(cluster: Cluster, namespace: str, name: str, spec: dict[str, Any]) -> str:
    """Run a pod to its end and return what its container printed; a pod that fails is an error."""
    manifest = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "restartPolicy": "Never",
            "automountServiceAccountToken": False,
            "nodeSelector": cluster.one_node(),
            **spec,
        },
    }
    where = f"--namespace={namespace}"
    cluster.kubectl("create", "--filename=-", text=json.dumps(manifest))
    try:
        phase = _await_end(cluster, name, where)
        if phase != "Succeeded":
            said = cluster.kubectl("logs", name, where, "--all-containers", "--prefix")
            raise LocalClusterError(f"the pod {namespace}/{name} failed. It said:\n{said}")
        return cluster.kubectl("logs", name, where)
    finally:
        cluster.kubectl(
            "delete", "pod", name, where, "--ignore-not-found", "--wait=false", "--grace-period=1"
        )


def _await_end(cluster: Cluster, name: str, where: str) -> str:
    deadline = time.monotonic() + PATIENCE
    while True:
        status = cluster.get("pod", name, where)["status"]
        phase = str(status.get("phase"))
        if phase in {"Succeeded", "Failed"}:
            return phase
        if time.monotonic() > deadline:
            events = cluster.kubectl("events", where, f"--for=pod/{name}")
            raise LocalClusterError(
                f"the pod {name} is {phase} after {PATIENCE:.0f} s. Its events:\n{events}"
            )
        time.sleep(0.3)


def container(cluster: Cluster, name: str, *command: str, root: bool = False, **more: Any) -> dict[str, Any]:
    """A container of the demo's image, as the agent's user unless root is asked for."""
    return {
        "name": name,
        "image": cluster.image,
        "imagePullPolicy": "IfNotPresent",
        "command": list(command),
        "securityContext": {"runAsUser": 0 if root else AGENT_USER, "allowPrivilegeEscalation": False},
        **more,
    }


def source_volume(source: dict[str, str], *, writable: bool = False) -> dict[str, Any]:
    """The volume of an object's source, which is a claim or a folder of the node."""
    if "claimName" in source:
        return {"persistentVolumeClaim": {"claimName": source["claimName"], "readOnly": not writable}}
    return {
        "hostPath": {"path": source["hostPath"], "type": "DirectoryOrCreate" if writable else "Directory"}
    }
