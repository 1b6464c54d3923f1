"""The largest set that the schema admits, in the characters that take the most room."""

import json
from typing import Any

from flexlbf.api.v1alpha1.backupset import ESCAPED, MAX_CHARACTERS, MAX_OBJECTS

WIDEST = "\U0001f4be"
"""A character of four bytes, in the name and again among the managed fields."""


def largest_set(filler: str = WIDEST) -> dict[str, Any]:
    """A BackupSet in which everything is as large and as many as can be, its names filled up as given."""
    measurement = {
        "start": "2026-01-31T22:00:00.123456+01:00",
        "duration": "99999h9999999m1.125s",
        "bytes": "9999999999999999999",
    }
    room = MAX_CHARACTERS // MAX_OBJECTS - len("000/") - len("/") - len("h")
    filling = filler * (room // (2 if filler in ESCAPED else 1))
    objects = [
        {
            "name": f"{index:03}/{filling}",
            "source": {"hostPath": "/"},
            "host": "h",
            "estimate": {"duration": measurement["duration"], "throughput": measurement["bytes"]},
            "history": [measurement] * 7,
        }
        for index in range(MAX_OBJECTS)
    ]
    return {
        "apiVersion": "flexlbf.io/v1alpha1",
        "kind": "BackupSet",
        "metadata": {"name": "largest"},
        "spec": {"objects": objects, "historyFrom": {"configMap": "c" * 253, "key": "k" * 253}},
    }


def stored_bytes(resource: dict[str, Any]) -> int:
    """What the API server stores of it, with one manager of its fields."""
    manager: dict[str, Any] = {
        f"k:{_go_json({'name': one['name']})}": {
            ".": {},
            **{f"f:{field}": {} for field in ("name", "source", "host", "estimate", "history")},
        }
        for one in resource["spec"]["objects"]
    }
    managed = {"manager": "kubectl", "operation": "Apply", "fieldsV1": {"f:spec": {"f:objects": manager}}}
    return len(_go_json(resource | {"metadata": {"managedFields": [managed]}}).encode())


def _go_json(value: Any) -> str:
    """JSON as Go writes it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("<", r"\u003c")
