"""Curves, in the manner of the evaluation's figures."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from docpictures.workload import DRIVE_MBPS, FIXED_AGENTS, MAX_AGENTS, Workload, hours
from flexlbf.evaluation.plot import Axis, Chart, Limit, Panel, Point, Series, from_zero
from flexlbf.evaluation.svg import render
from flexlbf.scheduling import FlexLBF, equal_drives
from flexlbf.scheduling.units import to_megabytes
from flexlbf.scheduling.usage import Moment, timeline
from flexlbf.tuning.sweep import Sweep

MOST_DRIVES = 8
RATE_HEIGHT = 100
HEADROOM = 1.15
TARGET = Limit(f"the drive's {DRIVE_MBPS} MB/s", DRIVE_MBPS)


def load(workload: Workload) -> str:
    """What the drive does from minute to minute, in arbitrary order and under FlexLBF."""
    arbitrary, flexlbf = timeline(workload.arbitrary), timeline(workload.flexlbf)
    most = max(each.agents for each in flexlbf)
    return render(
        Chart(
            title="Throughput and agents over time",
            description=(
                f"In arbitrary order with {FIXED_AGENTS} agents the drive writes {_mean(arbitrary):.0f} MB/s "
                f"on average, under FlexLBF with up to {most} agents {_mean(flexlbf):.0f} MB/s."
            ),
            x=_time(arbitrary, flexlbf),
            panels=(
                Panel(
                    f"Arbitrary order, {FIXED_AGENTS} agents: MB/s", (_rates(arbitrary),), RATE_HEIGHT, TARGET
                ),
                Panel("FlexLBF: MB/s", (_rates(flexlbf),), RATE_HEIGHT, TARGET),
                Panel("FlexLBF: agents", (_agents(flexlbf),), MAX_AGENTS + 1),
            ),
        )
    )


def price(workload: Workload) -> str:
    """How long the session takes on one drive, and what a restore reads, by the agents allowed."""
    sweep = Sweep(workload.jobs, equal_drives(1, DRIVE_MBPS, MAX_AGENTS), FlexLBF())
    points = sweep.over_agents(1, 1)
    durations = [(each.max_agents, hours(each.makespan)) for each in points]
    median = [(each.max_agents, each.stretch.median) for each in points if each.stretch]
    worst = [(each.max_agents, each.stretch.worst) for each in points if each.stretch]
    return render(
        Chart(
            title="The duration of a session and the price of its restores, by agents",
            description="With more agents on the drive the session is shorter, and a restore reads more.",
            x=_counts("at most so many agents on the drive", MAX_AGENTS),
            panels=(
                Panel("The session: hours", (_marked("", durations),), _above(durations)),
                Panel("A restore in the middle: times its data", (_marked("", median),), _above(median)),
                Panel("The worst restore: times its data", (_marked("", worst),), _above(worst)),
            ),
        )
    )


def bounds(workload: Workload) -> str:
    """How long a session of 400 objects takes with one drive and more, and what no session beats."""
    sweep = Sweep(workload.many, equal_drives(MOST_DRIVES, DRIVE_MBPS, MAX_AGENTS), FlexLBF())
    points = sweep.over_drives(MAX_AGENTS, 1)
    sessions = [(each.drives, hours(each.makespan)) for each in points]
    limits = [(each.drives, hours(each.bound.duration)) for each in points]
    longest = max(job.duration for job in workload.many)
    return render(
        Chart(
            title="The duration of a session by drives, and its lower bound",
            description=(
                "More drives help until the session is as long as its longest object, which takes "
                f"{hours(longest):.1f} hours."
            ),
            x=_counts("drives", MOST_DRIVES),
            panels=(
                Panel(
                    "Hours",
                    (_marked("FlexLBF", sessions), _marked("lower bound", limits)),
                    _above(sessions),
                    Limit("the longest object", hours(longest)),
                ),
            ),
        )
    )


def overload(workload: Workload) -> str:
    """A night in which durations vary: what the drive is asked at planned starts, and live."""
    planned, live = timeline(workload.planned_night), timeline(workload.adaptive_night)
    high = HEADROOM * max(to_megabytes(each.rate) for each in (*planned, *live))
    return render(
        Chart(
            title="A night that does not go as forecast",
            description=(
                f"At planned starts the drive is asked more than {DRIVE_MBPS} MB/s for "
                f"{_over(planned):.1f} hours; run live it never is."
            ),
            x=_time(planned, live),
            panels=(
                Panel("Planned: MB/s asked of the drive", (_rates(planned),), high, TARGET),
                Panel("Adaptive: MB/s asked of the drive", (_rates(live),), high, TARGET),
            ),
        )
    )


def _time(*sessions: Sequence[Moment]) -> Axis:
    return from_zero("hours from the start of the session", hours(max(each[-1].at for each in sessions)))


def _counts(title: str, most: int) -> Axis:
    return Axis(title, 0.5, most + 0.5, tuple((count, str(count)) for count in range(1, most + 1)))


def _rates(moments: Iterable[Moment]) -> Series:
    return _steps(moments, lambda each: to_megabytes(each.rate))


def _agents(moments: Iterable[Moment]) -> Series:
    return _steps(moments, lambda each: each.agents)


def _steps(moments: Iterable[Moment], value: Callable[[Moment], float]) -> Series:
    return Series("", (tuple((hours(each.at), value(each)) for each in moments),))


def _marked(label: str, points: Sequence[Point]) -> Series:
    return Series(label, (tuple(points),), steps=False)


def _above(points: Iterable[Point]) -> float:
    return HEADROOM * max(value for _, value in points)


def _mean(moments: Sequence[Moment]) -> float:
    written = sum(each.rate * (after.at - each.at) for each, after in pairwise(moments))
    return to_megabytes(round(written / moments[-1].at))


def _over(moments: Sequence[Moment]) -> float:
    """Hours in which the drive is asked more than it takes."""
    return sum(
        hours(after.at - each.at) for each, after in pairwise(moments) if to_megabytes(each.rate) > DRIVE_MBPS
    )
