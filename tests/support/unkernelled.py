"""A scheduler on the simulator's Python loop, to hold the kernel to."""

from flexlbf.scheduling import Scheduler
from flexlbf.scheduling.protocol import NativeRule


class InPython:
    """A scheduler whose rule the kernel is not told."""

    native_rule: NativeRule | None = None
    shares_rate = False

    def __init__(self, scheduler: Scheduler) -> None:
        self.order = scheduler.order
        self.choose = scheduler.choose
        self.ask_again = scheduler.ask_again

    def fitted(self, *_: object) -> "InPython":
        """As it is."""
        return self
