"""Reads the pods of a session at their newest version, when their Jobs are seen to have ended before them."""

from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.resources import PODS
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, ObservedPod
from flexlbf.manifests.names import LABEL_SESSION, label_value


class PodReader:
    """Takes pods into the index, beside the watch that may lag behind that of the Jobs."""

    def __init__(self, client: KubeClient, runs: RunIndex) -> None:
        self._client = client
        self._runs = runs

    async def read(self, session: ObservedJob) -> None:
        """Read all pods of a session's objects that are there; raises ApiError.

        They are as many as run, and those of the few Jobs that are kept.
        """
        namespace, name = session.place
        labels = f"{LABEL_SESSION}={label_value(name)}"
        async for items, _ in self._client.pages(PODS, namespace, labels=labels):
            for raw in items:
                self._runs.put_pod(ObservedPod.of(raw))
