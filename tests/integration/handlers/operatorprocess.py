"""The real operator, as a process of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from integration.handlers.lease import Lease
from localcluster.bare import BareControlPlane

ANY_PORT = {"FLEXLBF_METRICS": "127.0.0.1:0"}
START_SECONDS = 120.0
STOP_SECONDS = 60.0

# The operator dies with the tests, also when they are killed; asked to, it says in its log where it is.
_PROGRAM = """
import asyncio, ctypes, faulthandler, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)

def tell(*_):
    faulthandler.dump_traceback()
    try:
        tasks = asyncio.all_tasks()
    except RuntimeError as error:  # the loop is over, or has not begun
        print(error, file=sys.stderr)
        return
    for task in tasks:
        print(task.get_name(), file=sys.stderr)
        at = task.get_coro()
        while frame := getattr(at, "cr_frame", None):
            print("  ", frame, file=sys.stderr)
            at = at.cr_await
        print("  ", at, file=sys.stderr)

signal.signal(signal.SIGUSR1, tell)
from flexlbf.cli.operator import operator
operator()
"""
TELLING_SECONDS = 2.0


class OperatorProcess:
    """Runs `flexlbf operator` against a control plane; a context manager.

    Args:
        alone: there is no other operator, so it leads as soon as it has started: what it left of its Lease
            when it was killed is not waited for.
        kubeconfig: whom it runs as; by default an administrator.
        lease_namespace: where its Lease is.
        variables: of its environment.
    """

    def __init__(
        self,
        plane: BareControlPlane,
        name: str = "operator",
        *,
        alone: bool = True,
        kubeconfig: Path | None = None,
        lease_namespace: str = "default",
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self._plane = plane
        self._alone = alone
        self._kubeconfig = kubeconfig
        self._lease = Lease(plane, lease_namespace)
        self._log = plane.directory / f"{name}.log"
        self._variables = variables or {}
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
    def identity(self) -> str:
        """Its name in the Lease, in its present life."""
        return self.log.rpartition("Candidate for the Lease ")[2].split("\n")[0].rpartition(" ")[2]

    @property
    def metrics(self) -> str:
        """Where it answers Prometheus, in its present life."""
        return self.log.rpartition("Metrics are at ")[2].split()[0]

    @property
    def pages(self) -> str:
        """Where its pages are, in its present life."""
        return self.log.rpartition("Pages are at ")[2].split()[0]

    @property
    def running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it, if it does not run, and wait until it has read the cluster, and leads if it is alone."""
        if self.running:
            return
        begun = len(self.log)
        self.begin()
        deadline = time.monotonic() + START_SECONDS
        awaited = "Leading since" if self._alone else "Watching"
        while awaited not in self.log[begun:]:
            assert self.running, f"the operator ended at once:\n{self.log[begun:][-4000:]}"
            assert time.monotonic() < deadline, f"the operator did not start:\n{self.log[begun:][-4000:]}"
            time.sleep(0.02)

    def begin(self) -> None:
        """Start it without waiting for anything."""
        environment = {**os.environ, **ANY_PORT, **self._variables}
        environment["KUBECONFIG"] = str(self._kubeconfig or self._plane.kubeconfig)
        environment.pop("KUBERNETES_SERVICE_HOST", None)
        environment["POD_NAMESPACE"] = self._lease.namespace
        if self._alone:
            self._lease.forget()
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

    def freeze(self) -> None:
        """Stop it in the middle of whatever it does, as a machine without time for it does."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on, not knowing that it was stopped."""
        os.kill(self.pid, signal.SIGCONT)

    def stop(self) -> int | None:
        """Ask it to end, as Kubernetes does; its exit status."""
        if self._process is None:
            return None
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired as error:  # its context is what a test that ends in this failed with
            said = len(self.log)
            self._process.send_signal(signal.SIGUSR1)
            time.sleep(TELLING_SECONDS)
            raise AssertionError(
                f"the operator did not stop within {STOP_SECONDS:.0f} s; it said\n{self.log[:said][-4000:]}\n"
                f"and it is at\n{self.log[said:][:20000]}"
            ) from error
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
