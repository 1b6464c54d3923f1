"""When a session begins: cron expressions and time zones, as Kubernetes' CronJobs take them."""

import zoneinfo
from typing import Annotated

from pydantic import StringConstraints

from flexlbf.api.rules import Rule, matching

_MACROS = r"@(hourly|daily|midnight|weekly|monthly|yearly|annually)"


def _field(value: str) -> str:
    """A pattern for one field: lists of values, ranges and steps."""
    item = rf"([*?]|({value})(-({value}))?)(/[1-9][0-9]*)?"
    return rf"{item}(,{item})*"


_FIELDS = " +".join(
    _field(value)
    for value in (
        r"[0-5]?[0-9]",
        r"[01]?[0-9]|2[0-3]",
        r"0?[1-9]|[12][0-9]|3[01]",
        r"0?[1-9]|1[0-2]|(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
        r"[0-6]|(?i:sun|mon|tue|wed|thu|fri|sat)",
    )
)
_CRON = matching(
    rf"^({_MACROS}|{_FIELDS})$",
    "write five fields, such as '0 22 * * 5' for Fridays at 22:00: minute 0-59, hour 0-23,"
    " day of the month 1-31, month 1-12 or JAN-DEC, day of the week 0-6 or SUN-SAT;"
    " or one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually",
)


def _judged_elsewhere(text: str) -> bool:
    return "TZ=" in text or text.startswith("@every")


CronSchedule = Annotated[
    str,
    StringConstraints(max_length=128),
    Rule(
        cel="!self.contains('TZ=')",
        message="write the schedule without TZ= or CRON_TZ= and name the zone in spec.timeZone",
        holds=lambda text: "TZ=" not in text,
        reason="FieldValueForbidden",
    ),
    Rule(
        cel="!self.startsWith('@every')",
        message="@every has no time of day: write five fields, such as '0 */6 * * *' for every six hours",
        holds=lambda text: not text.startswith("@every"),
        reason="FieldValueForbidden",
    ),
    Rule(
        cel=f"self.contains('TZ=') || self.startsWith('@every') || {_CRON.cel}",
        message=_CRON.message,
        holds=lambda text: _judged_elsewhere(text) or (_CRON.holds is not None and _CRON.holds(text)),
    ),
]
"""A cron expression of five fields, or a name for one."""


def _is_known_zone(name: str) -> bool:
    try:
        zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        return False
    return True


TimeZone = Annotated[
    str,
    StringConstraints(max_length=64),
    Rule(
        # The server's own time zone would be another one on every host, and an offset knows no summer time.
        cel="self.matches(r'^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$') && self != 'Local' && "
        "timestamp('2000-01-01T00:00:00Z').getHours(self) >= 0",
        message="write the name of a time zone, such as Europe/Berlin or Etc/UTC",
        holds=lambda name: name != "Local" and _is_known_zone(name),
    ),
]
"""The name of a time zone in the IANA database."""
