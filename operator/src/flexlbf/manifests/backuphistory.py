"""A shard of a set's history as the API server holds it."""

from collections.abc import Mapping
from typing import Any

from flexlbf.api.durations import Duration
from flexlbf.api.quantities import format_quantity
from flexlbf.api.timestamps import format_timestamp
from flexlbf.api.v1alpha1 import BackupHistory, BackupSet
from flexlbf.api.v1alpha1.backuphistory import ObjectHistory
from flexlbf.history.ledger import Entry, Failures, RecordedRun, Shard
from flexlbf.manifests.names import LABEL_BACKUP_SET, LABEL_MANAGED_BY, MANAGER, history_name, label_value
from flexlbf.scheduling.units import NANOSECONDS_PER_MILLISECOND


def backup_history(namespace: str, backup_set: str, owner: str | None, shard: Shard) -> dict[str, Any]:
    """The BackupHistory of a shard.

    Args:
        namespace: that of the set.
        backup_set: the set's name.
        owner: the set's uid, with which its history goes; None for a set that is in no cluster.
        shard: what it holds.
    """
    runs = [run for entry in shard.entries.values() for run in entry.runs]
    totals: dict[str, Any] = {"objects": len(shard.entries), "runs": len(runs)}
    if runs:
        totals["last"] = format_timestamp(max(run.start for run in runs))
    return {
        "apiVersion": BackupHistory.DEFINITION.api_version,
        "kind": BackupHistory.DEFINITION.kind,
        "metadata": {
            "name": history_name(backup_set, shard.number),
            "namespace": namespace,
            "labels": {LABEL_MANAGED_BY: MANAGER, LABEL_BACKUP_SET: label_value(backup_set)},
            **({"ownerReferences": [_owner_reference(backup_set, owner)]} if owner else {}),
        },
        "spec": {
            "backupSet": backup_set,
            "totals": totals,
            "objects": [_entry(name, entry) for name, entry in shard.entries.items()],
        },
    }


def read_shard(raw: Mapping[str, Any]) -> tuple[str, Shard]:
    """The set and the shard of a BackupHistory, whatever name it has been given.

    Raises:
        ValidationError: it is not as its schema says.
    """
    history = BackupHistory.read(raw)
    _, _, number = history.metadata.name.rpartition("-")
    entries = {each.name: _read(each) for each in history.spec.objects}
    return history.spec.backup_set, Shard(int(number) if number.isdecimal() else 0, entries)


def _owner_reference(backup_set: str, uid: str) -> dict[str, Any]:
    return {
        "apiVersion": BackupSet.DEFINITION.api_version,
        "kind": BackupSet.DEFINITION.kind,
        "name": backup_set,
        "uid": uid,
        "controller": True,
        "blockOwnerDeletion": False,
    }


def _entry(name: str, entry: Entry) -> dict[str, Any]:
    written: dict[str, Any] = {"name": name, "runs": [_run(run) for run in entry.runs]}
    if entry.failures:
        written["failures"] = {
            "session": entry.failures.session,
            "attempts": entry.failures.attempts,
            "start": format_timestamp(entry.failures.start),
        }
    return written


def _run(run: RecordedRun) -> dict[str, Any]:
    written = {
        "start": format_timestamp(run.start),
        "duration": str(Duration(run.duration // NANOSECONDS_PER_MILLISECOND)),
    }
    if run.size is not None:
        written["bytes"] = format_quantity(run.size)
    return written | {"session": run.session}


def _read(each: ObjectHistory) -> Entry:
    runs = tuple(
        RecordedRun(
            run.session, run.start, run.duration.milliseconds * NANOSECONDS_PER_MILLISECOND, run.bytes
        )
        for run in each.runs
    )
    failed = each.failures
    return Entry(runs, Failures(failed.session, failed.attempts, failed.start) if failed else None)
