"""Reads the pods of a session at their newest version, when their Jobs are seen to have ended before them."""

from collections.abc import Callable

from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.resources import PODS
from flexlbf.cluster.runs import ObservedJob, ObservedPod
from flexlbf.manifests.names import LABEL_SESSION, label_value


class PodReader:
    """Takes pods in, beside the watch that may lag behind that of the Jobs.

    Args:
        take_in: what the watch calls for each: what it sees second is no news to it, and wakes nobody.
    """

    def __init__(self, client: KubeClient, take_in: Callable[[bool, ObservedPod], object]) -> None:
        self._client = client
        self._take_in = take_in

    async def read(self, session: ObservedJob) -> None:
        """Read all pods of a session's objects that are there; raises ApiError.

        They are as many as run, and those of the few Jobs that are kept.
        """
        namespace, name = session.place
        labels = f"{LABEL_SESSION}={label_value(name)}"
        async for items, _ in self._client.pages(PODS, namespace, labels=labels):
            for raw in items:
                self._take_in(False, ObservedPod.of(raw))
