"""How results are shown: as JSON or YAML to programs, as text and tables to people."""

import json
from typing import Any

import click

from flexlbf.scheduling import LowerBound, Stretch
from flexlbf.scheduling.units import to_seconds


def echo_data(data: Any, output: str) -> None:
    """Print data as `json` or `yaml`."""
    if output == "json":
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
        return
    import yaml  # noqa: PLC0415 - who asks for JSON does not wait for it

    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    click.echo(yaml.dump(data, Dumper=dumper, sort_keys=False, allow_unicode=True), nl=False)


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
