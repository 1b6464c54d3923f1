"""GNU tar, run as a child: it knows every kind of file, and its archives outlive this program."""

import contextlib
import fcntl
import io
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from flexlbf.agent.errors import AgentError, explained

SECTOR = 512
"""Bytes of tar's own unit: block sizes are multiples of it."""

MAX_REMARKS = 20
"""Lines of tar's that are kept for the log; all are counted."""

_PIPE_BYTES = 1 << 20
_CHANGED = 1

_CREATE = (
    "--create",
    "--file=-",
    # pax: no limit on sizes and names, times below a second, and the only format that carries xattrs.
    "--format=posix",
    # Reading changes the one and nothing can set the other, so a restore has no use for them.
    "--pax-option=delete=atime,delete=ctime",
    # The names of the node that restores may mean other people.
    "--numeric-owner",
    "--sparse",
    # A tar that was built without these says so and goes on; pods of the default image have both.
    "--acls",
    "--xattrs",
    # fsck's own directory, which only root may read, is at the top of every ext4 volume. It is no data, and
    # agents that are not root would fail on it.
    "--anchored",
    "--exclude=./lost+found",
)
# Mounts below the source are followed (no --one-file-system): a backup that leaves something out without a
# word is worse than one that takes longer, and a btrfs subvolume of a volume looks like a mount, too.

_EXTRACT = ("--extract", "--file=-", "--numeric-owner", "--same-permissions", "--acls", "--xattrs")


class Remarks:
    """Reads what tar writes to stderr while it runs, lest it block on a full pipe."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.count = 0
        self.lines: list[str] = []
        self._error: str | None = None
        self._stream = stream
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for raw in self._stream:
            line = raw.decode(errors="backslashreplace").strip()
            if "Exiting with failure status" in line:
                continue
            self.count += 1
            if len(self.lines) < MAX_REMARKS:
                self.lines.append(line)
            if self._error is None and "Cannot" in line:
                self._error = line

    def finish(self) -> None:
        """Wait for the last line."""
        self._reader.join()
        self._stream.close()

    @property
    def error(self) -> str:
        """The line that says best why tar failed: what it couldn't do, before what merely changed."""
        return self._error or (self.lines[-1] if self.lines else "tar says nothing of it")


class Archive:
    """A directory as a tar stream."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert isinstance(process.stdout, io.BufferedReader)
        assert process.stderr is not None
        self._process = process
        self.stream = process.stdout
        self.remarks = Remarks(process.stderr)

    def finish(self) -> None:
        """Wait for tar, once its stream has ended.

        Status 1 is no failure: "file changed as we read it" and "file removed before we read it" are the
        daily bread of backing a live file system up. The rest is whole, and the remarks are counted.

        Raises:
            AgentError: tar failed, or was killed.
        """
        status = self._process.wait()
        self.remarks.finish()
        if status not in (0, _CHANGED):
            raise AgentError(f"tar failed: {_reason(status, self.remarks)}")

    def close(self) -> None:
        """End tar, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self.stream.close()
        self.remarks.finish()


@contextmanager
def archive(source: Path, block_size: int) -> Iterator[Archive]:
    """Run tar over a directory.

    Args:
        source: the directory; names in the archive are relative to it.
        block_size: bytes of tar's records, a multiple of 512. It pads the last one itself, so the stream
            is a whole number of blocks and what is on a tape is what was hashed.

    Raises:
        AgentError: tar can't be started.
    """
    command = ["tar", *_CREATE, f"--blocking-factor={block_size // SECTOR}", f"--directory={source}", "."]
    with explained("cannot start tar"):
        process = subprocess.Popen(  # noqa: S603 - no shell, and the source is one argument behind its option
            command,
            executable=_tar(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
        )
    running = Archive(process)
    try:
        # A larger pipe keeps tar reading while a block is written; where the user has no more pages of
        # pipes to get, the default will do.
        with contextlib.suppress(OSError):
            fcntl.fcntl(running.stream, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        yield running
    finally:
        running.close()


def extract(stream: BinaryIO, target: Path) -> list[str]:
    """Unpack an archive into a directory.

    Args:
        stream: an open file, read from where it stands.
        target: the directory.

    Returns:
        What tar remarked.

    Raises:
        AgentError: tar can't be started, or failed.
    """
    command = ["tar", *_EXTRACT, *_privileges(target), f"--directory={target}"]
    with explained("cannot start tar"):
        process = subprocess.Popen(  # noqa: S603 - no shell, and the target is one argument behind its option
            command, executable=_tar(), stdin=stream, stderr=subprocess.PIPE, env=_environment()
        )
    assert process.stderr is not None
    remarks = Remarks(process.stderr)
    try:
        status = process.wait()
    finally:
        process.kill()
        process.wait()
        remarks.finish()
    if status != 0:
        raise AgentError(f"{target} is only partly restored: {_reason(status, remarks)}")
    return remarks.lines


def _privileges(target: Path) -> tuple[str, ...]:
    """What of the archive may be restored, which depends on who does it.

    Root restores attributes outside `user.`, too. Who isn't root and doesn't own the target, as in a volume
    that is open to a pod's fsGroup, leaves the target's own mode and times alone: the kernel would refuse.
    """
    if os.geteuid() == 0:
        return ("--xattrs-include=*",)
    if target.stat().st_uid == os.geteuid():
        return ()
    # Without --no-recursion, excluding the top would exclude all below it.
    return ("--no-recursion", "--anchored", "--exclude=.")


def _tar() -> str:
    path = shutil.which("tar")
    if path is None:
        raise AgentError("there is no tar on the PATH: use an image with GNU tar, such as the operator's own")
    return path


def _environment() -> dict[str, str]:
    """English messages and names as plain UTF-8; nothing that steers tar, such as TAR_OPTIONS."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}


def _reason(status: int, remarks: Remarks) -> str:
    if status == -signal.SIGKILL:
        return "it was killed (SIGKILL); raise the pod's memory limit if it ran out of memory"
    if status < 0:
        return f"it was killed by {signal.Signals(-status).name}; run it again"
    if "Permission denied" in remarks.error:
        return f"{remarks.error}; run the pod as a user that may read and write all of it"
    return f"{remarks.error} (exit status {status})"
