"""File names of runs: readable, never two objects in one, and never outside the drive's directory.

A run of `fs07:/data` is called `fs07%3A%2Fdata@20260131T220000.123456Z`, with `+label` behind it when its
session has one. Objects and labels are percent-encoded as in URLs, so `@`, `+` and `~` are free to separate.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote, unquote

MAX_OBJECT_BYTES = 110
MAX_SESSION_BYTES = 48
"""Together with timestamp, separators and the longest suffix this stays below 200 bytes."""

_STARTED_FORMAT = "%Y%m%dT%H%M%S.%fZ"
_HASH_DIGITS = 32
_CUT_ESCAPE = re.compile(r"%[0-9A-F]?$")
_RUN_NAME = re.compile(
    r"(?P<object>[\w%-][\w.%~-]*)@(?P<started>\d{8}T\d{6}\.\d{6}Z)(\+(?P<session>[\w.%~-]+))?", re.ASCII
)


def encode(text: str, limit: int = MAX_OBJECT_BYTES) -> str:
    """Encode any text as a part of a file name; no two texts give the same.

    A text that is too long keeps its readable beginning and is told from others by 128 bits of its SHA-256
    behind a `~`, which is found in no other name.

    Args:
        text: not empty; lone surrogates (undecodable bytes of an argument) are fine.
        limit: bytes that the result may have.
    """
    # A leading dot would hide the file or, worse, be `..`; quote() lets dots and tildes pass.
    name = quote(text, safe="", errors="surrogatepass").replace("~", "%7E")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) <= limit:
        return name
    digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:_HASH_DIGITS]
    readable = _CUT_ESCAPE.sub("", name[: limit - _HASH_DIGITS - 1])
    return f"{readable}~{digest}"


def decode(name: str) -> str:
    """The text behind an encoded name, or the shortened name itself, of which only the digest is left."""
    if "~" in name:
        return name
    return unquote(name, errors="surrogatepass")


@dataclass(frozen=True, slots=True)
class RunName:
    """What the name of a run's files tells.

    Attributes:
        object: the object, encoded.
        started: when the run started, in UTC, to the microsecond.
        session: the session's label, encoded, or none.
    """

    object: str
    started: datetime
    session: str | None = None

    @classmethod
    def of(cls, object_name: str, started: datetime, session: str | None = None) -> "RunName":
        """Name a run of an object; an empty label counts as none."""
        label = encode(session, MAX_SESSION_BYTES) if session else None
        return cls(encode(object_name), started.astimezone(UTC), label)

    @classmethod
    def parse(cls, text: str) -> "RunName | None":
        """Read a run's name back; none when the text is no such name."""
        match = _RUN_NAME.fullmatch(text)
        if match is None:
            return None
        try:
            started = datetime.strptime(match["started"], _STARTED_FORMAT).replace(tzinfo=UTC)
        except ValueError:  # a 31st of February
            return None
        return cls(match["object"], started, match["session"])

    def __str__(self) -> str:
        label = f"+{self.session}" if self.session else ""
        return f"{self.object}@{self.started.strftime(_STARTED_FORMAT)}{label}"

    @property
    def archive(self) -> str:
        """The tar file; it is there only once it is whole."""
        return f"{self}.tar"

    @property
    def checksum(self) -> str:
        """What `sha256sum -c` reads."""
        return f"{self}.tar.sha256"

    @property
    def manifest(self) -> str:
        """What the run was, as JSON."""
        return f"{self}.json"

    @property
    def partial(self) -> str:
        """The archive while it is written."""
        return f".{self}.tar.partial"
