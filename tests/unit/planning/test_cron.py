"""Schedules are read as Kubernetes reads them, and moved without a start lost, doubled or misplaced."""

import itertools
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from flexlbf.planning.cron import CronError, CronSchedule, ShiftError
from support.strategies import examples
from unit.planning.crontab import A_DAY, START, daily_expressions, expressions, matches, starts

MOMENTS = st.integers(0, 3 * 366 * A_DAY).map(lambda minute: START + timedelta(minutes=minute))


def parsed(expression: str) -> CronSchedule:
    """The schedule; one that never starts is none of these tests' business."""
    try:
        return CronSchedule.parse(expression)
    except CronError as error:
        assume("names a date that no year has" not in str(error))
        raise


@given(expressions(), MOMENTS)
@example("0 0 *,5 * 1", datetime(2024, 1, 2))  # noqa: DTZ001 - a Tuesday: a star in a list is still a star
@example("0 0 */2 * 1", datetime(2024, 1, 3))  # noqa: DTZ001 - a Wednesday: a star with a step is none
@example("0 0 ? * 1", datetime(2024, 1, 2))  # noqa: DTZ001
@example("0 0 1-31 * 1", datetime(2024, 1, 2))  # noqa: DTZ001 - all days, but no star
@examples(400)
def test_a_schedule_starts_when_kubernetes_starts_it(expression: str, moment: datetime):
    """At that very minute, or not at all."""
    next_start = next(parsed(expression).starts(moment - timedelta(minutes=1)))
    assert (next_start == moment) is matches(expression, moment)


@given(expressions())
@examples(200)
def test_a_schedule_that_is_written_is_the_same_schedule(expression: str):
    """What the operator writes is what it has read."""
    schedule = parsed(expression)
    assert CronSchedule.parse(str(schedule)) == schedule


@pytest.mark.slow
@given(expressions(), st.integers(0, 2 * A_DAY))
@example("0 22 * * 6", 180)
@example("30 23 1 * *", 29)
@example("0,30 * * * *", 15)
@example("0 22 31 12 *", 119)
@examples(50)
def test_a_shifted_schedule_starts_as_much_later_as_it_was_shifted(expression: str, offset: int):
    """Every start of it and no other, over a week to two years, by another library's count."""
    schedule = parsed(expression)
    try:
        shifted = schedule.shifted(offset)
    except ShiftError:
        assume(False)
    days = min(800, 8 + 1500 // (len(schedule.hours) * len(schedule.minutes)))
    moved = [start + offset for start in starts(str(schedule), days, before=offset)]
    assert starts(str(shifted), days) == [start for start in moved if start < days * A_DAY]


@given(daily_expressions(), st.integers(0, 2 * A_DAY))
@examples(100)
def test_a_schedule_is_refused_only_if_no_expression_says_it(expression: str, offset: int):
    """For schedules of times and weekdays: the one expression that could say it says more, or less."""
    schedule = parsed(expression)
    days = 70
    wanted = [start + offset for start in starts(str(schedule), days, before=offset)]
    wanted = [start for start in wanted if start < days * A_DAY]
    times = {start % A_DAY for start in wanted}
    fields = (
        {time % 60 for time in times},
        {time // 60 for time in times},
        {(start // A_DAY + 1) % 7 for start in wanted},  # START is a Monday
    )
    minutes, hours, weekdays = (",".join(map(str, sorted(values))) for values in fields)
    only_candidate = f"{minutes} {hours} * * {weekdays}"
    try:
        shifted = str(schedule.shifted(offset))
    except ShiftError:
        assert starts(only_candidate, days) != wanted
    else:
        assert starts(shifted, days) == wanted


@pytest.mark.parametrize(
    ("expression", "offset", "want"),
    [
        ("0 22 * * 6", 0, "0 22 * * 6"),
        ("0 22 * * 6", 119, "59 23 * * 6"),
        ("0 22 * * 6", 120, "0 0 * * 0"),
        ("0 22 * * 1-5", 1500, "0 23 * * 2-6"),
        ("0 22 * * FRI,sat", 180, "0 1 * * 0,6"),
        ("15 20 * * *", 300, "15 1 * * *"),
        ("0,30 * * * *", 45, "15,45 * * * *"),
        ("0 4,16 * * *", 720, "0 4,16 * * *"),
        ("0 4 1-7 * *", 60, "0 5 1-7 * *"),
        ("0 4 * 1-6 *", 60, "0 5 * 1-6 *"),
        ("0 4 13 * 5", 60, "0 5 13 * 5"),
        ("@daily", 90, "30 1 * * *"),
        ("@weekly", 24 * 60, "0 0 * * 1"),
    ],
)
def test_a_shifted_schedule_is_as_people_would_write_it(expression: str, offset: int, want: str):
    """Short, and on the days that follow midnight."""
    assert str(CronSchedule.parse(expression).shifted(offset)) == want


@pytest.mark.parametrize(
    ("expression", "offset", "says"),
    [
        ("0 22 1 * *", 120, "start the session earlier in the day, or name days of the week"),
        ("0 22 * 1 *", 120, "start the session earlier in the day, or name days of the week"),
        ("0 22 13 * 5", 120, "start the session earlier in the day"),
        ("0 10,22 * * 1", 180, "write one start a day"),
        ("0,30 22 * * *", 45, "write one minute, as in 0 22"),
    ],
)
def test_what_cron_can_not_say_is_refused_with_what_to_do(expression: str, offset: int, says: str):
    """A wrong time would be worse than none."""
    with pytest.raises(ShiftError, match=says):
        CronSchedule.parse(expression).shifted(offset)


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        ("CRON_TZ=Europe/Berlin 0 22 * * 6", r"leave that out and set spec\.timeZone"),
        ("TZ=UTC 0 22 * * 6", r"leave that out and set spec\.timeZone"),
        ("@every 1h", "write five fields, as in 0 22"),
        ("0 22 * *", "has 4 fields: write five"),
        ("0 0 22 * * 6", "has 6 fields: write five"),
        ("", "has 0 fields"),
        ("60 22 * * 6", "'60' is no minute: write 0 to 59"),
        ("0 24 * * 6", "'24' is no hour: write 0 to 23"),
        ("0 22 0 * *", "'0' is no day of the month: write 1 to 31"),
        ("0 22 * 13 *", "'13' is no month: write 1 to 12"),
        ("0 22 * * 7", "'7' is no day of the week: write 0 to 6"),
        ("0 22 * * sun-x", "'x' is no day of the week"),
        ("0 22 * * 5-1", "'5-1' runs backwards: write it as two"),
        ("*/0 * * * *", "is not a number above 0"),
        ("*/x * * * *", "is not a number above 0"),
        ("0 22 31 2 *", "names a date that no year has"),
        ("0 22 31 4,6,9,11 *", "names a date that no year has"),
        ("0 22 ٣ * *", "is no day of the month"),
        ("0,, * * * *", "'' is no minute"),
    ],
)
def test_what_kubernetes_would_not_take_is_refused_with_what_to_write(expression: str, says: str):
    """One line, for the person who wrote it."""
    with pytest.raises(CronError, match=says):
        CronSchedule.parse(expression)


@pytest.mark.parametrize("expression", ["0 22 29 2 *", "0 22 31 2 1", "0 22 30 4,2 ?"])
def test_a_date_that_comes_seldom_is_none_that_never_comes(expression: str):
    """The 29th of February, and a 31st of it that is also any Monday."""
    assert CronSchedule.parse(expression).next_start(datetime(2026, 1, 1, tzinfo=UTC), ZoneInfo("UTC"))


@pytest.mark.parametrize(
    ("expression", "want"),
    [
        ("*/20 * * * *", timedelta(minutes=20)),
        ("0,50 * * * *", timedelta(minutes=10)),
        ("0 22 * * *", timedelta(days=1)),
        ("0 1,23 * * *", timedelta(hours=2)),
        ("0 22 * * 6", timedelta(days=7)),
        ("0 22 * * 1,2,5", timedelta(days=1)),
        ("0 22 1 * *", timedelta(days=28)),
        ("0 22 1,31 * *", timedelta(days=1)),
        ("0 22 1 * 5", timedelta(days=1)),
        ("0 22 29 2 *", timedelta(days=4 * 365 + 1)),
    ],
)
def test_the_shortest_gap_is_the_one_that_sessions_must_fit(expression: str, want: timedelta):
    """Also if it comes only now and then."""
    assert CronSchedule.parse(expression).shortest_gap() == want


@pytest.mark.parametrize(
    ("expression", "want"),
    [
        ("0 22 * * *", timedelta(days=1)),
        ("0 1,23 * * *", timedelta(hours=22)),
        ("* * * * *", timedelta(minutes=1)),
        ("*/7 8-17 * * *", timedelta(hours=14, minutes=4)),
        ("0 22 * * 6", timedelta(days=7)),
        ("0 22 * * 1-5", timedelta(days=3)),
        ("* 8-17 1 * *", timedelta(days=30, hours=14, minutes=1)),
        ("0 22 29 2 *", timedelta(days=4 * 365 + 1)),
    ],
)
def test_the_longest_gap_is_how_long_one_may_have_to_wait(expression: str, want: timedelta):
    """Also if many starts lie between, or years."""
    assert CronSchedule.parse(expression).longest_gap() == want


@given(daily_expressions())
@examples(30)
def test_no_two_starts_are_further_apart_than_the_longest_gap(expression: str):
    """By another library's count."""
    times = starts(expression, 60)
    longest = max(later - earlier for earlier, later in itertools.pairwise(times))
    assert CronSchedule.parse(expression).longest_gap() >= timedelta(minutes=longest)


@given(daily_expressions())
@examples(30)
def test_no_two_starts_are_closer_than_the_shortest_gap(expression: str):
    """By another library's count."""
    times = starts(expression, 60)
    shortest = min(later - earlier for earlier, later in itertools.pairwise(times))
    assert CronSchedule.parse(expression).shortest_gap() == timedelta(minutes=shortest)


@pytest.mark.parametrize(
    ("zone", "want"),
    [
        ("Etc/UTC", "2026-07-04T22:00"),
        ("Europe/Berlin", "2026-07-04T20:00"),
        ("Asia/Tokyo", "2026-07-04T13:00"),
    ],
)
def test_the_next_start_is_by_the_wall_clock_of_its_zone(zone: str, want: str):
    """And told in UTC."""
    schedule = CronSchedule.parse("0 22 * * 6")
    found = schedule.next_start(datetime(2026, 7, 1, tzinfo=UTC), ZoneInfo(zone))
    assert found == datetime.fromisoformat(want).replace(tzinfo=UTC)
