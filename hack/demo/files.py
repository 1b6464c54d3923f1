"""The demo's folders on the node: drives, and sources with real files of a thousandth of what is planned."""

import json
from pathlib import Path, PurePosixPath
from typing import Any

from demo.clusters import Cluster
from demo.pods import container, run_pod, source_volume
from flexlbf.api.durations import Duration
from flexlbf.api.quantities import parse_quantity
from localcluster.progress import step

SCRIPT = Path(__file__).with_name("make_files.py")
SHRUNK = 1000
WORK = "/var/lib/flexlbf-demo"
TAPES = f"{WORK}/tapes"
ALL = {"name": "work", "hostPath": {"path": WORK, "type": "DirectoryOrCreate"}}

BackupObject = dict[str, Any]


def make(cluster: Cluster, namespace: str, objects: list[BackupObject], drives: list[str]) -> int:
    """Make the drives' folders and every object's files; the number of bytes they have together."""
    claims = [each["source"]["claimName"] for each in objects if "claimName" in each["source"]]
    sizes = {each["name"]: _size(each) for each in objects}
    wanted = [{"path": f"{TAPES}/{drive}", "bytes": 0} for drive in drives]
    wanted += [{"path": _folder(each["source"]), "bytes": sizes[each["name"]]} for each in objects]
    mounts = [{"name": "work", "mountPath": WORK}]
    mounts += [{"name": claim, "mountPath": f"/claims/{claim}"} for claim in claims]
    command = ("python", "-c", SCRIPT.read_text(), json.dumps(wanted))
    spec = {
        "containers": [container(cluster, "make", *command, root=True, volumeMounts=mounts)],
        "volumes": [ALL, *({"name": it, **source_volume({"claimName": it}, writable=True)} for it in claims)],
    }
    total = sum(sizes.values())
    with step(f"Making {total / 1e6:.0f} MB of files for {len(objects)} objects, and {len(drives)} drives"):
        run_pod(cluster, namespace, "make-files", spec)
    return total


def remove(cluster: Cluster, namespace: str) -> None:
    """Remove all folders from a node that lives on."""
    work = PurePosixPath(WORK)
    mounts = [{"name": "parent", "mountPath": "/parent"}]
    command = ("rm", "-rf", f"/parent/{work.name}")
    spec = {
        "containers": [container(cluster, "remove", *command, root=True, volumeMounts=mounts)],
        "volumes": [{"name": "parent", "hostPath": {"path": str(work.parent)}}],
    }
    run_pod(cluster, namespace, "remove-files", spec)


def _size(each: BackupObject) -> int:
    estimate = each["estimate"]
    seconds = Duration.parse(estimate["duration"]).seconds
    return round(seconds * parse_quantity(estimate["throughput"]) / SHRUNK)


def _folder(source: dict[str, str]) -> str:
    return f"/claims/{source['claimName']}" if "claimName" in source else source["hostPath"]
