"""The real operator, as a process of its own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from localcluster.bare import BareControlPlane

START_SECONDS = 120.0
STOP_SECONDS = 60.0

# The operator dies with the tests, also when they are killed.
_PROGRAM = """
import ctypes, signal
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
from flexlbf.cli.operator import operator
operator()
"""


class OperatorProcess:
    """Runs `flexlbf operator` against a control plane; a context manager."""

    def __init__(self, plane: BareControlPlane, name: str = "operator") -> None:
        self._plane = plane
        self._log = plane.directory / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def log(self) -> str:
        """What it has said so far, over all its lives."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    @property
    def pid(self) -> int:
        """The process of its present life."""
        assert self._process is not None, "the operator is not running"
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it and wait until it has read the cluster; one that runs is left alone."""
        if self.running:
            return
        begun = len(self.log)
        self.begin()
        deadline = time.monotonic() + START_SECONDS
        while "Watching " not in self.log[begun:]:
            assert self.running, f"the operator ended at once:\n{self.log[begun:][-4000:]}"
            assert time.monotonic() < deadline, f"the operator did not start:\n{self.log[begun:][-4000:]}"
            time.sleep(0.02)

    def begin(self) -> None:
        """Start it without waiting for anything."""
        environment = {**os.environ, "KUBECONFIG": str(self._plane.kubeconfig)}
        environment.pop("KUBERNETES_SERVICE_HOST", None)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        """End it as a crash does, with no chance to finish anything."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> int | None:
        """Ask it to end, as Kubernetes does; its exit status."""
        if self._process is None:
            return None
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(STOP_SECONDS)
        finally:
            self.kill()

    def restart(self) -> None:
        """Stop it and start it again."""
        self.stop()
        self.start()


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task")
    return [
        int(child)
        for task in (tasks.iterdir() if tasks.exists() else ())
        for child in (task / "children").read_text().split()
    ]
