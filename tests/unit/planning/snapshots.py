"""Snapshots for planning: a policy that can be planned, and whatever a test changes about it."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Self

from flexlbf.planning.decide import decide
from flexlbf.planning.plan import Plan
from flexlbf.planning.snapshot import Histories, PolicySnapshot, RawObject
from support.resources import Class, Policy, Pool, Raw, Set, a_class, a_policy, a_pool, a_set

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Scene:
    """A policy and all that it refers to; None takes a part away."""

    policy: Policy = field(default_factory=a_policy)
    sets: tuple[Set, ...] = field(default_factory=lambda: (a_set().with_object("fs:/a"),))
    pool: Pool | None = field(default_factory=lambda: a_pool().with_drives())
    backup_class: Class | None = field(default_factory=a_class)
    config_maps: dict[str, dict[str, str]] = field(default_factory=dict)
    namespace_labels: dict[str, str] = field(default_factory=dict)
    histories: Histories = field(default_factory=dict)

    def having(self, **parts: Any) -> Self:
        """With these parts instead."""
        return replace(self, **parts)

    def snapshot(self) -> PolicySnapshot:
        """As the operator takes it."""
        return PolicySnapshot(
            policy=self.policy.observed("backup"),
            backup_sets=tuple(each.observed("backup") for each in self.sets),
            tape_pool=self.pool.observed() if self.pool else None,
            backup_class=self.backup_class.observed() if self.backup_class else None,
            config_maps=self.config_maps,
            namespace_labels=self.namespace_labels,
            histories=self.histories,
        )

    def plan(self) -> Plan:
        """What is decided."""
        return decide(self.snapshot())


def with_status(policy: RawObject, status: RawObject) -> Raw:
    """The policy with a status that was written before."""
    return {**policy, "status": status}
