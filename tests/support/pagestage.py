"""A cluster in memory whose pages are served, as an operator would hold and serve it."""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from flexlbf.api.timestamps import format_timestamp
from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.gather import Gatherer
from flexlbf.cluster.resources import OWN_KINDS
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob
from flexlbf.cluster.state import ClusterState
from flexlbf.handlers.listener import Address, Listener
from flexlbf.handlers.observe import KINDS
from flexlbf.handlers.pages import pages_application
from flexlbf.handlers.pages.drawings import Drawings
from flexlbf.handlers.pages.source import PageSource
from flexlbf.planning.offline import Fleet
from support.reports import NOW
from support.resources import Raw

ANYWHERE = Address("127.0.0.1", 0)


class NoClient(KubeClient):
    """Fails whoever asks the cluster: pages are made of what is in memory."""

    def __init__(self) -> None:
        """Connects to nothing."""

    def __getattribute__(self, name: str) -> Any:
        """Nothing can be asked."""
        raise AssertionError(f"a page asked the cluster: {name}")


class PageStage:
    """What an operator holds."""

    def __init__(self) -> None:
        self.state = ClusterState()
        self.runs = RunIndex()
        self._version = 0

    def put(self, raw: Mapping[str, Any]) -> None:
        """A resource of our own kinds, new or changed."""
        self._version += 1
        resource = next(each for each in OWN_KINDS if KINDS[each] == raw["kind"])
        metadata = {
            "uid": f"uid-of-{raw['kind']}-{raw['metadata']['name']}",
            "generation": self._version,
            **raw["metadata"],
            "resourceVersion": str(self._version),
        }
        self.state.put(resource, {**raw, "metadata": metadata})

    def put_fleet(self, fleet: Fleet) -> None:
        """All of a fleet; its policies with the status that the operator gives them."""
        for raw in fleet.resources.values():
            self.put(fleet.plan(raw, NOW).policy if raw["kind"] == "BackupPolicy" else raw)

    def run(
        self, obj: str, drive: str, minutes: float, policy: str = "weekly", pool: str = "library"
    ) -> None:
        """An object is being backed up since so many minutes."""
        self._version += 1
        labels = {"role": "object", "policy": policy, "pool": pool, "drive": drive}
        notes = {"object": obj, "backup-set": "fleet", "rate": "12500000", "attempt": "1"}
        metadata = {
            "name": f"job-{self._version}",
            "namespace": "default",
            "uid": f"uid-of-job-{self._version}",
            "resourceVersion": str(self._version),
            "creationTimestamp": format_timestamp(NOW - timedelta(minutes=minutes)),
            "labels": {f"flexlbf.io/{key}": value for key, value in labels.items()},
            "annotations": {f"flexlbf.io/{key}": value for key, value in notes.items()},
        }
        self.runs.put_job(ObservedJob.of({"metadata": metadata, "spec": {}, "status": {}}))

    def source(self) -> PageSource:
        """What pages are made of."""
        return PageSource(self.state, self.runs, Gatherer(NoClient(), self.state))

    @contextmanager
    def served(self) -> Iterator[str]:
        """Serve the pages beside the test; gives the address of the overview."""
        started: threading.Event = threading.Event()
        where: list[Address] = []
        loop = asyncio.new_event_loop()
        ending = asyncio.Event()

        async def serve() -> None:
            application = pages_application(self.source(), Drawings(now), now, lambda: True)
            async with Listener(application, ANYWHERE) as listener:
                where.append(listener.address)
                started.set()
                await ending.wait()

        thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
        thread.start()
        assert started.wait(30), "the pages were not served"
        try:
            yield f"http://{where[0]}/policies"
        finally:
            loop.call_soon_threadsafe(ending.set)
            thread.join()
            loop.close()


def now() -> datetime:
    """The time of all that is staged."""
    return NOW


def running_session(objects: int) -> Raw:
    """The status of a session that is in its middle."""
    done, running, failed, skipped = objects * 4 // 10, 3, 1, 1
    return {
        "name": "weekly-29344800",
        "state": "Running",
        "started": format_timestamp(NOW - timedelta(hours=2)),
        "expectedEnd": format_timestamp(NOW.astimezone(UTC) + timedelta(hours=3, minutes=10)),
        "objects": objects,
        "released": done + running + failed,
        "running": running,
        "waiting": {
            "objects": objects - done - running - failed - skipped,
            "head": "srv1:/home/volume7",
            "reason": "it needs 42 MB/s and the drive with the most room, lto8-1, has 12 MB/s",
        },
        "done": done,
        "failed": failed,
        "failedObjects": ["srv0:/db/volume3"],
        "skipped": skipped,
        "skippedObjects": ["<script>alert(1)</script>"],
        "bytes": "4.52T",
    }
