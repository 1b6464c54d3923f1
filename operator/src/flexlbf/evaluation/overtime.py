"""One session on one drive over time: what figures 6, 7, 9 and 10 draw."""

from functools import cached_property
from itertools import accumulate, pairwise

from flexlbf.evaluation.plot import Series
from flexlbf.evaluation.study import DRIVE_MBPS
from flexlbf.scheduling import Schedule
from flexlbf.scheduling.units import MINUTE, to_megabytes
from flexlbf.scheduling.usage import timeline

NEARLY_FULL = 0.9
"""Part of the drive's rate from which on it counts as busy."""


class OverTime:
    """A session on one drive, in minutes, MB/s and agents.

    Args:
        name: what it is called in legends.
        schedule: the session.
    """

    def __init__(self, name: str, schedule: Schedule) -> None:
        self.name = name
        self._moments = [
            # Streams that ask more than the drive takes get no more than that.
            (each.at / MINUTE, each.agents, min(to_megabytes(each.rate), DRIVE_MBPS))
            for each in timeline(schedule)
        ]

    @property
    def minutes(self) -> float:
        """When it ends."""
        return self._moments[-1][0]

    @property
    def first_agents(self) -> int:
        """Agents that start together at the beginning."""
        return self._moments[0][1]

    @property
    def most_agents(self) -> int:
        """The most that ever run together."""
        return max(agents for _, agents, _ in self._moments)

    @property
    def peak_mbps(self) -> float:
        """The highest rate reached."""
        return max(mbps for _, _, mbps in self._moments)

    @property
    def mean_mbps(self) -> float:
        """The rate averaged over the session."""
        return sum(length * mbps for length, _, mbps in self._spans) / self.minutes

    @property
    def nearly_full(self) -> float:
        """The part of the time in which the drive writes at nine tenths of its rate or more."""
        busy = sum(length for length, _, mbps in self._spans if mbps >= NEARLY_FULL * DRIVE_MBPS)
        return busy / self.minutes

    @property
    def usual_agents(self) -> int:
        """The median over time: half of the session runs at most so many agents."""
        spans = sorted((agents, length) for length, agents, _ in self._spans)
        passed = accumulate(length for _, length in spans)
        return next(
            agents for (agents, _), so_far in zip(spans, passed, strict=True) if so_far >= self.minutes / 2
        )

    @property
    def rates(self) -> Series:
        """MB/s over time."""
        return Series(self.name, (tuple((at, mbps) for at, _, mbps in self._moments),))

    @property
    def agents(self) -> Series:
        """Agents over time."""
        return Series(self.name, (tuple((at, agents) for at, agents, _ in self._moments),))

    @cached_property
    def _spans(self) -> list[tuple[float, int, float]]:
        """Minutes, agents and MB/s between one change and the next."""
        return [(after[0] - at, agents, mbps) for (at, agents, mbps), after in pairwise(self._moments)]
