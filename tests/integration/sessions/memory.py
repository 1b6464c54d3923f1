"""How much memory the operator takes, its helpers included."""

import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from integration.handlers.operatorprocess import OperatorProcess, children_of

EVERY_SECONDS = 0.5


class Watch:
    """Looks every half second while it is open, and remembers the most it saw, in MB (10^6 bytes)."""

    def __init__(self, operator: OperatorProcess) -> None:
        self._operator = operator
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self.peak = 0.0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(EVERY_SECONDS):
            pid = self._operator.pid
            total = sum(map(resident, [pid, *children_of(pid)]))
            self.peak = max(self.peak, total)


def resident(pid: int) -> float:
    """The resident set of a process in MB; nothing if it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    kilobytes = next((line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")), "0")
    return int(kilobytes) * 1024 / 1e6
