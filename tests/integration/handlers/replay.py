"""CronJobs replayed minute by minute from nothing but what the API server holds of them.

Independent of the operator's own reading of cron: schedules are read by the cronsim library, and an object's
length and rate are what the test gave it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from cronsim import CronSim

from support.resources import Raw

A_SUNDAY = datetime(2024, 6, 2)  # noqa: DTZ001 - the wall clock of whatever zone, in a time without changes
DAYS = 15
A_DAY = 24 * 60
A_WEEK = 7 * A_DAY


@dataclass(frozen=True)
class Stream:
    """How long an object takes, and how fast it is."""

    seconds: float
    rate: int


@dataclass(frozen=True)
class DriveLimits:
    """What a drive takes at the same time."""

    agents: int
    rate: int


@dataclass
class Replay:
    """What the CronJobs ask of each drive in each minute, and when each object starts."""

    agents: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    rates: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    starts: dict[str, list[int]] = field(default_factory=dict)

    def assert_within(self, drives: Mapping[str, DriveLimits]) -> None:
        """No minute asks more of a drive than it takes."""
        for drive, minutes in self.agents.items():
            assert max(minutes.values()) <= drives[drive].agents, drive
            assert max(self.rates[drive].values()) <= drives[drive].rate, drive

    def assert_once_a_session(self, schedule: str, offsets: Mapping[str, int]) -> None:
        """Each object starts once in each session, so many minutes into it, and at no other time."""
        sessions = starts_of(schedule, before=A_WEEK)
        assert len(sessions) > 1, "the schedule has no session in the time replayed"
        assert self.starts == {
            name: [start + offset for start in sessions if 0 <= start + offset < DAYS * A_DAY]
            for name, offset in offsets.items()
        }


def replay(cron_jobs: Iterable[Raw], streams: Mapping[str, Stream]) -> Replay:
    """Replay CronJobs over some weeks; what started in the last session before counts too."""
    seen = Replay()
    for each in cron_jobs:
        name = each["metadata"]["annotations"]["flexlbf.io/object"]
        drive = each["metadata"]["labels"]["flexlbf.io/drive"]
        stream = streams[name]
        lasts = -(-int(stream.seconds * 1000) // 60_000)
        seen.starts[name] = starts_of(each["spec"]["schedule"], before=0)
        for start in starts_of(each["spec"]["schedule"], before=A_WEEK):
            for minute in range(start, start + lasts):
                seen.agents[drive][minute] += 1
                seen.rates[drive][minute] += stream.rate
    return seen


def starts_of(schedule: str, *, before: int) -> list[int]:
    """The starts of a schedule in minutes since `A_SUNDAY`, from so many minutes before it on."""
    first = A_SUNDAY - timedelta(minutes=before + 1)
    last = A_SUNDAY + timedelta(days=DAYS)
    starts = []
    for start in CronSim(schedule, first):
        if start >= last:
            break
        starts.append(int((start - A_SUNDAY).total_seconds()) // 60)
    return starts


def minutes(offset: str) -> int:
    """The minutes of a planned offset: `1h5m`, `0m`."""
    hours, _, rest = offset.rpartition("h")
    return int(hours or 0) * 60 + int(rest.removesuffix("m") or 0)
