"""How results are shown: as JSON or YAML to programs, as text and tables to people."""

import json
from typing import Any

import click

from flexlbf.scheduling import LowerBound, Stretch
from flexlbf.scheduling.units import to_seconds

_SPREAD = 1000
"""Of longer lists each item is a line, which is found with grep, and takes a tenth of the time."""


def echo_data(data: Any, output: str) -> None:
    """Print data as `json` or `yaml`."""
    if output == "json":
        click.echo(_json(data))
        return
    import yaml  # noqa: PLC0415 - who asks for JSON does not wait for it

    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    click.echo(yaml.dump(data, Dumper=dumper, sort_keys=False, allow_unicode=True), nl=False)


def _json(data: Any) -> str:
    """With an indent, except in what is a long list of the outermost object."""
    if not isinstance(data, dict) or not any(_is_long(value) for value in data.values()):
        return json.dumps(data, indent=2, ensure_ascii=False)
    item = json.JSONEncoder(ensure_ascii=False).encode
    parts = []
    for key, value in data.items():
        if _is_long(value):
            text = "[\n    " + ",\n    ".join(map(item, value)) + "\n  ]"
        else:
            text = json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\n  ")
        parts.append(f"  {item(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}"


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and len(value) > _SPREAD


def seconds(nanoseconds: float) -> float:
    """A simulated time as programs get it, to the nanosecond."""
    return to_seconds(round(nanoseconds))


def stretch_data(stretch: Stretch | None) -> dict[str, Any] | None:
    """How much of its data a restore reads, as programs get it; null where no object has any bytes."""
    if stretch is None:
        return None
    data: dict[str, Any] = {"median": stretch.median, "worst": stretch.worst}
    return {**data, "worst_object": stretch.worst_object} if stretch.worst_object else data


def bound_data(bound: LowerBound) -> dict[str, Any]:
    """What no schedule can be shorter than and why, as programs get it, with the host if it is one."""
    data = {"lower_bound_s": seconds(bound.duration), "bound_by": bound.bound_by.value}
    return {**data, "bound_host": bound.host.name} if bound.host else data
