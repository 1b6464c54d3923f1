"""Processes that cannot outlive the one that started them."""

import contextlib
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from localcluster.errors import LocalClusterError
from localcluster.progress import tail


class ProcessGroup:
    """Programs with one temporary directory, which all go together."""

    def __init__(self, prefix: str) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix=prefix))
        self._members: dict[str, subprocess.Popen[bytes]] = {}
        watchdog = Path(__file__).with_name("watchdog.py")
        self._watchdog = subprocess.Popen(
            [sys.executable, "-I", "-S", watchdog, self.directory],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,
        )
        assert self._watchdog.stdout is not None
        self._group = int(self._watchdog.stdout.readline())

    def start(self, name: str, command: Sequence[str | Path]) -> None:
        """Start a program; what it says goes to its log."""
        with self.log(name).open("ab") as log:
            self._members[name] = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.directory,
                process_group=self._group,
            )

    def kill(self, name: str, number: signal.Signals = signal.SIGKILL) -> None:
        """End one program and wait until it is gone."""
        member = self._members.pop(name)
        member.send_signal(number)
        member.wait()

    def pids(self) -> dict[str, int]:
        """The programs that were started, by name."""
        return {name: member.pid for name, member in self._members.items()}

    def log(self, name: str) -> Path:
        """Where a program's words go."""
        return self.directory / f"{name}.log"

    def check(self) -> None:
        """Raise, with the end of its log, when a program has ended by itself."""
        for name, member in self._members.items():
            if member.poll() is not None:
                raise LocalClusterError(
                    f"{name} ended by itself (exit code {member.returncode}). The end of its log:\n"
                    f"{tail(self.log(name))}"
                )

    def stop(self) -> None:
        """End all programs and remove the directory; once more does nothing."""
        assert self._watchdog.stdin is not None
        assert self._watchdog.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._watchdog.stdin.close()
        self._watchdog.wait()
        self._watchdog.stdout.close()
        for member in self._members.values():
            member.wait()
        self._members.clear()
