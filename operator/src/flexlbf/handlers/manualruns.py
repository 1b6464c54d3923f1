"""Sessions that a person asks for now, by `spec.runToken`."""

import logging

from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy
from flexlbf.cluster.jobs import JobWriter
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, Place
from flexlbf.cluster.state import ClusterState, Key
from flexlbf.manifests.names import manual_session_name
from flexlbf.manifests.session import manual_session_job
from flexlbf.planning.plan import Plan
from flexlbf.planning.snapshot import PolicySnapshot, read

logger = logging.getLogger(__name__)


class ManualRuns:
    """Makes the session's Job for a run token that was not served yet: one Job a token."""

    def __init__(self, state: ClusterState, runs: RunIndex, writer: JobWriter) -> None:
        self._state = state
        self._runs = runs
        self._writer = writer

    async def ask(self, snapshot: PolicySnapshot, plan: Plan) -> None:
        """Begin a session if a policy's token asks for one; raises ApiError.

        A token that was served is in the status before its Job is over. So a Job of its name that is over,
        while the status has another, is that of an earlier time: the token was given again.
        """
        policy = read(BackupPolicy, snapshot.policy)
        token, served = policy.spec.run_token, self._served(policy)
        if token is None or token == served or plan.session is None:
            return
        name = manual_session_name(policy.metadata.name, token)
        known = self._runs.job(Place(policy.metadata.namespace or "", name))
        if known is not None and known.outcome is None:
            return
        for over in self._earlier(policy.metadata.uid or ""):
            await self._writer.delete(over)
        if known is not None:
            return  # it comes again when the deletion has been seen
        backup_class = read(BackupClass, snapshot.backup_class or {})
        await self._writer.create(manual_session_job(policy, backup_class.spec, plan.session.size, token))
        logger.info("Run token %r of %s begins session %s", token, policy.metadata.name, name)

    def _served(self, policy: BackupPolicy) -> str | None:
        """The last token that was served, by the status as it is now: planning may have taken a while."""
        raw = self._state.policies.get(Key(policy.metadata.namespace or "", policy.metadata.name)) or {}
        token: str | None = (raw.get("status") or {}).get("runToken")
        return token

    def _earlier(self, policy: str) -> list[ObservedJob]:
        """The sessions of earlier tokens that are over; nothing else would ever delete them."""
        return [each for each in self._runs.sessions() if each.owner == policy and each.outcome is not None]
