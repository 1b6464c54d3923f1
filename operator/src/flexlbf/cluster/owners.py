"""Whether the policy of a session is really gone, and not only unseen: asked of the API server itself."""

from typing import Any

from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.resources import BACKUP_POLICIES, CRON_JOBS, Resource
from flexlbf.cluster.runs import ObservedJob

_KINDS = {"CronJob": CRON_JOBS, "BackupPolicy": BACKUP_POLICIES}


class Owners:
    """Looks for what controls a session, at the newest version."""

    def __init__(self, client: KubeClient) -> None:
        self._client = client

    async def are_gone(self, session: ObservedJob) -> bool:
        """Whether a session has lost its policy, or the CronJob between them; raises ApiError."""
        kind, name, uid = session.owner_kind, session.owner_name, session.owner
        while kind != "BackupPolicy":
            owned = await self._read(_KINDS.get(kind), name, session.place.namespace, uid)
            if owned is None:
                return True
            owners = owned["metadata"].get("ownerReferences") or ()
            kind, name, uid = next(
                ((each["kind"], each["name"], each["uid"]) for each in owners if each.get("controller")),
                ("", "", ""),
            )
        return await self._read(BACKUP_POLICIES, name, session.place.namespace, uid) is None

    async def _read(
        self, resource: Resource | None, name: str, namespace: str, uid: str
    ) -> dict[str, Any] | None:
        if resource is None:
            return None
        # A list, since the operator may list these kinds and needs nothing else of them.
        async for found, _ in self._client.pages(resource, namespace, name=name, metadata_only=True):
            for each in found:
                if each["metadata"]["uid"] == uid:
                    return each
        return None
