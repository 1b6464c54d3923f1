"""Stopping in good order: SIGTERM (a deleted pod, a deadline) and SIGINT become an exception."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from flexlbf.agent.errors import StoppedError

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Interrupts:
    """Raises `StoppedError` in the main thread on the first signal; further ones let it clean up."""

    def __init__(self) -> None:
        self._deaf = False

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """The signal handler.

        Raises:
            StoppedError: on the first signal.
        """
        if self._deaf:
            return
        self._deaf = True
        name = signal.Signals(number).name
        raise StoppedError(
            f"stopped by {name} before it was done; run it again, with a later deadline if any"
        )

    def ignore(self) -> None:
        """From here on it is sooner done than undone, so signals come too late.

        Masking them would not do: another thread would take them, and Python still runs the handler in
        the main one.
        """
        self._deaf = True


@contextmanager
def interrupts() -> Iterator[Interrupts]:
    """Listen to signals within; only the main thread can."""
    listener = Interrupts()
    before = {number: signal.signal(number, listener.handle) for number in _SIGNALS}
    try:
        yield listener
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
