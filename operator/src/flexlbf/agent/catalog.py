"""The runs that a directory holds: listing, choosing and verifying them."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from io import BufferedReader
from pathlib import Path
from typing import Any

from flexlbf.agent.errors import AgentError, InputError, explained
from flexlbf.agent.manifest import Manifest, utc
from flexlbf.agent.names import RunName, decode, encode
from flexlbf.agent.virtualtape import is_live, partials

LATEST = "latest"

_CHUNK = 1 << 20


class State(StrEnum):
    """What a run looks like from outside, without reading it."""

    WHOLE = "whole"
    DAMAGED = "damaged"
    """The archive lacks its checksum or manifest, they disagree, or its size is not theirs."""
    WRITING = "writing"
    ABANDONED = "abandoned"
    """Its writer died; the object's next backup removes what is left."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one object."""

    name: RunName
    object: str
    state: State
    manifest: Manifest | None

    @property
    def started(self) -> str:
        """When it started, as RFC 3339."""
        return utc(self.name.started)

    def to_json(self) -> dict[str, Any]:
        """As `flexlbf agent list -o json` shows it; only a run with a manifest has a result."""
        about = {"object": self.object, "started": self.started, "state": self.state}
        files = {"archive": self.name.archive}
        if self.manifest is None:
            return about | files
        return about | files | {"session": self.manifest.session} | self.manifest.result.to_json()


def runs(directory: Path, object_name: str | None = None) -> list[Run]:
    """The runs in a directory, by object and then by start.

    Args:
        directory: the drive.
        object_name: keep this object's only; none for all.

    Raises:
        InputError: there is no such directory.
        AgentError: it can't be read.
    """
    if not directory.is_dir():
        raise InputError(f"there is no directory {directory}: name a drive that is one")
    wanted = encode(object_name) if object_name is not None else None
    with explained(f"cannot read {directory}"):
        names = [RunName.parse(path.stem) for path in directory.glob("*.tar")]
        found = [_run(directory, name) for name in names if name and wanted in (None, name.object)]
        found += [
            Run(
                name,
                decode(name.object),
                State.WRITING if is_live(directory, name) else State.ABANDONED,
                None,
            )
            for name in partials(directory)
            if wanted in (None, name.object)
        ]
    return sorted(found, key=lambda run: (run.object, run.name.started, str(run.name)))


def _run(directory: Path, name: RunName) -> Run:
    try:
        manifest = Manifest.from_text((directory / name.manifest).read_text(encoding="ascii"))
        recorded = _recorded(directory, name)
        size = (directory / name.archive).stat().st_size
    except (FileNotFoundError, ValueError):  # perhaps it is being removed right now
        return Run(name, decode(name.object), State.DAMAGED, None)
    whole = recorded == manifest.result.sha256 and size == manifest.result.bytes
    return Run(name, manifest.object, State.WHOLE if whole else State.DAMAGED, manifest)


def choose(directory: Path, object_name: str, which: str = LATEST) -> Run:
    """One whole run of an object.

    Args:
        directory: the drive.
        object_name: the object.
        which: `latest`, or the start of the run as `runs` tells it; its beginning is enough.

    Raises:
        InputError: there is no such run, or there are several.
    """
    whole = [run for run in runs(directory, object_name) if run.state is State.WHOLE]
    if not whole:
        raise InputError(f"{directory} holds no whole run of {object_name!r}: see flexlbf agent list")
    if which == LATEST:
        return whole[-1]
    matches = [run for run in whole if run.started.startswith(which.strip().upper().removesuffix("Z"))]
    if len(matches) != 1:
        problem = "several runs" if matches else "no whole run"
        known = ", ".join(run.started for run in (matches or whole)[-5:])
        raise InputError(f"{problem} of {object_name!r} started {which}: take one of {known}")
    return matches[0]


def check(directory: Path, name: RunName) -> None:
    """Read all of a run and compare it with its checksum.

    Raises:
        AgentError: it is not what was written, or can't be read.
    """
    path = directory / name.archive
    with explained(f"cannot read {path}"), path.open("rb") as stream:
        check_stream(stream, directory, name)


def check_stream(stream: BufferedReader, directory: Path, name: RunName) -> None:
    """As `check`, for an archive that is open; it is left at its end.

    Raises:
        AgentError: it is not what was written.
        OSError: it can't be read.
    """
    try:
        expected = _recorded(directory, name)
    except (FileNotFoundError, ValueError) as error:
        raise AgentError(f"{name.checksum} is missing or damaged: restore another run") from error
    found = _sha256(stream)
    if found != expected:
        raise AgentError(
            f"{name.archive} is damaged: its SHA-256 is {found}, not {expected}; restore another run"
        )


def _recorded(directory: Path, name: RunName) -> str:
    """The digest in a run's checksum file.

    Raises:
        ValueError: it is the checksum of something else, or none.
    """
    digest, _, file = (directory / name.checksum).read_text(encoding="ascii").rstrip("\n").partition("  ")
    if file != name.archive:
        raise ValueError(f"{name.checksum} speaks of {file!r}")
    return digest


def _sha256(stream: BufferedReader) -> str:
    digest = hashlib.sha256()
    chunk = memoryview(bytearray(_CHUNK))
    while size := stream.readinto(chunk):
        digest.update(chunk[:size])
    return digest.hexdigest()
