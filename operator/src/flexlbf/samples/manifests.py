"""The sample manifests: a site like the paper's, with its eight servers."""

from collections.abc import Callable
from typing import Any

import yaml

from flexlbf.api.durations import Duration
from flexlbf.history import Measurement
from flexlbf.samples import texts
from flexlbf.samples.csvtext import timestamp
from flexlbf.samples.generator import Server, servers
from flexlbf.scheduling.units import NANOSECONDS

API_VERSION = "flexlbf.io/v1alpha1"
TIER = {"backup.example.com/tier": "weekly"}

NIGHTS: tuple[dict[str, Any], ...] = (
    {"schedule": "0 22 * * 5", "window": "24h", "objective": "Fastest"},
    {"schedule": "0 20 * * 0", "window": "14h", "objective": "Fastest"},
    # A longer session on fewer drives leaves the others to somebody else.
    {"schedule": "0 18 * * 6", "window": "20h", "objective": "WithinPercent", "percent": 15},
    {"schedule": "30 21 * * 1", "window": "9h", "objective": "Fastest"},
    {"schedule": "0 22 * * 2", "window": "8h", "objective": "Fastest"},
    {"schedule": "0 19 * * 3", "window": "14h", "objective": "Fastest"},
    # Done before people come to work; faster than that is of no use to anybody.
    {"schedule": "0 22 * * 4", "window": "8h", "objective": "Deadline"},
    {"schedule": "0 20 * * 4", "window": "12h", "objective": "Fastest"},
)
"""When each server's session begins and what it is to achieve; the last two share a night and the pool."""


def manifests() -> dict[str, str]:
    """The text of every sample manifest, by its path below the samples' folder."""
    weekly = servers()
    return {
        "01-tapepool.yaml": texts.TAPE_POOL,
        "02-backupclass.yaml": texts.BACKUP_CLASS,
        "03-backupsets.yaml": texts.BACKUP_SETS + _documents(_backup_set, weekly),
        "04-backuppolicies.yaml": texts.BACKUP_POLICIES + _documents(_backup_policy, weekly),
    }


def _documents(make: Callable[[Server], dict[str, Any]], weekly: tuple[Server, ...]) -> str:
    return "---\n".join(_yaml(make(each)) for each in weekly)


def _yaml(resource: dict[str, Any]) -> str:
    # Measurements in one line each: three times as many lines would hide what a file says.
    return str(yaml.safe_dump(resource, sort_keys=False, default_flow_style=None, width=110))


def _backup_set(server: Server) -> dict[str, Any]:
    return {
        "apiVersion": API_VERSION,
        "kind": "BackupSet",
        "metadata": {
            "name": server.name,
            "labels": {**TIER, "backup.example.com/server": server.name},
        },
        "spec": {
            "objects": [
                {"name": each.name, "history": [_measurement(run) for run in each.measurements]}
                for each in server.objects
            ]
        },
    }


def _measurement(run: Measurement) -> dict[str, Any]:
    duration = Duration(run.duration * 1000 // NANOSECONDS)
    return {"start": timestamp(run.start), "duration": str(duration), "bytes": run.size}


def _backup_policy(server: Server) -> dict[str, Any]:
    night = NIGHTS[int(server.name.removeprefix("server")) - 1]
    return {
        "apiVersion": API_VERSION,
        "kind": "BackupPolicy",
        "metadata": {"name": server.name, "labels": dict(TIER)},
        "spec": {
            "schedule": night["schedule"],
            "timeZone": "Europe/Berlin",
            "window": night["window"],
            "backupSets": {"names": [server.name]},
            "tapePool": "lto",
            "backupClass": "directory",
            "objective": night["objective"],
            **({"percent": night["percent"]} if "percent" in night else {}),
            "mode": "Recommend",
        },
    }
