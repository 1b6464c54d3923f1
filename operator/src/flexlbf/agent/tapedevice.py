"""A drive that is a tape device, such as `/dev/nst0`: one stream at a time, in blocks of one size.

Every block is one `write`, which is what makes it one block on the medium, and closing the device writes
the filemark behind the stream. A stream that was cut short stays on the medium, as tape can't be taken
back, but it has no end-of-archive blocks and no checksum: tar calls it an unexpected end of file.
"""

import contextlib
import errno
import fcntl
import os
import stat
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self

from flexlbf.agent.errors import AgentError, InputError, explained
from flexlbf.agent.manifest import Manifest
from flexlbf.agent.names import RunName
from flexlbf.agent.virtualtape import write_sidecars

_IN_USE = (errno.EBUSY, errno.EWOULDBLOCK)


class TapeDevice:
    """One run being written to a tape device."""

    def __init__(
        self, path: Path, name: RunName, checksum_dir: Path | None, opening: AbstractContextManager[None]
    ) -> None:
        """Prepare to write.

        Args:
            path: the device; a named pipe will do as well, which tests and stagers use.
            name: the run.
            checksum_dir: where checksum and manifest go; none to leave them to the termination message.
            opening: surrounds the opening of the device, which lasts as long as the drive takes to be ready.
        """
        self._path = path
        self.name = name
        self._checksum_dir = checksum_dir
        self._opening = opening
        self._doing = f"cannot write to {path}"
        self._file = -1

    def __enter__(self) -> Self:
        with explained(self._doing):
            try:
                self._open()
            except OSError as error:
                if error.errno not in _IN_USE:
                    raise
                raise AgentError(
                    f"{self._path} is in use, and a tape device takes one stream at a time: "
                    "let the pool have one agent for this drive"
                ) from error
        return self

    def _open(self) -> None:
        with self._opening:
            self._file = os.open(self._path, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            # The tape driver lets nobody else open the device, but other drivers do.
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._close()
            raise

    def write(self, block: memoryview) -> None:
        """Write one block.

        Raises:
            AgentError: the device failed, or is at the end of its medium.
        """
        with explained(self._doing):
            try:
                written = os.write(self._file, block)
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
                written = 0
        if written < len(block):
            raise AgentError(
                f"{self._doing}: the tape is at its end; load an empty one, or move objects to other drives"
            )

    def seal(self) -> None:
        """Write the filemark, and return once the device has all of it.

        Raises:
            AgentError: the device failed.
        """
        with explained(self._doing):
            self._close()

    def publish(self, manifest: Manifest) -> None:
        """Write the checksum and the manifest, if they have a place.

        Raises:
            AgentError: the place takes no more.
        """
        if self._checksum_dir is not None:
            with explained(f"cannot write to {self._checksum_dir}"):
                write_sidecars(self._checksum_dir, self.name, manifest)

    def _close(self) -> None:
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._close()


def is_tape(path: Path) -> bool:
    """Whether a drive is a tape device, rather than a directory.

    Raises:
        InputError: it is neither, or not there.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as error:
        raise InputError(f"there is no drive {path}: check the path, and that it is mounted") from error
    except OSError as error:
        raise AgentError(f"cannot reach drive {path}: {error.strerror}; check how it is mounted") from error
    if stat.S_ISDIR(mode):
        return False
    if stat.S_ISCHR(mode) or stat.S_ISFIFO(mode):
        return True
    raise InputError(f"{path} is neither a directory nor a tape device: name one, such as /dev/nst0")
