"""What planning can find: reasons that appear in conditions, and the words that go with them."""

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Reasons of a policy's conditions; the documentation has an entry for each."""

    PLANNED = "Planned"
    RECOMMENDED = "Recommended"
    SUSPENDED = "Suspended"
    NOTHING_TO_BACK_UP = "NothingToBackUp"
    PLANNING = "Planning"
    APPLYING = "Applying"
    APPLY_FAILED = "ApplyFailed"
    UP_TO_DATE = "UpToDate"

    INVALID_RESOURCE = "InvalidResource"
    BACKUP_SET_NOT_FOUND = "BackupSetNotFound"
    TAPE_POOL_NOT_FOUND = "TapePoolNotFound"
    BACKUP_CLASS_NOT_FOUND = "BackupClassNotFound"
    NAMESPACE_NOT_ALLOWED = "NamespaceNotAllowed"
    NO_DRIVE_AVAILABLE = "NoDriveAvailable"
    UNKNOWN_TIME_ZONE = "UnknownTimeZone"
    INVALID_SCHEDULE = "InvalidSchedule"
    SCHEDULE_NOT_SHIFTABLE = "ScheduleNotShiftable"
    SESSIONS_OVERLAP = "SessionsOverlap"
    HISTORY_NOT_FOUND = "HistoryNotFound"
    INVALID_HISTORY = "InvalidHistory"
    DUPLICATE_OBJECT = "DuplicateObject"
    NO_HISTORY = "NoHistory"
    SOURCE_NOT_ALLOWED = "SourceNotAllowed"
    OVERRIDE_NOT_ALLOWED = "OverrideNotAllowed"
    PLANNING_FAILED = "PlanningFailed"
    APPLY_REFUSED = "ApplyRefused"

    SESSION_RUNNING = "SessionRunning"
    SESSION_SUCCEEDED = "SessionSucceeded"
    SESSION_FAILED = "SessionFailed"
    WINDOW_ENDED = "WindowEnded"
    SESSION_ABANDONED = "SessionAbandoned"
    POLICY_DELETED = "PolicyDeleted"

    FITS = "Fits"
    OVERRUNS = "Overruns"
    NO_WINDOW = "NoWindow"
    NOT_PLANNED = "NotPlanned"

    FORECAST_MISSED = "ForecastMissed"
    AS_FORECAST = "AsForecast"
    NO_SESSION_YET = "NoSessionYet"


LED_BY_NOBODY = frozenset({Reason.POLICY_DELETED, Reason.SESSION_ABANDONED})
"""Why nothing can start of a session that has no policy any more: nobody can mend that."""


class PoolReason(StrEnum):
    """Reasons of a pool's conditions; the documentation has an entry for each."""

    DRIVES_KNOWN = "DrivesKnown"
    ENOUGH = "Enough"
    OVERLAPPING = "Overlapping"


@dataclass(frozen=True, slots=True)
class Finding:
    """A reason for programs and a message for people."""

    reason: Reason
    message: str


class Unplannable(Exception):  # noqa: N818 - it is a verdict on the input, not an error of ours
    """The policy can't be planned as things are; only a change of the input helps."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.finding = Finding(reason, message)

    def __reduce__(self) -> tuple[type["Unplannable"], tuple[Reason, str]]:
        """Survive the way back from the process that plans."""
        return (Unplannable, (self.finding.reason, self.finding.message))
