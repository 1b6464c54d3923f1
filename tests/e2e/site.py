"""What an administrator and a user apply, made for one test: pool, class, set and policy."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from demo.clusters import Cluster
from demo.install import await_policies
from demo.plans import PlannedObject, planned_objects
from demo.session import Drive
from e2e.node import Node

API = "flexlbf.io/v1alpha1"
RATE = 80_000_000
FAR_AWAY = "0 3 1 1 *"
POLICY = "nightly"


@dataclass(frozen=True)
class Site:
    """A namespace with drives of its own, which are folders of the node."""

    cluster: Cluster
    node: Node
    namespace: str
    drives: int = 2
    agents: int = 2

    @property
    def folder(self) -> str:
        """Where the test's folders are on the node."""
        return f"/var/lib/flexlbf-e2e/{self.namespace}"

    def drive(self, index: int) -> str:
        """A drive's folder on the node."""
        return f"{self.folder}/tapes/tape-{index}"

    def offer(self, *, deadline: str = "2m", args: Sequence[str] = ("agent",)) -> None:
        """Make the drives, and apply pool and class; both are named after the namespace."""
        for index in range(self.drives):
            self.node.make_folder(self.drive(index))
        devices = [f"/tapes/tape-{index}" for index in range(self.drives)]
        group = {
            "name": "tape",
            "count": self.drives,
            "maxThroughput": "80M",
            "maxAgents": self.agents,
            "devices": devices,
        }
        template = {"spec": _pod(self.cluster.image, args, f"{self.folder}/tapes")}
        class_spec = {
            "retries": 0,
            "activeDeadline": deadline,
            "source": {"hostPaths": [self.folder]},
            "podTemplate": template,
        }
        self.apply("TapePool", self.namespace, {"drives": [group]}, cluster_scoped=True)
        self.apply("BackupClass", self.namespace, class_spec, cluster_scoped=True)

    def plan(self, objects: list[dict[str, Any]], schedule: str = FAR_AWAY) -> list[PlannedObject]:
        """Apply a set and its policy, wait until it is ready, and give its CronJobs in their order."""
        estimated = [{"estimate": {"duration": "1m", "throughput": "10M"}, **each} for each in objects]
        self.apply("BackupSet", "all", {"objects": estimated})
        spec = {
            "schedule": schedule,
            "backupSets": {"names": ["all"]},
            "tapePool": self.namespace,
            "backupClass": self.namespace,
        }
        self.apply("BackupPolicy", POLICY, spec)
        await_policies(self.cluster, namespace=self.namespace)
        return planned_objects(self.cluster, self.namespace, POLICY, estimated)

    def policy(self) -> dict[str, Any]:
        """The policy as it is now."""
        found: dict[str, Any] = self.cluster.get("backuppolicy", POLICY, f"--namespace={self.namespace}")
        return found

    def planned_drives(self) -> list[Drive]:
        """What the plan gives each drive at the most."""
        agents = self.policy()["status"]["recommendation"]["maxAgents"]
        return [Drive(f"tape-{index}", agents, RATE) for index in range(self.drives)]

    def apply(self, kind: str, name: str, spec: dict[str, Any], *, cluster_scoped: bool = False) -> None:
        """Apply an object."""
        metadata = {"name": name} if cluster_scoped else {"name": name, "namespace": self.namespace}
        raw = {"apiVersion": API, "kind": kind, "metadata": metadata, "spec": spec}
        self.cluster.kubectl("apply", "--server-side", "--filename=-", text=json.dumps(raw))

    def close(self) -> None:
        """Remove what the namespace's deletion leaves."""
        for kind in ("tapepool", "backupclass"):
            self.cluster.kubectl("delete", kind, self.namespace, "--ignore-not-found", "--wait=false")


def _pod(image: str, args: Sequence[str], tapes: str) -> dict[str, Any]:
    return {
        "terminationGracePeriodSeconds": 2,
        "securityContext": {"runAsNonRoot": True, "runAsUser": 65532, "runAsGroup": 65532},
        "containers": [
            {
                "name": "agent",
                "image": image,
                "imagePullPolicy": "Never",
                "args": list(args),
                "securityContext": {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True},
                "volumeMounts": [{"name": "tapes", "mountPath": "/tapes"}],
            }
        ],
        # Mounts made on the node before the pod starts are seen in it as well.
        "volumes": [{"name": "tapes", "hostPath": {"path": tapes, "type": "Directory"}}],
    }
