"""A progress bar for what takes longer than a second, on a terminal only."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE_S = 1.0

Step = Callable[[float, float], None]
"""Tells how much is done, and of how much."""


@contextmanager
def progress(label: str, patience: float = PATIENCE_S) -> Iterator[Step]:
    """Show how far something is on standard error; the bar is gone when it is done."""
    if not sys.stderr.isatty():
        yield lambda _done, _whole: None
        return
    from rich.console import Console  # noqa: PLC0415 - only people wait for rich
    from rich.progress import Progress  # noqa: PLC0415

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(label, total=None)
    # From a thread, so that a first step of minutes does not leave people before an empty screen.
    begin = threading.Timer(patience, bar.start)
    begin.daemon = True
    begin.start()
    try:
        yield lambda done, whole: bar.update(task, completed=done, total=whole)
    finally:
        begin.cancel()
        begin.join()
        bar.stop()
