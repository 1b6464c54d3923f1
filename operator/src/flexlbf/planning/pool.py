"""What policies ask of a pool at the same time (design: the pool's status)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice, takewhile
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from flexlbf.api.durations import Duration
from flexlbf.api.quantities import format_quantity, parse_quantity
from flexlbf.api.v1alpha1 import (
    BackupPolicy,
    Condition,
    ConditionStatus,
    ConditionType,
    Mode,
    PoolUse,
    TapePool,
    TapePoolStatus,
    merge_conditions,
)
from flexlbf.planning.cron import CronError, CronSchedule
from flexlbf.planning.findings import PoolReason
from flexlbf.planning.snapshot import RawObject

HORIZON = timedelta(days=366)
MAX_SESSIONS = 1500
MAX_SHOWN = 512

# Not from now on but over a year that never changes: the same policies give the same status at any time.
_ANCHOR = datetime(2024, 1, 1, tzinfo=UTC)
_NEVER = datetime.fromisoformat("1970-01-01T00:00:00Z")


@dataclass(frozen=True, slots=True)
class _Use:
    """What one policy asks of the pool whenever its session runs; throughput in bytes a second."""

    policy: BackupPolicy
    drives: int
    throughput: int
    duration: timedelta


def pool_status(raw_pool: RawObject, policies: Iterable[RawObject], now: datetime) -> dict[str, Any]:
    """The status of a pool, from the statuses of the policies that use it.

    Raises:
        ValidationError: the pool is not as its schema says.
    """
    pool = TapePool.read(raw_pool)
    uses = sorted(_uses(pool, policies), key=lambda use: _place(use.policy))
    there = sum(group.count for group in pool.spec.drives)
    rate = sum(group.count * group.max_throughput for group in pool.spec.drives)
    drives, throughput = _peaks(uses)
    over = drives > there or throughput > rate
    wording = (
        f"at most {drives} of {there} drives and {format_quantity(throughput)} of {format_quantity(rate)} "
        "bytes a second are asked for at the same time"
    )
    if over:
        wording += ": move a schedule, lower the policies' limits or add drives"
    conditions = merge_conditions(
        pool.status.conditions or () if pool.status else (),
        (
            _condition(pool, ConditionType.READY, PoolReason.DRIVES_KNOWN, f"{there} drives", holds=True),
            _condition(
                pool,
                ConditionType.OVERSUBSCRIBED,
                PoolReason.OVERLAPPING if over else PoolReason.ENOUGH,
                wording,
                holds=over,
            ),
        ),
        now=now,
    )
    return TapePoolStatus(
        observed_generation=pool.metadata.generation,
        conditions=conditions,
        drives=there,
        policies=tuple(_shown(use) for use in uses[:MAX_SHOWN]),
        peak_drives=drives,
        peak_throughput=format_quantity(throughput),
    ).to_api()


def _place(policy: BackupPolicy) -> tuple[str, str]:
    return policy.metadata.namespace or "", policy.metadata.name


def _shown(use: _Use) -> PoolUse:
    namespace, name = _place(use.policy)
    return PoolUse(
        namespace=namespace, name=name, drives=use.drives, throughput=format_quantity(use.throughput)
    )


def _condition(
    pool: TapePool, kind: ConditionType, reason: PoolReason, message: str, *, holds: bool
) -> Condition:
    return Condition(
        type=kind,
        status=ConditionStatus.TRUE if holds else ConditionStatus.FALSE,
        reason=reason,
        message=message,
        observed_generation=pool.metadata.generation,
        last_transition_time=_NEVER,
    )


def _uses(pool: TapePool, policies: Iterable[RawObject]) -> Iterator[_Use]:
    """The policies that really run on the pool: planned, applied and not suspended."""
    for raw in policies:
        try:
            policy = BackupPolicy.read(raw)
        except ValidationError:
            continue
        runs = policy.spec.mode is Mode.APPLY and not policy.spec.suspend
        status = policy.status.recommendation if policy.status else None
        if policy.spec.tape_pool == pool.metadata.name and runs and status:
            asked = status.peak_throughput or "0"
            try:
                throughput = 0 if asked == "0" else parse_quantity(asked)
                duration = timedelta(milliseconds=Duration.parse(status.duration).milliseconds)
            except ValueError:
                continue  # a status that somebody else wrote; the policy's own will follow
            yield _Use(policy, status.drives, throughput, duration)


def _peaks(uses: Iterable[_Use]) -> tuple[int, int]:
    """The most drives and the highest rate that sessions ask for at one moment; ends come before starts."""
    changes = sorted(change for use in uses for change in _changes(use))
    drives = throughput = most_drives = most_throughput = 0
    for _, more_drives, more_throughput in changes:
        drives += more_drives
        throughput += more_throughput
        most_drives, most_throughput = max(most_drives, drives), max(most_throughput, throughput)
    return most_drives, most_throughput


def _changes(use: _Use) -> Iterator[tuple[datetime, int, int]]:
    for begins in _session_starts(use.policy.spec.schedule, use.policy.spec.time_zone):
        yield begins, use.drives, use.throughput
        yield begins + use.duration, -use.drives, -use.throughput


@lru_cache(maxsize=1024)  # every policy of a pool is looked at for each that changes
def _session_starts(schedule: str, time_zone: str) -> tuple[datetime, ...]:
    """The starts of a year's sessions, in UTC."""
    try:
        starts = CronSchedule.parse(schedule).starts(_ANCHOR.astimezone(ZoneInfo(time_zone)))
    except (CronError, ValueError, OSError, KeyError):
        return ()
    year = takewhile(lambda start: start <= _ANCHOR + HORIZON, islice(starts, MAX_SESSIONS))
    return tuple(start.astimezone(UTC) for start in year)
