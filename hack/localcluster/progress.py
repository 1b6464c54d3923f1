"""What a person sees while something takes long, and what they get to read when it fails."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from localcluster.errors import LocalClusterError

HEARTBEAT_SECONDS = 30.0
TAIL_LINES = 25


def say(text: str) -> None:
    """One line for the person; standard output is kept for results."""
    print(text, file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """Seconds as a person says them."""
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


@contextmanager
def step(what: str, usually: str = "") -> Iterator[None]:
    """Announce a step, show that it is alive while it runs, and say how long it took."""
    started = time.monotonic()
    over = threading.Event()
    say(f"{what}{f' (usually {usually})' if usually else ''} …")

    def heartbeat() -> None:
        while not over.wait(HEARTBEAT_SECONDS):
            say(f"  … still at it after {duration(time.monotonic() - started)}: {what}")

    pulse = threading.Thread(target=heartbeat, daemon=True)
    pulse.start()
    try:
        yield
    finally:
        over.set()
        pulse.join()
    say(f"  done in {duration(time.monotonic() - started)}")


def tail(path: Path, lines: int = TAIL_LINES) -> str:
    """The last lines of a log, indented, for an error message."""
    try:
        text = path.read_text(errors="replace")
    except FileNotFoundError:
        return "    (no log was written)"
    return "\n".join(f"    {line}" for line in text.splitlines()[-lines:]) or "    (the log is empty)"


@dataclass(frozen=True)
class Run:
    """How a tool is run: where its words go and what to tell the person if it fails."""

    log: Path
    retry: str
    directory: Path | None = None
    environment: Mapping[str, str] | None = None

    def __call__(self, *command: str | Path, source: Path | None = None) -> None:
        """Run the command with its output appended to the log; its failure shows the log's end."""
        with self.log.open("a") as log:
            log.write(f"$ {' '.join(map(str, command))}\n")
            log.flush()
            code = self._call(command, log.fileno(), source)
        if code:
            raise LocalClusterError(
                f"{Path(str(command[0])).name} failed (exit code {code}). The end of {self.log}:\n"
                f"{tail(self.log)}\nTo try again: {self.retry}"
            )

    def _call(self, command: Sequence[str | Path], output: int, source: Path | None) -> int:
        with (source or Path("/dev/null")).open("rb") as stdin:
            return subprocess.run(
                command,
                check=False,
                stdin=stdin,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self.directory,
                env=self.environment,
            ).returncode
