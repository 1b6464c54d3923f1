"""Gets one object back with the agent, and compares it with its source."""

from typing import Any

from demo.clusters import Cluster
from demo.pods import container, run_pod, source_volume

# diff compares contents and links; find what diff doesn't look at.
COMPARE = r"""
set -eu
diff --recursive --no-dereference /source /restored/data
describe() { (cd "$1" && find . -mindepth 1 -printf '%y %m %T@ %l %p\n' | sort); }
describe /source >/tmp/source
describe /restored/data >/tmp/restored
diff /tmp/source /tmp/restored
find /source -type f | wc -l
"""


def restore_and_compare(cluster: Cluster, namespace: str, backup_object: dict[str, Any], drive: str) -> int:
    """Restore an object from a drive, in a pod; the number of files, if all are as at the source.

    Args:
        cluster: where the pod runs.
        namespace: the pod's, which is that of the object's claim too.
        backup_object: the object as its BackupSet has it.
        drive: the drive's folder on the node.

    Raises:
        LocalClusterError: the restore failed, or something differs.
    """
    restore = ("flexlbf", "agent", "restore", "--device=/drive", f"--object={backup_object['name']}")
    source = {"name": "source", "mountPath": "/source", "readOnly": True}
    restored, scratch = (
        {"name": "restored", "mountPath": "/restored"},
        {"name": "scratch", "mountPath": "/tmp"},  # noqa: S108 - a volume of the pod
    )
    drive_mount = {"name": "drive", "mountPath": "/drive", "readOnly": True}
    target = "--target=/restored/data"
    spec = {
        "initContainers": [
            container(cluster, "restore", *restore, target, volumeMounts=[drive_mount, restored]),
        ],
        "containers": [
            container(cluster, "compare", "sh", "-c", COMPARE, volumeMounts=[source, restored, scratch]),
        ],
        "volumes": [
            {"name": "drive", "hostPath": {"path": drive, "type": "Directory"}},
            {"name": "restored", "emptyDir": {}},
            {"name": "scratch", "emptyDir": {}},
            {"name": "source", **source_volume(backup_object["source"])},
        ],
    }
    return int(run_pod(cluster, namespace, "restore-and-compare", spec).split()[-1])
