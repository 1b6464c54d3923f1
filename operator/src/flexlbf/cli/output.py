"""How results are shown: as JSON or YAML to programs, as text and tables to people."""

import json
from collections.abc import Iterable
from typing import Any

import click

from flexlbf.api.durations import format_duration
from flexlbf.api.quantities import format_bytes
from flexlbf.scheduling import Job, Stretch
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE, NANOSECONDS, to_seconds


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


def duration(nanoseconds: float) -> str:
    """A simulated time as people read it."""
    return format_duration(nanoseconds / NANOSECONDS)


def bytes_of(jobs: Iterable[Job]) -> int:
    """The bytes that jobs write, as far as their rates tell."""
    return sum(job.duration * job.rate for job in jobs) // (NANOSECONDS * MICROBYTES_PER_BYTE)


def amount(size: int) -> str:
    """Bytes as people read them: `4.52 TB`."""
    text = format_bytes(size)
    digits = text.rstrip("kMGTPE")
    return f"{digits} {text[len(digits) :]}B"


def count(number: int, noun: str) -> str:
    """`1 drive`, `2 drives`, `1,000 drives`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(names: list[str], shown: int = 3) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c and 7 more`."""
    parts = names if len(names) <= shown + 1 else [*names[:shown], f"{len(names) - shown:,} more"]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
