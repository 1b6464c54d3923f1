"""A drive that is a directory: any number of streams at once, each a file that appears only when whole.

A stream is written to a hidden `.partial` file, which its writer keeps locked. Once all of it is on the
disk, the checksum and the manifest are written, and then one rename makes it an archive. Whatever happens
in between, an archive that can be seen is whole and has its checksum.
"""

import contextlib
import fcntl
import itertools
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from flexlbf.agent.errors import explained
from flexlbf.agent.manifest import Manifest
from flexlbf.agent.names import RunName

_MODE = 0o640  # a backup shows all that its source hides, so it is not for everyone to read
_TICK = timedelta(microseconds=1)


class VirtualTape:
    """One run being written to a directory; left without `publish`, it leaves nothing behind."""

    def __init__(self, directory: Path, name: RunName) -> None:
        """Prepare to write.

        Args:
            directory: the drive.
            name: the run; if another of the same microsecond has it, the next free microsecond is taken.
        """
        self._directory = directory
        self._doing = f"cannot write to {directory}"
        self.name = name
        self._file = -1

    def __enter__(self) -> Self:
        with explained(self._doing):
            sweep(self._directory, self.name.object)
            self.name, self._file = _claim(self._directory, self.name)
        return self

    def write(self, block: memoryview) -> None:
        """Append a block.

        Raises:
            AgentError: the directory takes no more.
        """
        with explained(self._doing):
            while block:
                block = block[os.write(self._file, block) :]

    def seal(self) -> None:
        """Return once all that was written is on the disk.

        Raises:
            AgentError: the disk failed.
        """
        with explained(self._doing):
            os.fsync(self._file)

    def publish(self, manifest: Manifest) -> None:
        """Make the run visible, its checksum first.

        Raises:
            AgentError: the directory takes no more; then the run is not visible.
        """
        with explained(self._doing):
            write_sidecars(self._directory, self.name, manifest)
            (self._directory / self.name.partial).rename(self._directory / self.name.archive)
            # The archive is there now and can't be half there, so a directory that won't sync is no failure.
            with contextlib.suppress(OSError):
                _sync_directory(self._directory)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # Once published there is no partial any more and nothing goes. What can't be removed stays hidden.
        with contextlib.suppress(OSError):
            _discard(self._directory, self.name, self._file)
        os.close(self._file)


def write_sidecars(directory: Path, name: RunName, manifest: Manifest) -> None:
    """Write a run's checksum and manifest, and make sure that they are on the disk."""
    _write(directory / name.checksum, f"{manifest.result.sha256}  {name.archive}\n")
    _write(directory / name.manifest, manifest.to_text())
    with contextlib.suppress(OSError):  # some network file systems can't
        _sync_directory(directory)


def sweep(directory: Path, encoded_object: str) -> list[RunName]:
    """Remove what attempts that died left of an object.

    A writer holds the lock of its partial as long as it lives, so a lock that can be had belongs to the
    dead. Where the file system has no locks, nothing is removed.

    Returns:
        The runs that were removed.
    """
    removed = []
    for name in partials(directory):
        if name.object != encoded_object:
            continue
        with contextlib.suppress(OSError), _opened(directory / name.partial) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _discard(directory, name, file):
                removed.append(name)
    return removed


def partials(directory: Path) -> list[RunName]:
    """The runs that are being written, or that died while they were."""
    found = []
    for entry in directory.iterdir():
        if entry.name.startswith(".") and entry.name.endswith(".tar.partial"):
            name = RunName.parse(entry.name.removeprefix(".").removesuffix(".tar.partial"))
            if name is not None:
                found.append(name)
    return sorted(found, key=str)


def is_live(directory: Path, name: RunName) -> bool:
    """Whether a run that is not whole still has its writer; yes where this can't be known."""
    try:
        with _opened(directory / name.partial) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def _claim(directory: Path, wanted: RunName) -> tuple[RunName, int]:
    """Create the partial of the first free name, locked.

    While the partial is there nobody else gets the name, and a rename turns it into the archive at one
    stroke: so whoever creates a partial and then sees no archive is alone.
    """
    for step in itertools.count():
        name = RunName(wanted.object, wanted.started + step * _TICK, wanted.session)
        path = directory / name.partial
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _MODE)
        except FileExistsError:
            continue
        _lock(file)
        # Between creation and lock another attempt may have taken the file for a dead one's and removed it.
        if _is_file(path, file):
            if not (directory / name.archive).exists():
                return name, file
            path.unlink()
        os.close(file)
    raise AssertionError("itertools.count() ends")


def _lock(file: int) -> None:
    """Lock a new partial, after those who only look whether it has a writer.

    Where the file system has no locks nobody sweeps either, so doing without is safe.
    """
    with contextlib.suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX)


def _is_file(path: Path, file: int) -> bool:
    """Whether a path still leads to an open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except FileNotFoundError:
        return False


def _discard(directory: Path, name: RunName, file: int) -> bool:
    """Remove an unpublished run, of which the caller holds the lock; a published one is left alone."""
    path = directory / name.partial
    if not _is_file(path, file):
        return False
    # Who looked for a free name may have died, or been overtaken, on one that is a whole run's: its sidecars
    # stay. With the lock held nobody can publish the name meanwhile.
    if not (directory / name.archive).exists():
        for sidecar in (name.checksum, name.manifest):
            (directory / sidecar).unlink(missing_ok=True)
    path.unlink()
    return True


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_RDWR | os.O_CLOEXEC)  # NFS locks only files that are open for writing
    try:
        yield file
    finally:
        os.close(file)


def _write(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE), "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync_directory(directory: Path) -> None:
    file = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
