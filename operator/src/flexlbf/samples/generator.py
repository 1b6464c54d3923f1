"""Workloads like those of the paper's eight backup servers (section III and the facts of tables I to III).

What is drawn: 70 to 130 objects a server and 763 in all; durations from a minute to 16 hours, about a
quarter of them above an hour; throughputs from 0.1 to 35 MB/s, typically low for short objects, where the
start of an agent takes much of the time, with a few short fast and a few long slow ones; three weekly full
backups that differ by a few per cent, while objects grow slowly.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from math import fsum

from flexlbf.history import Measurement, estimate
from flexlbf.samples.characters import CHARACTERS, Character
from flexlbf.samples.draws import Draws
from flexlbf.scheduling import LBF, Job, equal_drives, simulate
from flexlbf.scheduling.units import NANOSECONDS

DEFAULT_SEED = 2010
"""The year of the paper; nothing depends on it being this one."""

WEEKS = 3
FIRST_SESSION = datetime(2026, 1, 9, 22, tzinfo=UTC)
"""A Friday night."""

SHORTEST_S, LONGEST_S, HOUR_S = 60, 57_600, 3_600
SLOWEST_KB, FASTEST_KB = 100, 35_000
"""Kilobytes a second; whole ones, so that bytes are exact products of whole numbers."""

MOUNTS = ("/data", "/home", "/srv", "/var")
SITE = equal_drives(4, 80, 4)
"""The paper's site: four drives with four agents each."""


@dataclass(frozen=True, slots=True)
class SampleObject:
    """An object and its full backups, the oldest first."""

    name: str
    measurements: tuple[Measurement, ...]


@dataclass(frozen=True, slots=True)
class Server:
    """A backup server and what it backs up."""

    name: str
    objects: tuple[SampleObject, ...]

    def jobs(self, week: int | None = None) -> list[Job]:
        """What is planned from the whole history, or the backups of one week (from 0) as they were."""
        runs = slice(None) if week is None else slice(week, week + 1)
        return [estimate(each.name, each.measurements[runs]) for each in self.objects]


@dataclass(frozen=True, slots=True)
class _Backup:
    seconds: int
    kilobytes_per_second: int


def server(n: int, seed: int = DEFAULT_SEED) -> Server:
    """The server number `n`, from 1 to 8."""
    if not 1 <= n <= len(CHARACTERS):
        raise ValueError(f"there is no server {n}: servers are numbered 1 to {len(CHARACTERS)}")
    character = CHARACTERS[n - 1]
    draws = Draws(seed * len(CHARACTERS) + n)
    durations = _durations(character, draws)
    usual = list(zip(durations, _rates(character, durations, draws), strict=True))
    draws.shuffle(usual)
    names = [f"fs{n}{i // len(MOUNTS) + 1:02}:{MOUNTS[i % len(MOUNTS)]}" for i in range(len(usual))]
    growth = [draws.between(0, 0.008) for _ in usual]
    weeks = []
    for week in range(WEEKS):
        runs = [_vary(*each, (1 + grows) ** week, draws) for each, grows in zip(usual, growth, strict=True)]
        weeks.append(_measured(dict(zip(names, runs, strict=True)), FIRST_SESSION + timedelta(weeks=week)))
    objects = (SampleObject(name, tuple(week[name] for week in weeks)) for name in names)
    return Server(f"server{n}", tuple(objects))


def servers(seed: int = DEFAULT_SEED) -> tuple[Server, ...]:
    """All eight servers."""
    return tuple(server(n, seed) for n in range(1, len(CHARACTERS) + 1))


def workload(objects: int, seed: int = DEFAULT_SEED) -> list[Job]:
    """A sample of a given size from all objects of the eight servers, as in section IV.

    A sample of more objects than there are draws them anew, under names of their own (`fs101:/data#2`).
    """
    base = list(_all_jobs())
    draws = Draws(seed)
    drawn: list[Job] = []
    while len(drawn) < objects:
        draws.shuffle(base)
        suffix = f"#{len(drawn) // len(base) + 1}" if drawn else ""
        wanted = base[: objects - len(drawn)]
        drawn += [Job(job.name + suffix, job.duration, job.rate) for job in wanted]
    return drawn


@cache
def _all_jobs() -> tuple[Job, ...]:
    """What samples are drawn from; made once, since samples are often drawn by the dozen."""
    return tuple(job for each in servers() for job in each.jobs())


def _durations(character: Character, draws: Draws) -> list[float]:
    """Seconds, the longest first.

    Each object has a quantile of its own, shaken a little: a server keeps its character for every seed.
    """
    long_count = round(character.objects * character.long_share)
    short_count = character.objects - long_count
    # On the logarithmic scale, and more of them near a minute than near an hour.
    short = [SHORTEST_S * 60 ** (((i + draws.between(0, 1)) / short_count) ** 2) for i in range(short_count)]
    longest = character.longest * draws.between(0.97, 1.03)
    giants = [longest, *(longest * draws.between(0.68, 0.98) for _ in range(character.giants - 1))]
    others = long_count - len(giants)
    quantiles = [(i + draws.between(0, 1)) / others for i in range(others)]
    bend = _bend(quantiles, longest, character.hours - fsum(short) / HOUR_S - fsum(giants))
    long = [HOUR_S * hours for hours in giants]
    long += [HOUR_S * _between_hours(longest, quantile**bend) for quantile in quantiles]
    return sorted(long + short, reverse=True)


def _between_hours(longest: float, quantile: float) -> float:
    """Hours on the logarithmic scale from clearly above one to the longest."""
    return float(1.05 * (longest / 1.05) ** quantile)


def _bend(quantiles: list[float], longest: float, hours: float) -> float:
    """The exponent that makes the objects of these quantiles last so many hours together."""
    low, high = 0.2, 20.0
    for _ in range(40):
        middle = (low + high) / 2
        total = fsum(_between_hours(longest, quantile**middle) for quantile in quantiles)
        low, high = (middle, high) if total > hours else (low, middle)
    return low


def _rates(character: Character, durations: list[float], draws: Draws) -> list[float]:
    """Kilobytes a second, scaled to the server's speed averaged over time."""
    raw = [_raw_rate(seconds, draws) for seconds in durations]
    wanted = character.speed * 1000 * fsum(durations)
    rates = raw
    for _ in range(4):  # what the limits cut off is made up for by the others
        scale = wanted / fsum(map(float.__mul__, durations, rates))
        rates = [min(max(rate * scale, SLOWEST_KB), FASTEST_KB) for rate in rates]
    return rates


def _raw_rate(seconds: float, draws: Draws) -> float:
    """Any scale will do. An agent takes a minute or two to start, which counts most for short objects."""
    overhead = draws.between(40, 240)
    spread = draws.around_zero()
    if seconds < HOUR_S / 6 and draws.chance(0.08):
        return float(1.6 * 1.3**spread)  # a short fast one
    if seconds > HOUR_S and draws.chance(0.15):
        return float(0.3 * 1.4**spread)  # a long slow one
    typical = seconds / (seconds + overhead) * 1.5**spread
    return float(typical * (seconds / HOUR_S) ** 0.15)


def _vary(seconds: float, rate: float, growth: float, draws: Draws) -> _Backup:
    """One week's backup: a bit more or less of both, and of an object that has grown."""
    duration = round(seconds * growth * (1 + 0.015 * draws.around_zero()))
    kilobytes = round(rate * (1 + 0.02 * draws.around_zero()))
    return _Backup(min(max(duration, SHORTEST_S), LONGEST_S), min(max(kilobytes, SLOWEST_KB), FASTEST_KB))


def _measured(runs: dict[str, _Backup], session: datetime) -> dict[str, Measurement]:
    """The backups as the site's session ran them, so that their starts make sense."""
    jobs = [Job(name, run.seconds * NANOSECONDS, 0) for name, run in runs.items()]
    found = {}
    for each in simulate(jobs, SITE, LBF()):
        run = runs[each.job.name]
        start = session + timedelta(seconds=each.start // NANOSECONDS)
        size = run.seconds * run.kilobytes_per_second * 1000
        found[each.job.name] = Measurement(start, each.job.duration, size)
    return found
