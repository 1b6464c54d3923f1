"""When sessions begin: the next one by the schedule, the last one by what ran."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from cronsim import CronSim

from flexlbf.planning.cron import CronError, CronSchedule


def next_session(schedule: str, time_zone: str, after: datetime) -> datetime | None:
    """The first start after an instant, in UTC; None if schedule or zone can't be read."""
    try:
        return CronSchedule.parse(schedule).next_start(after, ZoneInfo(time_zone))
    except (CronError, ValueError, OSError, KeyError):
        return None


def read_time(text: object) -> datetime | None:
    """A point in time as a resource has it, None for what is none: a status may hold anything."""
    try:
        read = datetime.fromisoformat(text) if isinstance(text, str) else None
        return read.astimezone(UTC) if read and read.tzinfo else None
    except (ValueError, OverflowError):
        return None


def session_of(schedule: str, time_zone: str, ran: datetime) -> datetime | None:
    """The start of the session in which something ran: the last start at or before it, in UTC."""
    try:
        cron = str(CronSchedule.parse(schedule))
        local = ran.astimezone(ZoneInfo(time_zone)).replace(second=0, microsecond=0)
        last = next(CronSim(cron, local + timedelta(minutes=1), reverse=True), None)
        return last.astimezone(UTC) if last else None
    except (CronError, ValueError, OSError, KeyError, OverflowError):
        return None
