"""The last plan of each policy that could be made: what people see while a new one can't be."""

from dataclasses import replace

from flexlbf.cluster.state import Key, key_of
from flexlbf.planning.plan import Plan
from flexlbf.planning.recency import recorded_recency
from flexlbf.planning.snapshot import PolicySnapshot, RawObject


class LastPlans:
    """Keeps them, each for the policy that it was made for and not for another that took its name."""

    def __init__(self) -> None:
        self._plans: dict[Key, tuple[str, Plan]] = {}

    def of(self, policy: RawObject | None) -> Plan | None:
        """The last plan of a policy that could be made; None if this process has made none yet."""
        if policy is None:
            return None
        uid, plan = self._plans.get(key_of(policy), ("", None))
        return plan if uid == policy["metadata"]["uid"] else None

    def keep(self, policy: RawObject, plan: Plan) -> None:
        """A plan was made; one that is stalled takes no other's place."""
        if plan.stalled is None:
            self._plans[key_of(policy)] = policy["metadata"]["uid"], plan

    def refresh(self, snapshot: PolicySnapshot) -> None:
        """Backups go on by the last plan, so how old they are comes from the present records.

        Where these tell of nothing, as once the sets are gone, what was known stays.
        """
        plan = self.of(snapshot.policy)
        now = recorded_recency(snapshot)
        if plan is not None and now.oldest is not None:
            self.keep(snapshot.policy, replace(plan, recency=now))

    def forget(self, key: Key) -> None:
        """A policy is gone."""
        self._plans.pop(key, None)
