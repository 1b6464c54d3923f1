"""The rules of scheduling and tuning written a second time, naive and from the rules alone.

Nothing here comes from the package but the data that it is given: no code, no constants, no shortcuts.
There are no running counters, no heaps and no virtual clocks; whatever is asked is counted anew from the
list of what has been placed, and shares of a drive are exact fractions. Time counts in whole nanoseconds:
a stream is over at the first whole nanosecond at which its bytes are there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import ceil
from typing import Protocol

SAME_RATE = Fraction(1, 10**9) * 10**12
"""Rates closer than 1e-9 MB/s are one rate; rates count in 1e-12 MB/s here."""


class Object(Protocol):
    """What the rules know of an object: nanoseconds, and 1e-12 MB/s."""

    @property
    def name(self) -> str: ...
    @property
    def duration(self) -> int: ...
    @property
    def rate(self) -> int: ...
    @property
    def host(self) -> "Machine | None": ...


class Device(Protocol):
    """What the rules know of a drive."""

    @property
    def name(self) -> str: ...
    @property
    def max_rate(self) -> int: ...
    @property
    def max_agents(self) -> int: ...


class Machine(Protocol):
    """What the rules know of a host that limits its streams."""

    @property
    def name(self) -> str: ...
    @property
    def max_streams(self) -> int: ...


@dataclass(frozen=True)
class Stream:
    """An object as it is planned."""

    name: str
    duration: int
    rate: int
    host: Machine | None = None


@dataclass(frozen=True, order=True)
class Placed:
    """Where and when an object ran."""

    start: int
    end: int
    drive: int
    name: str


@dataclass(frozen=True)
class Tuned:
    """What the tuner's rules arrive at."""

    drives: list[str]
    max_agents: int
    makespan: int


def planned(objects: Sequence[Object], devices: Sequence[Device]) -> list[Stream]:
    """An object faster than every drive runs at the fastest one's rate for as long as its bytes take."""
    fastest = max(device.max_rate for device in devices)
    streams = []
    for each in objects:
        rate = min(each.rate, fastest)
        duration = (
            ceil(Fraction(each.duration * each.rate, fastest)) if each.rate > fastest else each.duration
        )
        streams.append(Stream(each.name, duration, rate, each.host))
    return streams


def in_order(streams: Sequence[Stream]) -> list[Stream]:
    """Duration descending, then throughput descending, then name ascending."""
    by_name = sorted(streams, key=lambda stream: stream.name)
    by_rate = sorted(by_name, key=lambda stream: stream.rate, reverse=True)
    return sorted(by_rate, key=lambda stream: stream.duration, reverse=True)


def flexlbf(objects: Sequence[Object], devices: Sequence[Device], grid: int = 1) -> list[Placed]:
    """FlexLBF by its rules; starts are multiples of `grid`."""
    waiting = in_order(planned(objects, devices))
    running: list[tuple[Placed, Stream]] = []
    done: list[Placed] = []
    now = 0
    while waiting:
        considered = [each for each in waiting if _host_takes(each, [stream for _, stream in running])]
        top = considered[0] if considered else None
        free = {
            index: device.max_rate - sum(stream.rate for place, stream in running if place.drive == index)
            for index, device in enumerate(devices)
            if sum(place.drive == index for place, _ in running) < device.max_agents
        }
        roomiest = [index for index in free if free[index] >= max(free.values()) - SAME_RATE]
        if top and roomiest and top.rate <= free[roomiest[0]] + SAME_RATE:
            place = Placed(now, now + top.duration, roomiest[0], top.name)
            running.append((place, top))
            done.append(place)
            waiting.remove(top)
        else:
            now = ceil(Fraction(min(place.end for place, _ in running), grid)) * grid
            running = [(place, stream) for place, stream in running if place.end > now]
    return sorted(done)


def _host_takes(stream: Stream, running: Sequence[Stream]) -> bool:
    """Whether a stream's host may send another beside those that run."""
    host = stream.host
    return host is None or sum(each.host == host for each in running) < host.max_streams


def lbf(objects: Sequence[Object], devices: Sequence[Device], grid: int = 1) -> list[Placed]:
    """LBF by figure 5: the drive with a free agent and the smallest sum of assigned durations."""

    def smallest_sum(free: list[int], assigned: list[list[Stream]], _: list[int]) -> int:
        return min(free, key=lambda drive: sum(stream.duration for stream in assigned[drive]))

    return _fixed(in_order(planned(objects, devices)), devices, smallest_sum, grid)


def fewest_active(ordered: Sequence[Object], devices: Sequence[Device], grid: int = 1) -> list[Placed]:
    """The traditional scheduler, for objects that were put into its random order already."""

    def fewest(free: list[int], _: list[list[Stream]], active: list[int]) -> int:
        return min(free, key=lambda drive: active[drive])

    return _fixed(planned(ordered, devices), devices, fewest, grid)


@dataclass
class _Running:
    stream: Stream
    drive: int
    start: int
    left: Fraction
    """Nanoseconds that it still takes at its full rate."""


def _fixed(
    ordered: Sequence[Stream],
    devices: Sequence[Device],
    rule: Callable[[list[int], list[list[Stream]], list[int]], int],
    grid: int,
) -> list[Placed]:
    """A fixed number of agents a drive, whose streams share its rate in proportion to what they ask."""
    waiting, running, done = list(ordered), list[_Running](), list[Placed]()
    assigned: list[list[Stream]] = [[] for _ in devices]
    now = 0
    look_at = 0
    """The next instant at which objects may start."""
    while waiting or running:
        while now == look_at and waiting:
            active = [sum(each.drive == index for each in running) for index in range(len(devices))]
            free = [index for index, device in enumerate(devices) if active[index] < device.max_agents]
            considered = [each for each in waiting if _host_takes(each, [one.stream for one in running])]
            if not free or not considered:
                break
            drive = rule(free, assigned, active)
            top = considered[0]
            waiting.remove(top)
            assigned[drive].append(top)
            running.append(_Running(top, drive, now, Fraction(top.duration)))
        then = min(ceil(now + each.left / _speed(each, running, devices)) for each in running)
        if now < look_at < then:
            then = look_at
        for each, speed in [(each, _speed(each, running, devices)) for each in running]:
            each.left -= (then - now) * speed
        now = then
        over = [each for each in running if each.left <= 0]
        done += [Placed(each.start, now, each.drive, each.stream.name) for each in over]
        running = [each for each in running if each.left > 0]
        if over and look_at < now:
            look_at = ceil(Fraction(now, grid)) * grid
        if not running and waiting:
            now = look_at
    return sorted(done)


def _speed(stream: _Running, running: Sequence[_Running], devices: Sequence[Device]) -> Fraction:
    asked = sum(each.stream.rate for each in running if each.drive == stream.drive)
    limit = devices[stream.drive].max_rate
    return Fraction(1) if asked <= limit else Fraction(limit, asked)


def makespan(placed: Sequence[Placed]) -> int:
    """When the last object is done."""
    return max((place.end for place in placed), default=0)


def bounds(objects: Sequence[Object], devices: Sequence[Device]) -> dict[str, Fraction]:
    """The lower bounds, exact; of the hosts the largest."""
    streams = planned(objects, devices)
    hosts = [stream.host for stream in streams if stream.host]
    return {
        "Host": max(
            (
                Fraction(sum(stream.duration for stream in streams if stream.host == host), host.max_streams)
                for host in hosts
            ),
            default=Fraction(0),
        ),
        "LongestObject": Fraction(max((stream.duration for stream in streams), default=0)),
        "Throughput": Fraction(
            sum(stream.duration * stream.rate for stream in streams),
            sum(device.max_rate for device in devices),
        ),
        "Agents": Fraction(
            sum(stream.duration for stream in streams), sum(device.max_agents for device in devices)
        ),
    }


@dataclass(frozen=True)
class _Capped:
    name: str
    max_rate: int
    max_agents: int


def capped(devices: Sequence[Device], cap: int) -> list[_Capped]:
    """The drives with no more than `cap` agents each."""
    return [_Capped(each.name, each.max_rate, min(each.max_agents, cap)) for each in devices]


def tuned(objects: Sequence[Object], devices: Sequence[Device], target: Fraction) -> Tuned | None:
    """Figures 11 and 12; None if not even everything meets the target."""

    def takes(drives: Sequence[Device]) -> int:
        return makespan(flexlbf(objects, drives))

    left: list[Device] = list(devices)
    if takes(left) > target:
        return None
    while len(left) > 1:
        slowest = min(each.max_rate for each in left)
        goes = [position for position, each in enumerate(left) if each.max_rate == slowest][-1]
        fewer = left[:goes] + left[goes + 1 :]
        if takes(fewer) > target:
            break
        left = fewer
    agents = max(each.max_agents for each in left)
    while agents > 1 and takes(capped(left, agents - 1)) <= target:
        agents -= 1
    return Tuned([each.name for each in left], agents, takes(capped(left, agents)))


def shortest(objects: Sequence[Object], devices: Sequence[Device], grid: int = 1) -> int:
    """The shortest session of all that overload no drive, by trying every order on every drive.

    To place objects one by one, each as early as it fits, leads to a shortest session in some order.
    """
    streams = planned(objects, devices)
    return min(
        found
        for order in permutations(streams)
        for on in product(range(len(devices)), repeat=len(streams))
        if (found := _earliest(order, on, devices, grid)) is not None
    )


def _earliest(order: Sequence[Stream], on: Sequence[int], devices: Sequence[Device], grid: int) -> int | None:
    placed: list[tuple[Placed, Stream]] = []
    for stream, drive in zip(order, on, strict=True):
        beside = [(place, other) for place, other in placed if place.drive == drive]
        ends = {ceil(Fraction(place.end, grid)) * grid for place, _ in beside}
        start = next(
            (at for at in sorted({0, *ends}) if _fits(stream, at, beside, devices[drive], grid)), None
        )
        if start is None:
            return None
        placed.append((Placed(start, start + stream.duration, drive, stream.name), stream))
    return max((place.end for place, _ in placed), default=0)


def _fits(
    stream: Stream, at: int, beside: Sequence[tuple[Placed, Stream]], device: Device, grid: int
) -> bool:
    def held(place: Placed) -> int:
        return ceil(Fraction(place.end, grid)) * grid

    until = at + stream.duration
    for instant in [at, *(place.start for place, _ in beside if at < place.start < until)]:
        running = [other for place, other in beside if place.start <= instant < held(place)]
        asked = stream.rate + sum(other.rate for other in running)
        if len(running) == device.max_agents or asked > device.max_rate + SAME_RATE:
            return False
    return True
