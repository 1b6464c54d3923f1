"""What the API takes and refuses: examples that the models and the API server are both held to."""

import copy
import itertools
import re
from dataclasses import dataclass
from typing import Any

from flexlbf.api import v1alpha1
from flexlbf.api.model import ApiModel

BASES: dict[str, dict[str, Any]] = {
    "TapePool": {"drives": [{"name": "lto", "count": 2, "maxThroughput": "80M"}]},
    "BackupClass": {"podTemplate": {"spec": {"containers": [{"name": "backup", "image": "example/backup"}]}}},
    "BackupSet": {
        "objects": [
            {
                "name": "fs07:/data",
                "estimate": {"duration": "2h", "throughput": "12M"},
                "history": [{"start": "2026-01-31T22:00:00Z", "duration": "1h", "bytes": "31G"}],
            }
        ],
        "historyFrom": {"configMap": "history"},
    },
    "BackupHistory": {
        "backupSet": "fleet",
        "totals": {"objects": 1, "runs": 1, "last": "2026-01-31T22:00:00Z"},
        "objects": [
            {
                "name": "fs07:/data",
                "runs": [
                    {
                        "start": "2026-01-31T22:00:00Z",
                        "duration": "1h",
                        "bytes": "31G",
                        "session": "weekly-29497740",
                    }
                ],
                "failures": {
                    "session": "weekly-29497740",
                    "attempts": 1,
                    "start": "2026-01-31T21:00:00Z",
                },
            }
        ],
    },
    "BackupPolicy": {
        "schedule": "0 22 * * 5",
        "backupSets": {"names": ["fleet"]},
        "tapePool": "library",
        "backupClass": "default",
    },
}
MODELS: dict[str, type[ApiModel]] = {model.__name__: model for model in v1alpha1.KINDS}
ABSENT = object()
"""Stands for a field that is left out."""


@dataclass(frozen=True)
class Case:
    """Values of one field that are taken, and values that are refused with a message."""

    kind: str
    rule: str
    """The path of the schema node that has the rule, or the bound."""
    says: str
    """How the rule's message begins; for a bound, what the API server says."""
    accepts: tuple[Any, ...]
    refuses: tuple[Any, ...]
    at: str = ""
    """The field that is set, where it isn't the rule's own."""

    @property
    def field(self) -> str:
        """The path of the field that is set."""
        return self.at or self.rule.replace("[]", "[0]")

    def resource(self, value: Any, name: str = "example") -> dict[str, Any]:
        """A resource that is right but for this field's value."""
        resource = {
            "apiVersion": "flexlbf.io/v1alpha1",
            "kind": self.kind,
            "metadata": {"name": name},
            "spec": copy.deepcopy(BASES[self.kind]),
        }
        _put(resource, re.findall(r"[^.\[\]]+", self.field), value)
        return resource

    def __str__(self) -> str:
        return f"{self.kind}.{self.field}: {self.says}"


def _put(node: Any, steps: list[str], value: Any) -> None:
    """Set a value deep in a resource, making what lies on the way."""
    for step, following in itertools.pairwise(steps):
        key: Any = int(step) if step.isdigit() else step
        empty: Any = [{}] if following.isdigit() else {}
        node = node.setdefault(key, empty) if isinstance(node, dict) else node[key]
    last: Any = int(steps[-1]) if steps[-1].isdigit() else steps[-1]
    if value is ABSENT:
        node.pop(last, None)
    elif isinstance(node, dict):
        node[last] = value
    else:
        node[last : last + 1] = [value]


def names(kind: str, path: str) -> Case:
    """A field that holds the name of an object."""
    return Case(
        kind,
        path,
        "write the name of a Kubernetes object",
        accepts=("a", "tape-1.example", "0" * 253),
        refuses=("", "Tape", "-a", "a-", "a..b", "a_b", "a\n"),
    )


def durations(kind: str, path: str, *more: str) -> Case:
    """A field that holds a duration."""
    refused = ("0s", "", "0h0m", "-8h", "8", "8 h", "8h8h", "8m8h", "1w", "1.5h", "8h\n", "PT8H")
    return Case(
        kind,
        path,
        "write a duration above zero",
        ("8h", "15h12m", "90s", "1d", "1d1h30m15s"),
        (*refused, *more),
    )


def quantities(kind: str, path: str) -> Case:
    """A field that holds an amount."""
    refused = (0, -1, "0", "-80M", "+80M", "0.5M", "fast", "M", "", " 80M", ".5G", "80MB", "80m", "80M\n")
    return Case(
        kind, path, "write an amount above zero", (1, "80M", "1.5G", "80Mi", 80_000_000, "512"), refused
    )


def paths(kind: str, path: str) -> tuple[Case, Case]:
    """A field that holds a folder."""
    return (
        Case(
            kind,
            path,
            "write an absolute path",
            ("/", "/srv", "/srv/a b/"),
            ("srv", "", "/a//b", "//a", "/a\nb"),
        ),
        Case(kind, path, "write the path without '..'", ("/a/..b/c..",), ("/a/../etc", "/..", "/a/..")),
    )


def selectors(kind: str, path: str) -> Case:
    """A field that holds a label selector."""
    return Case(
        kind,
        f"{path}.matchExpressions[]",
        "give values with In and NotIn",
        accepts=(
            {"key": "tier", "operator": "In", "values": ["gold"]},
            {"key": "tier", "operator": "Exists"},
            {"key": "tier", "operator": "DoesNotExist", "values": []},
        ),
        refuses=(
            {"key": "tier", "operator": "In"},
            {"key": "tier", "operator": "NotIn", "values": []},
            {"key": "tier", "operator": "Exists", "values": ["gold"]},
        ),
    )


def group(**fields: Any) -> dict[str, Any]:
    """A group of drives, right but for what is given."""
    return {"name": "lto", "count": 2, "maxThroughput": "80M"} | fields


def many(sizes: list[int]) -> list[dict[str, Any]]:
    """Objects with sources of the given lengths; their names add three characters each."""
    return [{"name": f"{index:03}", "source": {"value": "x" * size}} for index, size in enumerate(sizes)]
