"""Agents to run: real processes, with the real tar, on real directories."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from click.testing import CliRunner

from flexlbf.cli.agent import agent

OBJECT = "fs07:/data"
DEADLINE = 20.0

Process = subprocess.Popen[str]
Value = TypeVar("Value")


class Agents:
    """Runs `flexlbf agent` on a source and a drive of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "source"
        self.drive = folder / "drive"
        self.message = folder / "message"
        self.source.mkdir()
        self.drive.mkdir()
        self.environment = {
            "PATH": os.environ["PATH"],
            "FLEXLBF_OBJECT": OBJECT,
            "FLEXLBF_SOURCE_PATH": str(self.source),
            "FLEXLBF_DEVICE": str(self.drive),
            "FLEXLBF_TERMINATION_MESSAGE": str(self.message),
        }
        self._started: list[Process] = []

    def start(
        self, *arguments: str, setup: str = "", wrapper: tuple[str, ...] = (), **environment: str
    ) -> Process:
        """Start an agent.

        Args:
            arguments: behind `flexlbf agent`.
            setup: Python statements that run in the process first.
            wrapper: a command that executes the process.
            environment: variables on top of the usual ones.
        """
        program = f"{setup}; from flexlbf.cli.agent import agent; agent(prog_name='flexlbf agent')"
        process = subprocess.Popen(
            [*wrapper, sys.executable, "-c", program.removeprefix("; "), *arguments],
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._started.append(process)
        return process

    def run(self, *arguments: str, **environment: str) -> "Ended":
        """Run an agent to its end, in this process for speed; tar is a process of its own all the same."""
        with _signals_kept():
            done = CliRunner().invoke(
                agent, arguments, env=self.environment | environment, prog_name="flexlbf agent"
            )
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Ended(done.exit_code, done.stdout, done.stderr)

    def run_apart(self, *arguments: str, **settings: Any) -> "Ended":
        """Run an agent to its end in a process of its own, with the settings that `start` takes."""
        return self.end(self.start(*arguments, **settings))

    def end(self, process: Process) -> "Ended":
        """Wait for an agent's end."""
        out, err = process.communicate(timeout=DEADLINE)
        return Ended(process.returncode, out, err)

    def told(self) -> dict[str, Any]:
        """The termination message."""
        assert self.message.stat().st_size <= 4096
        message = json.loads(self.message.read_text())
        assert isinstance(message, dict)
        return message

    def files(self, pattern: str = "*") -> list[Path]:
        """What is on the drive, hidden files too."""
        return sorted(self.drive.glob(pattern))

    def archive(self) -> Path:
        """The only archive on the drive."""
        (archive,) = self.files("*.tar")
        return archive

    def partial(self) -> Path:
        """The only stream being written, once its writer has started."""
        return until(lambda: [path for path in self.files("*.partial") if path.stat().st_size])[0]

    def close(self) -> None:
        """End what still runs."""
        for process in self._started:
            process.kill()
            process.communicate()


class Ended:
    """How an agent ended."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err

    def __repr__(self) -> str:
        return f"exit status {self.status}\n{self.out}\n{self.err}"

    def result(self) -> dict[str, Any]:
        """The last line of a backup's output."""
        assert self.status == 0, self
        result = json.loads(self.out.splitlines()[-1])
        assert isinstance(result, dict)
        return result


@contextmanager
def _signals_kept() -> Iterator[None]:
    """An agent that is done ignores signals to the end of its process, which here is the tests' own."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, before)


def until(condition: Callable[[], Value]) -> Value:
    """What a condition comes to, once that is something."""
    end = time.monotonic() + DEADLINE
    while not (value := condition()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)
    return value
