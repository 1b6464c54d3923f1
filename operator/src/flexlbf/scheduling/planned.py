"""A planned order, kept as long as the session goes as planned, and the rule that decides when it does not.

An order in which each object has its place on a drive can be packed closer than any rule does it: it holds
an object back though it fits, since a better one is about to. But it was made for the durations that are
planned. So the next of the order starts as soon as it fits, and nothing else does, while what has started is
what comes first in the order, and what runs is what should run at this time, give or take the slack. In a
night that goes another way the rule decides, which needs no plan, until all is as planned again, if ever. The
clock alone may show that it does: what should have ended has not, so whoever waits for ends asks in between.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from flexlbf.scheduling.model import Drive, Job
from flexlbf.scheduling.protocol import Choice, DriveLoads, NativeRule, Ready, Scheduler, Start
from flexlbf.scheduling.units import MINUTE, RATE_TOLERANCE
from flexlbf.scheduling.waiting import Waiting
from flexlbf.scheduling.workload import Workload

LEAST_SLACK, MOST_SLACK = 0.02, 0.05
"""As parts of the session: by so much may it be off its plan and still keep to it."""

START_DELAY = MINUTE
"""Between the two it is this, as pods take their time to start, however long the session is."""


def slack_of(session: int) -> int:
    """By how many nanoseconds a session of so many may be off its plan and still keep to it."""
    return int(max(LEAST_SLACK * session, min(MOST_SLACK * session, START_DELAY)))


@dataclass(frozen=True)
class PlannedOrder(Ready):
    """The order and the rule.

    Attributes:
        plan: where and when each object starts, in the order of the starts; of all objects of the session.
        rule: what decides when the session is off the plan.
        pool: of each drive the most rate, in micro-bytes a second, and the agents.
        slack: nanoseconds by which ends and starts may be off the plan.
    """

    plan: Mapping[str, Start]
    rule: Scheduler
    pool: tuple[tuple[int, int], ...]
    slack: int
    shares_rate = False

    @classmethod
    def of(
        cls,
        jobs: Workload,
        drives: Sequence[Drive],
        order: Iterable[int],
        drive_of: Sequence[int],
        starts: Sequence[int],
        rule: Scheduler,
    ) -> "PlannedOrder":
        """The order of a session.

        Args:
            jobs: all of it.
            drives: the pool.
            order: the places of the jobs, so that of those that start on a drive at one instant the first is
                the one that others wait for.
            drive_of: of each job the index of its drive.
            starts: nanoseconds, likewise.
            rule: what decides off the plan.
        """
        plan = {
            jobs[place].name: Start(
                drive_of[place], starts[place], starts[place] + jobs[place].duration, jobs[place].rate
            )
            for place in sorted(order, key=starts.__getitem__)
        }
        pool = tuple((drive.max_rate, drive.max_agents) for drive in drives)
        return cls(plan, rule, pool, slack_of(max(each.end for each in plan.values())))

    @property
    def native_rule(self) -> NativeRule | None:
        """The same for the kernel."""
        rule = self.rule.native_rule
        return replace(rule, plan=self.plan, pool=self.pool, slack=self.slack) if rule else None

    def order(self, jobs: Sequence[Job]) -> Workload:
        """Longest first, as the rule has it."""
        return Workload.of(jobs)

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:
        """The next of the order on its drive, None while it does not fit; off the plan what the rule says."""
        started = len(self.plan) - len(waiting)
        if len(waiting.jobs) != len(self.plan) or not self._is_on_plan(started, loads, now):
            return self.rule.choose(waiting, loads, now)
        place = self._next(waiting, started)
        if place is None:
            return self.rule.choose(waiting, loads, now)
        start = self._starts[started]
        return Choice(place, start.drive) if start.rate <= loads.room[start.drive] + RATE_TOLERANCE else None

    def ask_again(self, waiting: Waiting, now: int) -> int | None:
        """When the order may be left, or kept again, though nothing ends: what is due does not come."""
        started = len(self.plan) - len(waiting)
        if len(waiting.jobs) != len(self.plan) or self._next(waiting, started) is None:
            return None
        due = [self._starts[started].start + self.slack + 1]
        for start in self._starts[:started]:
            due += start.end - self.slack, start.end + self.slack
        return min((each for each in due if each > now), default=None)

    def why_held(self, waiting: Waiting, name: str, drives: Sequence[Drive]) -> str:
        """Why an object waits that would fit, in words; the drives are those of the session."""
        started = len(self.plan) - len(waiting)
        if len(waiting.jobs) != len(self.plan) or self._next(waiting, started) is None:
            return "another object fills the drives better at this moment"
        first = next(islice(self.plan, started, None))
        drive = drives[self.plan[first].drive].name
        if first == name:
            return f"it is to start on {drive}, as planned, as soon as that has room for it"
        return f"as planned {first} is to start first, on {drive}"

    @cached_property
    def _starts(self) -> Sequence[Start]:
        return list(self.plan.values())

    def _next(self, waiting: Waiting, started: int) -> int | None:
        """The place of the next of the order, None unless all that started are the ones before it."""
        place_of, names = waiting.place_of, iter(self.plan)
        if not place_of.keys() >= self.plan.keys():
            return None
        if any(waiting.waits(place_of[name]) for name in islice(names, started)):
            return None
        place = place_of[next(names)]
        return None if waiting.hides(place) else place

    def _is_on_plan(self, started: int, loads: DriveLoads, now: int) -> bool:
        """Whether each drive is as it is to be, give or take the slack.

        Nothing has ended long before its time, and nothing runs long after it.
        """
        if len(loads.free_rate) != len(self.pool) or now > self._starts[started].start + self.slack:
            return False
        least, most = ([[0, 0] for _ in self.pool] for _ in range(2))
        early, late = now - self.slack, now + self.slack
        for start in [each for each in self._starts[:started] if each.end > early]:
            for streams in (most, least) if start.end > late else (most,):
                streams[start.drive][0] += start.rate
                streams[start.drive][1] += 1
        return all(
            low_rate <= rate - loads.free_rate[drive] <= high_rate
            and low_agents <= agents - loads.free_agents[drive] <= high_agents
            for drive, ((rate, agents), (low_rate, low_agents), (high_rate, high_agents)) in enumerate(
                zip(self.pool, least, most, strict=True)
            )
        )
