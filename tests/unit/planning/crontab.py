"""Cron expressions drawn at random, and what they mean by the words of Kubernetes' own parser."""

from datetime import datetime, timedelta

from cronsim import CronSim
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

A_DAY = 24 * 60
START = datetime(2024, 1, 1)  # noqa: DTZ001 - the wall clock, of no zone; a leap year begins

_LIMITS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_NAMES = ((), (), (), _MONTHS, _WEEKDAYS)


def _parts(position: int) -> SearchStrategy[str]:
    low, high = _LIMITS[position]
    values = st.integers(low, high)
    spelled = values.map(str)
    if _NAMES[position]:
        spelled |= st.sampled_from(_NAMES[position]) | st.sampled_from(_NAMES[position]).map(str.upper)
    ranges = st.tuples(values, values).map(lambda ends: f"{min(ends)}-{max(ends)}")
    spans = st.one_of(spelled, ranges, st.sampled_from("*?"))
    stepped = st.tuples(spans, st.integers(1, high)).map(lambda both: f"{both[0]}/{both[1]}")
    return spans | stepped


def _fields(position: int) -> SearchStrategy[str]:
    return st.just("*") | st.lists(_parts(position), min_size=1, max_size=3).map(",".join)


def expressions() -> SearchStrategy[str]:
    """Whatever admission lets through."""
    return st.tuples(*map(_fields, range(5))).map(" ".join)


def daily_expressions() -> SearchStrategy[str]:
    """A few starts a day, on some days of the week."""
    minutes = st.lists(st.integers(0, 59), min_size=1, max_size=3, unique=True)
    hours = st.lists(st.integers(0, 23), min_size=1, max_size=3, unique=True)
    days = st.just("*") | st.lists(st.integers(0, 6), min_size=1, max_size=6, unique=True).map(_listed)
    times = st.tuples(minutes.map(_listed), hours.map(_listed), days)
    return times.map(lambda fields: f"{fields[0]} {fields[1]} * * {fields[2]}")


def _listed(values: list[int]) -> str:
    return ",".join(map(str, values))


def matches(expression: str, moment: datetime) -> bool:
    """Whether Kubernetes starts a CronJob of this schedule in this minute, by robfig/cron's rules.

    A field with a star in it restricts nothing, even in a list, unless the star has a step above 1. A day
    must match both of its fields if one of them has such a star, and either of them otherwise.
    """
    values, stars = zip(*map(_read, expression.split(), range(5)), strict=True)
    if not (moment.minute in values[0] and moment.hour in values[1] and moment.month in values[3]):
        return False
    in_month, in_week = moment.day in values[2], moment.isoweekday() % 7 in values[4]
    return (in_month and in_week) if stars[2] or stars[4] else (in_month or in_week)


def _read(field: str, position: int) -> tuple[set[int], bool]:
    values: set[int] = set()
    star = False
    for part in field.split(","):
        span, _, step_text = part.partition("/")
        step = int(step_text or 1)
        low, high = _LIMITS[position]
        if span in {"*", "?"}:
            star = star or step == 1
        else:
            first, dash, last = span.partition("-")
            low = _value(first, position)
            high = _value(last, position) if dash else high if step_text else low
        values.update(range(low, high + 1, step))
    return values, star


def _value(text: str, position: int) -> int:
    names = _NAMES[position]
    return names.index(text.lower()) + _LIMITS[position][0] if text.lower() in names else int(text)


def starts(expression: str, days: int, before: int = 0) -> list[int]:
    """The starts by the cronsim library, in minutes since `START`, from so many minutes before it on."""
    found = []
    for start in CronSim(expression, START - timedelta(minutes=before + 1)):
        minute = int((start - START).total_seconds()) // 60
        if minute >= days * A_DAY:
            break
        found.append(minute)
    return found
