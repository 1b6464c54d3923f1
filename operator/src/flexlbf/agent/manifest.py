"""What is known of a run: its result, and the manifest that lies beside its archive."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Result:
    """What a backup came to.

    Attributes:
        bytes: size of the tar stream, all of which is on the drive.
        seconds: how long the backup took, until the drive had it for good.
        sha256: checksum of the stream, as hexadecimal digits.
        warnings: what tar remarked, such as a file that changed while it was read; none in most runs.
    """

    bytes: int
    seconds: float
    sha256: str
    warnings: int = 0

    def to_json(self) -> dict[str, Any]:
        """As the pod's termination message has it: `warnings` appears only when there are some."""
        fields = {"bytes": self.bytes, "seconds": self.seconds, "sha256": self.sha256}
        return fields | ({"warnings": self.warnings} if self.warnings else {})


@dataclass(frozen=True, slots=True)
class Manifest:
    """A run as the JSON file beside its archive tells it; times are RFC 3339 in UTC."""

    object: str
    started: str
    finished: str
    source: str
    drive: str | None
    session: str | None
    block_size: int
    result: Result

    def to_text(self) -> str:
        """The file's content."""
        fields = asdict(self)
        del fields["result"]
        return json.dumps(fields | asdict(self.result), indent=2) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "Manifest":
        """Read the file back.

        Raises:
            ValueError: it is no manifest.
        """
        try:
            fields = json.loads(text)
            result = Result(*(fields.pop(name) for name in ("bytes", "seconds", "sha256", "warnings")))
            return cls(**fields, result=result)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError("this is no manifest of a backup") from error


def utc(moment: datetime) -> str:
    """A time in UTC as RFC 3339, to the microsecond."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
