"""What can go wrong, told in one line: what it is, and the mend."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

_MENDS = {
    errno.ENOSPC: "free space there, or move the object to another drive",
    errno.EDQUOT: "raise the quota, or move the object to another drive",
    errno.EFBIG: "the drive takes no file of this size: move the object to another drive",
    errno.EACCES: "run the pod as a user, or with an fsGroup, that may do so",
    errno.EPERM: "run the pod as a user, or with the capabilities, that may do so",
    errno.EROFS: "mount it writable",
    errno.EBUSY: "it is in use: plan one agent for it at a time",
    errno.ENOENT: "check the path, and that its volume is mounted",
    errno.ENXIO: "check that the device is there and switched on",
    errno.ENOMEDIUM: "load a tape",
    errno.EIO: "look for faults of the drive or its medium in the node's kernel log",
    errno.ESTALE: "mount the volume again",
}
_NO_MEND = "look into the node's kernel log"


class AgentError(Exception):
    """The agent could not do its work; the message is one line for the person who mends it."""


class InputError(AgentError):
    """The agent was asked for something that can't be; trying again won't help."""


class StoppedError(AgentError):
    """The agent was told to stop, as a deleted pod or a deadline does."""


@contextmanager
def explained(doing: str) -> Iterator[None]:
    """Turn the system's errors into one line that says what was being done, why it failed and the mend.

    Args:
        doing: the action with what it was done to: `cannot write to /drive`.

    Raises:
        AgentError: in place of any `OSError` within.
    """
    try:
        yield
    except OSError as error:
        mend = _MENDS.get(error.errno or 0, _NO_MEND)
        raise AgentError(f"{doing}: {error.strerror or error}; {mend}") from error
