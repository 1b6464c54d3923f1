"""Points in time as RFC 3339 writes them."""

import re
from datetime import UTC, datetime

TIMESTAMP_MAX_LENGTH = 32  # microseconds and an offset
TIMESTAMP_HINT = "write an RFC 3339 time with its offset, such as 2026-01-31T22:00:00Z"

_TIMESTAMP = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})",
    re.ASCII,
)


def parse_timestamp(text: str) -> datetime:
    """Read a point in time; digits beyond the microsecond are dropped.

    Raises:
        ValueError: It is no RFC 3339 time; the message says what to write.
    """
    if not _TIMESTAMP.fullmatch(text):
        raise ValueError(TIMESTAMP_HINT)
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError as error:  # a 31st of February
        raise ValueError(TIMESTAMP_HINT) from error


def format_timestamp(moment: datetime) -> str:
    """Write a point in time in UTC as Kubernetes does, with a fraction only where there is one.

    Raises:
        ValueError: The time has no offset, so it is not a point in time.
    """
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no offset")
    return moment.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"
