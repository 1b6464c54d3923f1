"""Stopping in good order: SIGTERM (a deleted pod, a deadline) and SIGINT become an exception."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from flexlbf.agent.errors import StoppedError

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Interrupts:
    """A context, entered again and again around what may take long, in which the first signal raises.

    Elsewhere a signal waits for the next such context. An exception that came out of nowhere in the midst of
    a lock's or a thread pool's code would leave them broken and turn into another one.
    """

    def __init__(self) -> None:
        self.over = False
        self._caught: signal.Signals | None = None
        self._raising = False

    def __enter__(self) -> None:
        self._raising = True
        self._raise()

    def __exit__(self, *_: object) -> None:
        self._raising = False

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """The signal handler.

        Raises:
            StoppedError: on the first signal, if it comes within the context.
        """
        self._caught = self._caught or signal.Signals(number)
        if self._raising:
            self._raise()

    def ignore(self) -> None:
        """From here on it is sooner done than undone, so signals come too late.

        Masking them would not do yet: another thread would take them, and Python still runs the handler
        in the main one.
        """
        self.over = True

    def _raise(self) -> None:
        if self._caught is None or self.over:
            return
        self.over = True
        raise StoppedError(
            f"stopped by {self._caught.name} before it was done; run it again, with a later deadline if any"
        )


@contextmanager
def interrupts() -> Iterator[Interrupts]:
    """Listen to signals within; only the main thread can.

    Once the outcome is certain, signals are ignored to the end of the process: one that arrives while it
    exits would otherwise change its exit status, and with that the Job's.
    """
    listener = Interrupts()
    before = {number: signal.signal(number, listener.handle) for number in _SIGNALS}
    try:
        yield listener
    finally:
        if listener.over:
            # Masked first, as Python complains of a signal that comes just when its handler goes. The mask
            # alone is not enough: a thread that has been joined may still be there to take a signal.
            signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
            for number in _SIGNALS:
                signal.signal(number, signal.SIG_IGN)
        else:
            for number, handler in before.items():
                signal.signal(number, handler)
