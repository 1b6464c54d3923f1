"""`flexlbf agent`: the default agent's command line, and what a backup leaves in its pod's log."""

import contextlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import click

from flexlbf.agent import catalog, termination
from flexlbf.agent.backup import DEFAULT_BLOCK_SIZE, Backup, Meter, back_up
from flexlbf.agent.catalog import LATEST, Run, State
from flexlbf.agent.errors import AgentError, InputError
from flexlbf.agent.restore import restore as restore_run
from flexlbf.api.quantities import format_bytes, format_quantity, parse_quantity

_PATH = click.Path(path_type=Path, readable=False)  # the agent looks itself, and says the mend
_Command = TypeVar("_Command", bound=Callable[..., Any])


class BadInput(click.ClickException):
    """What was asked for can't be, and trying again won't help; what merely failed exits with 1."""

    exit_code = 2


class DefaultGroup(click.Group):
    """Runs its command `backup` when none is named, so that a pod needs no more than `args: [agent]`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command in front of what can only be its options."""
        if not args or (args[0].startswith("-") and args[0] not in self.get_help_option_names(ctx)):
            args = ["backup", *args]
        return super().parse_args(ctx, args)


class BackupCommand(click.Command):
    """Leaves a termination message for wrong options, too: nobody else tells why such a pod failed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options; the termination message's own is eager, so it is known by then."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            path = ctx.params.get("termination_message")
            # Where it was left out, click has a marker of its own here by now.
            _terminate(termination.failure(error.format_message()), path if isinstance(path, Path) else None)
            raise


def _quantity(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    try:
        return parse_quantity(value)
    except ValueError as error:
        raise click.BadParameter(f"{value!r}: {error}") from error


def _option(name: str, variable: str, text: str, **settings: Any) -> Callable[[_Command], _Command]:
    """An option that a pod finds in its environment, as `FLEXLBF_` and the variable's name."""
    names = (name, "object_name") if name == "--object" else (name,)
    return click.option(*names, envvar=f"FLEXLBF_{variable}", show_envvar=True, help=text, **settings)


_device = _option("--device", "DEVICE", "The drive, which is a directory.", required=True, type=_PATH)
_object = _option("--object", "OBJECT", "What the planner calls what is backed up.", required=True)
_any_object = click.option("--object", "object_name", help="Look at this object only.")


def _example(arguments: str) -> str:
    return f"\b\nExample:\n  flexlbf agent {arguments}"


@click.group(cls=DefaultGroup, epilog=_example("backup --help"))
def agent() -> None:
    """Back a directory up to a drive, and get it back.

    Without a command this is `flexlbf agent backup`, which finds its options in the environment.
    """


@agent.command(
    cls=BackupCommand,
    short_help="Stream a directory to a drive.",
    epilog=_example("backup --object fs07:/data --source /data --device /drives/tape1 --rate-limit 80M"),
)
@_option("--source", "SOURCE_PATH", "The directory that is backed up.", required=True, type=_PATH)
@_object
@_option(
    "--device",
    "DEVICE",
    "The drive: a directory, or a tape device such as /dev/nst0.",
    required=True,
    type=_PATH,
)
@_option("--drive", "DRIVE", "The drive's name, for messages.")
@_option("--session", "SESSION", "A label that joins object and start in the run's name.")
@_option(
    "--block-size",
    "BLOCK_SIZE",
    "Bytes that are written at once: a multiple of 512, such as 64k or 1Mi.",
    default=format_quantity(DEFAULT_BLOCK_SIZE),
    show_default=True,
    callback=_quantity,
)
@_option("--rate-limit", "RATE_LIMIT", "Bytes a second, such as 80M; none for no limit.", callback=_quantity)
@_option("--checksum-dir", "CHECKSUM_DIR", "Where a tape device's checksums and manifests go.", type=_PATH)
@click.option(
    "--progress-every",
    default=10.0,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True, max=86400),
    help="Seconds between two lines of progress.",
)
@_option(
    "--termination-message",
    "TERMINATION_MESSAGE",
    f"Where the result goes as JSON; {termination.DEFAULT_PATH} if it is there.",
    type=_PATH,
    is_eager=True,
)
def backup(
    *, object_name: str, progress_every: float, termination_message: Path | None, **options: Any
) -> None:
    """Stream a directory with GNU tar to a drive.

    The last line of the output, and the termination message, is {"bytes": …, "seconds": …, "sha256": …},
    with the number of "warnings" if tar remarked something, such as a file that changed while it was read.
    A backup that failed leaves {"error": …} and no archive.
    """
    try:
        report = back_up(Backup(object=object_name, **options), _Progress(object_name), progress_every)
    except AgentError as error:
        _terminate(termination.failure(str(error)), termination_message)
        raise _failure(error) from error
    for remark in report.remarks:
        _log(f"warning: {remark}")
    result = report.result
    drive = options["drive"] or options["device"]
    _log(f"{report.name.archive} is whole on {drive}: {_amount(result.bytes, result.seconds)}")
    text = json.dumps(result.to_json())
    _terminate(text, termination_message)
    _log(text)


@agent.command(
    short_help="Verify a run, then unpack it.",
    epilog=_example("restore --device /drives/tape1 --object fs07:/data --target /restored"),
)
@_device
@_object
@click.option(
    "--run",
    default=LATEST,
    show_default=True,
    metavar="latest|TIMESTAMP",
    help="When the run started, as `list` shows it; its beginning is enough.",
)
@click.option("--target", required=True, type=_PATH, help="An empty directory, or one that is yet to be.")
@click.option("--force", is_flag=True, help="Unpack over what the target holds.")
def restore(*, device: Path, object_name: str, run: str, target: Path, force: bool) -> None:
    """Verify a run's checksum, then unpack it."""
    with _told():
        chosen = catalog.choose(device, object_name, run)
        for remark in restore_run(device, chosen, target, force=force):
            _log(f"warning: {remark}")
    _log(f"{_plain(object_name)}: the run of {chosen.started} is restored to {target}")


@agent.command("list", short_help="List the runs on a drive.", epilog=_example("list --device /drives/tape1"))
@_device
@_any_object
@click.option("-o", "--output", type=click.Choice(["table", "json"]), default="table", show_default=True)
def list_runs(*, device: Path, object_name: str | None, output: str) -> None:
    """List the runs on a drive, without reading them.

    A run is whole when its size and its checksum file agree with its manifest; `verify` reads it, too.
    """
    with _told():
        found = catalog.runs(device, object_name)
    click.echo(json.dumps([run.to_json() for run in found], indent=2) if output == "json" else _table(found))


@agent.command(
    short_help="Recompute the checksums of runs.",
    epilog=_example("verify --device /drives/tape1 --object fs07:/data"),
)
@_device
@_any_object
def verify(*, device: Path, object_name: str | None) -> None:
    """Read every run on a drive and compare it with its checksum; exit status 1 if one is damaged."""
    with _told():
        complete = [
            run for run in catalog.runs(device, object_name) if run.state in (State.WHOLE, State.DAMAGED)
        ]
        if object_name is not None and not complete:
            raise InputError(f"{device} holds no run of {object_name!r}: see flexlbf agent list")
    damaged = sum(not _verified(device, run) for run in complete)
    if damaged:
        raise _failure(
            AgentError(f"{damaged} of {len(complete)} runs are damaged: back their objects up again")
        )


def _verified(device: Path, run: Run) -> bool:
    try:
        catalog.check(device, run.name)
    except AgentError as error:
        click.echo(f"{run.name.archive}: FAILED ({error})")
        return False
    click.echo(f"{run.name.archive}: OK")
    return True


def _table(found: list[Run]) -> str:
    rows = [("OBJECT", "STARTED", "BYTES", "SHA256", "STATE")]
    for run in found:
        result = run.manifest.result if run.manifest else None
        size, digest = (format_bytes(result.bytes), result.sha256[:12]) if result else ("-", "-")
        rows.append((_plain(run.object), run.started, size, digest, run.state))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "\n".join(lines)


class _Progress:
    """Writes a line with the rate since the line before, which shows at once when a stream stalls."""

    def __init__(self, object_name: str) -> None:
        self._object = _plain(object_name)
        self._last = (0, 0.0)

    def __call__(self, meter: Meter) -> None:
        size, seconds = meter.bytes, meter.seconds
        rate = (size - self._last[0]) / (seconds - self._last[1])
        self._last = size, seconds
        _log(f"{self._object}: {_amount(size, seconds)}, now {format_bytes(rate)}B/s")


def _amount(size: int, seconds: float) -> str:
    return f"{format_bytes(size)}B in {timedelta(seconds=round(seconds))}"


def _plain(name: str) -> str:
    """A name that can't forge lines of the log."""
    return name if name.isprintable() else ascii(name)


def _log(line: str) -> None:
    """Write a line of the log at once; a log that nobody reads any more is no reason to fail a backup."""
    with contextlib.suppress(OSError):
        click.echo(line)


def _terminate(text: str, path: Path | None) -> None:
    """Leave the termination message; without it the backup is none the worse, so this only warns."""
    try:
        termination.leave(text, path)
    except OSError as error:
        _log(f"warning: cannot write the termination message: {error}")


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except AgentError as error:
        raise _failure(error) from error


def _failure(error: AgentError) -> click.ClickException:
    return BadInput(str(error)) if isinstance(error, InputError) else click.ClickException(str(error))
