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


def session_of(schedule: str, time_zone: str, ran: datetime) -> datetime | None:
    """The start of the session in which something ran: the last start at or before it, in UTC."""
    try:
        cron = str(CronSchedule.parse(schedule))
        zone = ZoneInfo(time_zone)
    except (CronError, ValueError, OSError, KeyError):
        return None
    next_minute = ran.astimezone(zone).replace(second=0, microsecond=0) + timedelta(minutes=1)
    last = next(CronSim(cron, next_minute, reverse=True), None)
    return last.astimezone(UTC) if last else None
