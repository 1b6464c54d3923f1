"""Cron schedules as Kubernetes reads them, and how to start an object some minutes into the session.

Kubernetes' CronJob controller parses with robfig/cron: five fields, names for months and weekdays, Sunday
is 0, and a day matches either of day-of-month and day-of-week when both are restricted.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from zoneinfo import ZoneInfo

from cronsim import CronSim

MINUTES_PER_DAY = 24 * 60

_MACROS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LONG_MONTHS = frozenset({1, 3, 5, 7, 8, 10, 12})
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


class CronError(ValueError):
    """A schedule that Kubernetes would not take; the message says what to write."""


class ShiftError(ValueError):
    """A schedule that no cron expression can express when started later; the message says what to do."""


@dataclass(frozen=True, slots=True)
class _FieldRule:
    label: str
    low: int
    high: int
    names: tuple[str, ...] = ()

    @property
    def full(self) -> frozenset[int]:
        return frozenset(range(self.low, self.high + 1))


_FIELDS = (
    _FieldRule("minute", 0, 59),
    _FieldRule("hour", 0, 23),
    _FieldRule("day of the month", 1, 31),
    _FieldRule("month", 1, 12, _MONTHS),
    _FieldRule("day of the week", 0, 6, _WEEKDAYS),
)


@dataclass(frozen=True, slots=True)
class CronSchedule:
    """A parsed schedule: the values that each field matches.

    Attributes:
        any_day_of_month: the field was a star, so that only the day of the week restricts.
        any_day_of_week: likewise.
    """

    minutes: frozenset[int]
    hours: frozenset[int]
    days_of_month: frozenset[int]
    months: frozenset[int]
    days_of_week: frozenset[int]
    any_day_of_month: bool
    any_day_of_week: bool

    @classmethod
    def parse(cls, expression: str) -> "CronSchedule":
        """Parse a schedule; raises CronError."""
        text = expression.strip()
        if "TZ=" in text:
            raise CronError(f"schedule {expression!r} names a zone: leave that out and set spec.timeZone")
        if text.startswith("@"):
            if text.lower() not in _MACROS:
                raise CronError(f"schedule {expression!r} is not known: write five fields, as in 0 22 * * 6")
            text = _MACROS[text.lower()]
        cells = text.split()
        if len(cells) != len(_FIELDS):
            raise CronError(
                f"schedule {expression!r} has {len(cells)} fields: write five (minute, hour, day of the "
                "month, month, day of the week), as in 0 22 * * 6"
            )
        parsed = [_parse_field(cell, rule, expression) for cell, rule in zip(cells, _FIELDS, strict=True)]
        minutes, hours, days_of_month, months, days_of_week = (field for field, _ in parsed)
        any_month_day, any_week_day = parsed[2][1], parsed[4][1]
        schedule = cls(minutes, hours, days_of_month, months, days_of_week, any_month_day, any_week_day)
        schedule._require_a_start(expression)
        return schedule._simplified()

    def _require_a_start(self, expression: str) -> None:
        longest_month = max(
            31 if month in _LONG_MONTHS else 29 if month == 2 else 30 for month in self.months
        )
        if self.any_day_of_week and min(self.days_of_month) > longest_month:
            raise CronError(f"schedule {expression!r} names a date that no year has: write one that comes")

    def _simplified(self) -> "CronSchedule":
        """The same days with a star for every field that restricts nothing, so that `str` keeps them."""
        all_of_month, all_of_week = len(self.days_of_month) == 31, len(self.days_of_week) == 7
        if not (self.any_day_of_month or self.any_day_of_week) and (all_of_month or all_of_week):
            month, week = _FIELDS[2].full, _FIELDS[4].full
            return replace(
                self, days_of_month=month, days_of_week=week, any_day_of_month=True, any_day_of_week=True
            )
        return replace(self, any_day_of_month=all_of_month, any_day_of_week=all_of_week)

    @property
    def every_day(self) -> bool:
        """Whether it starts on every day of the year."""
        return self.any_day_of_month and self.any_day_of_week and len(self.months) == 12

    def __str__(self) -> str:
        """The five fields, as short as they go."""
        day_of_month = "*" if self.any_day_of_month else _format(self.days_of_month, _FIELDS[2])
        day_of_week = "*" if self.any_day_of_week else _format(self.days_of_week, _FIELDS[4])
        minutes, hours = _format(self.minutes, _FIELDS[0]), _format(self.hours, _FIELDS[1])
        return f"{minutes} {hours} {day_of_month} {_format(self.months, _FIELDS[3])} {day_of_week}"

    def shifted(self, minutes: int) -> "CronSchedule":
        """The schedule that starts `minutes` later, on the same wall clock.

        Raises:
            ShiftError: cron can't say it, for instance a day of the month that crosses midnight.
        """
        shifted_times = [
            divmod(hour * 60 + minute + minutes, MINUTES_PER_DAY)
            for hour in self.hours
            for minute in self.minutes
        ]
        day_shifts = {days for days, _ in shifted_times}
        times = {time for _, time in shifted_times}
        later = self._at(times, minutes)
        if self.every_day or day_shifts == {0}:
            return later
        if len(day_shifts) > 1:
            raise ShiftError(
                f"schedule {self} starts several sessions a day, and {minutes} minutes later some of them "
                "are past midnight and some are not: write one start a day"
            )
        if not self.any_day_of_month or len(self.months) != 12:
            raise ShiftError(
                f"schedule {self} names days of the month or months, and an object that starts {minutes} "
                "minutes into the session starts past midnight, on a date that cron can't tell from it: "
                "start the session earlier in the day, or name days of the week"
            )
        shift = day_shifts.pop()
        return replace(later, days_of_week=frozenset((day + shift) % 7 for day in self.days_of_week))

    def _at(self, times: set[int], minutes: int) -> "CronSchedule":
        """The same days at other times of the day, given as minutes since midnight."""
        new_minutes = frozenset(time % 60 for time in times)
        new_hours = frozenset(time // 60 for time in times)
        if len(new_minutes) * len(new_hours) != len(times):
            raise ShiftError(
                f"schedule {self} starts at several minutes of an hour, and {minutes} minutes later these "
                "fall into different hours: write one minute, as in 0 22 * * *"
            )
        return replace(self, minutes=new_minutes, hours=new_hours)

    def starts(self, after: datetime) -> Iterator[datetime]:
        """The starts after an instant, in its time zone, without end."""
        return CronSim(str(self), after)

    def next_start(self, after: datetime, zone: ZoneInfo) -> datetime:
        """The first start after an instant, in UTC."""
        return next(self.starts(after.astimezone(zone))).astimezone(UTC)

    def shortest_gap(self, starts: int = 400) -> timedelta:
        """The least time between two starts, over so many of them in a row (weeks to decades)."""
        times = self.starts(datetime(2024, 1, 1))  # noqa: DTZ001 - the wall clock, of no zone
        shortest, last = timedelta.max, next(times)
        for _, start in zip(range(starts), times, strict=False):
            shortest, last = min(shortest, start - last), start
        return shortest

    def longest_gap(self) -> timedelta:
        """The longest time between two starts on the wall clock, over a year and at least eight dates."""
        times = sorted(hour * 60 + minute for hour in self.hours for minute in self.minutes)
        overnight = timedelta(minutes=times[0] - times[-1])
        within = timedelta(minutes=max((b - a for a, b in pairwise(times)), default=0))
        return max(within, overnight + _most_days_apart(self._at({0}, 0)))


@lru_cache(maxsize=1024)  # hundreds of dates take tens of milliseconds, and most policies share few schedules
def _most_days_apart(midnights: CronSchedule) -> timedelta:
    if midnights.every_day:
        return timedelta(days=1)
    first = datetime(2024, 1, 1)  # noqa: DTZ001 - the wall clock, of no zone
    days: list[datetime] = []
    for day in midnights.starts(first):
        days.append(day)
        if day > first + timedelta(days=400) and len(days) >= 8:
            break
    return max(later - earlier for earlier, later in pairwise(days))


def _parse_field(cell: str, rule: _FieldRule, expression: str) -> tuple[frozenset[int], bool]:
    """The values of a field, and whether it has a star (which no step makes narrower), if only in a list."""
    values: set[int] = set()
    for part in cell.split(","):
        span, slash, step_text = part.partition("/")
        step = int(step_text) if step_text.isascii() and step_text.isdigit() else 0
        if slash and step < 1:
            raise CronError(f"schedule {expression!r}: step {part!r} is not a number above 0, as in */2")
        low, high = _parse_span(span, rule, expression, open_ended=bool(slash))
        values.update(range(low, high + 1, step or 1))
    return frozenset(values), not {"*", "?", "*/1", "?/1"}.isdisjoint(cell.split(","))


def _parse_span(span: str, rule: _FieldRule, expression: str, *, open_ended: bool) -> tuple[int, int]:
    if span in {"*", "?"}:
        return rule.low, rule.high
    first, dash, last = span.partition("-")
    low = _parse_value(first, rule, expression)
    high = _parse_value(last, rule, expression) if dash else rule.high if open_ended else low
    if low > high:
        raise CronError(f"schedule {expression!r}: range {span!r} runs backwards: write it as two")
    return low, high


def _parse_value(text: str, rule: _FieldRule, expression: str) -> int:
    if text.lower() in rule.names:
        return rule.names.index(text.lower()) + rule.low
    value = int(text) if text.isascii() and text.isdigit() else -1
    if not rule.low <= value <= rule.high:
        raise CronError(
            f"schedule {expression!r}: {text!r} is no {rule.label}: write {rule.low} to {rule.high}"
        )
    return value


def _format(values: frozenset[int], rule: _FieldRule) -> str:
    if values == rule.full:
        return "*"
    parts: list[str] = []
    for value in sorted(values):
        if value - 1 in values and value + 1 in values:
            continue  # inside a run, whose ends say it
        parts.append(f"-{value}" if value - 1 in values and value - 2 in values else f",{value}")
    return "".join(parts).removeprefix(",")
