"""A restore: the run is read once to be verified, and only then once more to be unpacked."""

from pathlib import Path

from flexlbf.agent.catalog import Run, check_stream
from flexlbf.agent.errors import InputError, explained
from flexlbf.agent.interrupts import interrupts
from flexlbf.agent.tar import extract

_FSCK = "lost+found"


def restore(directory: Path, run: Run, target: Path, *, force: bool = False) -> list[str]:
    """Unpack a run into a directory, which is created if need be.

    Args:
        directory: the drive.
        run: the run, a whole one.
        target: where to; it must be empty, but for the `lost+found` of a fresh file system.
        force: unpack over what is there; files that the run doesn't have stay.

    Returns:
        What tar remarked.

    Raises:
        AgentError: the run is damaged (then the target is untouched), or tar failed half-way.
    """
    path = directory / run.name.archive
    with (
        interrupts() as signals,
        signals,
        explained(f"cannot restore {path.name}"),
        path.open("rb") as stream,
    ):
        _check_target(target, force=force)
        # The archive stays open between the two readings, so what is unpacked is the file that was verified.
        check_stream(stream, directory, run.name)
        target.mkdir(parents=True, exist_ok=True)
        stream.seek(0)
        return extract(stream, target)


def _check_target(target: Path, *, force: bool) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError(f"{target} is no directory: name one, or one that is yet to be")
    if not force and any(entry.name != _FSCK for entry in target.iterdir()):
        raise InputError(f"{target} is not empty: name an empty directory, or add --force to unpack over it")
