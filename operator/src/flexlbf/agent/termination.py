"""The pod's termination message: what Kubernetes keeps of a container that has ended."""

import json
from pathlib import Path

DEFAULT_PATH = Path("/dev/termination-log")
"""Where Kubernetes looks, unless the container says otherwise."""

MAX_BYTES = 4096
"""Kubernetes cuts off what is longer, which would leave no JSON."""


def failure(message: str) -> str:
    """`{"error": …}` as one line of JSON, shortened from behind until Kubernetes keeps all of it."""
    text = json.dumps({"error": message})
    while len(text) > MAX_BYTES:
        excess = len(text) - MAX_BYTES
        # A character takes up to twelve bytes of JSON, so cutting by a twelfth never cuts too much.
        message = message[: -(excess // 12 + 2)].rstrip("…") + "…"
        text = json.dumps({"error": message})
    return text


def leave(text: str, path: Path | None) -> None:
    """Leave the message.

    Args:
        text: at most 4096 bytes.
        path: the file; none for Kubernetes' own, if there is one.

    Raises:
        OSError: it can't be written.
    """
    if path is None and not DEFAULT_PATH.exists():
        return
    (path or DEFAULT_PATH).write_text(text, encoding="ascii")
