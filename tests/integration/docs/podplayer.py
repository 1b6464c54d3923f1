"""Plays pods where there are no nodes: each ends a moment after it was created, and tells its bytes."""

import json
import threading
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Self

from integration.handlers.cluster import Cluster
from localcluster.bare import BareControlPlane

RUNS_FOR = timedelta(seconds=1)
PAUSE_S = 0.2
WROTE = 31_400_000_000
FAILING = "/broken"
"""An object whose name ends so fails, so that pages can show what then happens."""


class PodPlayer:
    """A kubelet of all pods; a context manager."""

    def __init__(self, plane: BareControlPlane) -> None:
        self._cluster = Cluster(plane, "default")
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play, name="pod player")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()
        self._cluster.close()

    def _play(self) -> None:
        while not self._over.wait(PAUSE_S):
            now = datetime.now(UTC)
            for pod in self._cluster.request("GET", "/api/v1/pods").body["items"]:
                created = datetime.fromisoformat(pod["metadata"]["creationTimestamp"])
                if pod["status"].get("phase") == "Pending" and now - created >= RUNS_FOR:
                    self._end(pod, created, now)

    def _end(self, pod: dict[str, Any], created: datetime, now: datetime) -> None:
        """Write the pod's end; that it is gone meanwhile is fine."""
        metadata, spec = pod["metadata"], pod["spec"]
        fails = metadata.get("annotations", {}).get("flexlbf.io/object", "").endswith(FAILING)
        message = {"error": "there is no such folder"} if fails else {"bytes": WROTE}
        terminated = {
            "exitCode": int(fails),
            "reason": "Error" if fails else "Completed",
            "message": json.dumps(message),
            "startedAt": _stamp(created),
            "finishedAt": _stamp(now),
        }
        statuses = [
            {
                "name": each["name"],
                "image": each["image"],
                "imageID": "",
                "ready": False,
                "restartCount": 0,
                "state": {"terminated": terminated},
            }
            for each in spec["containers"]
        ]
        path = f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}/status"
        status = {"phase": "Failed" if fails else "Succeeded", "containerStatuses": statuses}
        self._cluster.request("PATCH", path, {"status": status}, "application/merge-patch+json")


def _stamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
