"""The options that `simulate` and `tune` share: a workload and a pool of equal drives."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from flexlbf.cli.errors import BadInput
from flexlbf.cli.numbers import Number, Whole
from flexlbf.cli.workloadfile import read_jobs
from flexlbf.history import DEFAULT_WINDOW
from flexlbf.scheduling import Drive, Job, equal_drives
from flexlbf.scheduling.registry import NAMES
from flexlbf.scheduling.units import to_megabytes

SCHEDULERS = (*NAMES.values(), "lbf", "traditional")
OUTPUTS = ("table", "json", "yaml")
MOST_AGENTS = 1000

_Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for.

    Attributes:
        jobs: the workload.
        drives: the pool of equal drives.
        output: one of `OUTPUTS`.
        per_host: how many streams a host may send, None for any number.
    """

    jobs: list[Job]
    drives: tuple[Drive, ...]
    output: str
    per_host: int | None = None

    @property
    def max_agents(self) -> int:
        """The agents that a drive may run."""
        return self.drives[0].max_agents

    @property
    def max_throughput(self) -> float:
        """MB/s of a drive."""
        return to_megabytes(self.drives[0].max_rate)

    @property
    def capped(self) -> list[str]:
        """The objects that are faster than a drive, by name."""
        return sorted(job.name for job in self.jobs if job.rate > self.drives[0].max_rate)


_POOL = {"drives": "--drives", "max_agents": "--max-agents", "max_throughput": "--max-throughput"}


def _options(*, required: bool) -> tuple[Callable[[_Function], _Function], ...]:
    return (
        click.argument("jobs", metavar="JOBS.csv", required=required, type=click.Path(allow_dash=True)),
        click.option(
            "--drives",
            type=Whole(1, 100_000),
            required=required,
            metavar="N",
            help="How many drives there are.",
        ),
        click.option(
            "--max-agents",
            type=Whole(1, MOST_AGENTS),
            required=required,
            metavar="A",
            help="How many streams you accept to be interleaved on a drive; restores bear the cost.",
        ),
        click.option(
            "--max-throughput",
            type=Number(0.000001, 10**9, "80"),
            required=required,
            metavar="MBPS",
            help="What a drive sustains, in MB/s (10^6 bytes a second).",
        ),
        click.option(
            "--window",
            type=Whole(1, 1000),
            default=DEFAULT_WINDOW,
            show_default=True,
            metavar="L",
            help="For history rows: how many of the latest backups an object's throughput is averaged over.",
        ),
        click.option(
            "--per-host",
            type=Whole(1, MOST_AGENTS),
            metavar="N",
            help="How many streams at a time the objects of one host may have together, as the column host "
            "of JOBS.csv says; any number without it.",
        ),
        click.option("-o", "--output", type=click.Choice(OUTPUTS), default="table", show_default=True),
    )


def workload_options(function: _Function) -> _Function:
    """Give a command the shared argument and options; it gets a `Request` in their place."""

    @functools.wraps(function)
    def command(**given: Any) -> Any:
        return function(_request(given), **given)

    return _decorated(command, required=True)


def optional_workload_options(function: _Function) -> _Function:
    """Likewise for a command that takes something else instead; it gets a `Request` or None.

    A workload without its drives is told so, and so are drives without a workload.
    """

    @functools.wraps(function)
    def command(**given: Any) -> Any:
        missing = [option for name, option in _POOL.items() if given[name] is None]
        if given["jobs"] is not None and missing:
            raise BadInput(f"JOBS.csv needs the drives that it is for: add {' and '.join(missing)}")
        if given["jobs"] is None and given["per_host"] is not None:
            raise BadInput("--per-host goes with JOBS.csv: in a policy, write spec.limits.perHost")
        if given["jobs"] is None and len(missing) < len(_POOL):
            raise BadInput("--drives, --max-agents and --max-throughput go with JOBS.csv: name one")
        if given["jobs"] is not None:
            output = given["output"]
            return function(_request(given), output=output, **given)
        for name in (*_POOL, "jobs", "window", "per_host"):
            given.pop(name)
        return function(None, **given)

    return _decorated(command, required=False)


def _request(given: dict[str, Any]) -> Request:
    drives, agents, rate = (given.pop(name) for name in _POOL)
    path, per_host = given.pop("jobs"), given.pop("per_host")
    jobs = read_jobs(path, given.pop("window"), per_host)
    if per_host and not any(job.host for job in jobs):
        raise BadInput(f"{path}: --per-host limits nothing, as no object has a host: add the column host")
    return Request(jobs, equal_drives(drives, rate, agents), given.pop("output"), per_host)


def _decorated(command: _Function, *, required: bool) -> _Function:
    for option in reversed(_options(required=required)):
        command = option(command)
    return command
