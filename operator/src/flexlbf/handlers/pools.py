"""Reconcile one pool: its status tells who uses it, and whether there is enough of it."""

from collections.abc import Callable
from datetime import datetime

from flexlbf.cluster.resources import TAPE_POOLS
from flexlbf.cluster.state import ClusterState, Key, spec_field
from flexlbf.cluster.writer import Writer
from flexlbf.handlers.planner import Planner
from flexlbf.planning.pool import pool_status
from flexlbf.planning.status import differs


class PoolReconciler:
    """Writes the status of pools."""

    def __init__(
        self, state: ClusterState, planner: Planner, writer: Writer, clock: Callable[[], datetime]
    ) -> None:
        self._state = state
        self._planner = planner
        self._writer = writer
        self._clock = clock

    async def reconcile(self, key: Key) -> None:
        """Reconcile a pool; raises ApiError and PlanningError for the caller to try again."""
        pool = self._state.objects[TAPE_POOLS].get(key)
        if pool is None:
            return
        users = [each for each in self._state.policies.values() if spec_field(each, "tapePool") == key.name]
        status = await self._planner.run(pool_status, pool, users, self._clock())
        if differs(status, pool):
            await self._writer.write_status(TAPE_POOLS, pool, status)
