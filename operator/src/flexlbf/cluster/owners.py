"""Whether a session really has no policy any more, and not only unseen: asked of the API server itself."""

from typing import Any

from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.resources import BACKUP_POLICIES, CRON_JOBS, Resource
from flexlbf.cluster.runs import ObservedJob
from flexlbf.manifests.names import label_value
from flexlbf.planning.findings import Finding, Reason

GONE = Finding(Reason.POLICY_DELETED, "the policy was deleted")
LOOSE = Finding(
    Reason.SESSION_ABANDONED,
    "nothing says any more that it is its policy's, as after its CronJob was deleted",
)

_KINDS = {"CronJob": CRON_JOBS, "BackupPolicy": BACKUP_POLICIES}


class Owners:
    """Looks for what controls a session, at the newest version."""

    def __init__(self, client: KubeClient) -> None:
        self._client = client

    async def lost(self, session: ObservedJob) -> Finding | None:
        """Why a session has no policy any more; None if it has; raises ApiError."""
        kind, name, uid = session.owner_kind, session.owner_name, session.owner
        while kind != "BackupPolicy":
            owned = await self._read(_KINDS.get(kind), name, session.place.namespace, uid)
            if owned is None:
                return LOOSE if await self._names_a_policy(session) else GONE
            owners = owned["metadata"].get("ownerReferences") or ()
            kind, name, uid = next(
                ((each["kind"], each["name"], each["uid"]) for each in owners if each.get("controller")),
                ("", "", ""),
            )
        there = await self._read(BACKUP_POLICIES, name, session.place.namespace, uid)
        return GONE if there is None else None

    async def _names_a_policy(self, session: ObservedJob) -> bool:
        """Whether a session's label names a policy that is there to stay."""
        pages = self._client.pages(BACKUP_POLICIES, session.place.namespace, metadata_only=True)
        async for found, _ in pages:
            for each in found:
                metadata = each["metadata"]
                if label_value(metadata["name"]) == session.policy and "deletionTimestamp" not in metadata:
                    return True
        return False

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
