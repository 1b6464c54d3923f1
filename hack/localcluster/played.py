"""Nodes that kwok plays, so that pods have ends without any container: seconds stand for hours of a session.

What becomes of a pod is written in its environment; see ``files/kwok/pods.yaml``.
"""

import json
from pathlib import Path
from typing import Any

from localcluster import gobuild
from localcluster.versions import KWOK_ITSELF

STAGES = Path(__file__).parent / "files" / "kwok"
PARALLEL = 16
"""Requests about pods that kwok makes at once; four by itself, too few when many pods end together."""

LEASE_SECONDS = 40


def command(kubeconfig: Path, directory: Path) -> list[str | Path]:
    """The command line of kwok, whose settings are written into ``directory``."""
    settings = directory / "kwok.json"
    settings.write_text(json.dumps(_settings()))
    stages = sorted(STAGES.glob("*.yaml"))
    return [
        gobuild.programs(KWOK_ITSELF) / "kwok",
        f"--kubeconfig={kubeconfig}",
        *(f"--config={file}" for file in (settings, *stages)),
    ]


def nodes(count: int) -> dict[str, Any]:
    """A list of so many nodes; kwok makes them ready."""
    return {"apiVersion": "v1", "kind": "List", "items": [_node(f"played-{index}") for index in range(count)]}


def _node(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {"type": "kwok"}}}


def _settings() -> dict[str, Any]:
    return {
        "apiVersion": "config.kwok.x-k8s.io/v1alpha1",
        "kind": "KwokConfiguration",
        "options": {
            "manageAllNodes": True,
            "podPlayStageParallelism": PARALLEL,
            "nodePlayStageParallelism": 1,
            "podsOnNodeSyncParallelism": 1,
            "nodeLeaseParallelism": 1,
            "nodeLeaseDurationSeconds": LEASE_SECONDS,
        },
    }
