"""The last session as it was measured: what ran over time, and the objects that missed their forecast."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from flexlbf.planning.drift import MeasuredSession, last_session
from flexlbf.planning.examined import Examined
from flexlbf.planning.wording import amount, duration
from flexlbf.report.axes import TimeAxis
from flexlbf.report.model import Figure, Table
from flexlbf.report.overtime import Load
from flexlbf.scheduling import Assignment, Job, Schedule
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE, NANOSECONDS


@dataclass(frozen=True, slots=True)
class Measured:
    """The last session that was recorded.

    Attributes:
        session: what it came to.
        streams: the backups that succeeded, at the mean rate of each, in order of their starts.
        size: bytes that they wrote.
    """

    session: MeasuredSession
    streams: tuple[Assignment, ...]
    size: int

    @classmethod
    def of(cls, examined: Examined) -> "Measured | None":
        """From the histories that a policy was planned with, None if they hold no session of it."""
        session, resources = examined.plan.measured, examined.resources
        if session is None or resources is None:
            return None
        runs = last_session(resources.policy.metadata.name, resources.histories)
        streams = []
        for name, run in runs.items():
            rate = (run.size or 0) * MICROBYTES_PER_BYTE * NANOSECONDS // run.duration
            start = round((run.start - session.start).total_seconds() * NANOSECONDS)
            streams.append(Assignment(Job(name, run.duration, rate), 0, start, start + run.duration))
        size = sum(run.size or 0 for run in runs.values())
        return cls(session, tuple(sorted(streams, key=lambda each: (each.start, each.job.name))), size)

    def figures(self, anchor: str, plan: Schedule) -> tuple[Figure, Figure]:
        """The session and the plan, on one axis and against the same limits."""
        axis = TimeAxis.to(max(plan.makespan, *(each.end for each in self.streams)), 6)
        rate = sum(each.max_rate for each in plan.drives)
        agents = sum(each.max_agents for each in plan.drives)
        real = Load(f"{anchor}-measured", f"As measured: {self.session.name}", self.streams, rate, agents)
        planned = replace(real, name=f"{anchor}-forecast", title="As planned now", streams=tuple(plan))
        return real.figure(axis), planned.figure(axis)

    def tables(self, plan: Schedule, size: int) -> Iterator[Table]:
        """The session beside the plan of `size` bytes, and what missed its forecast most."""
        rows = [
            ("Duration", duration(plan.makespan), duration(self.session.duration)),
            ("Objects", f"{len(plan):,}", f"{self.session.objects:,}"),
            ("Written", amount(size), amount(self.size)),
        ]
        title = f"Measured on {self.session.start:%Y-%m-%d}"
        yield Table.of(f"The plan beside session {self.session.name}", ("<", "This plan", title), rows)
        missed = [
            (each.obj, duration(each.forecast), duration(each.measured)) for each in self.session.missed
        ]
        if missed:
            titles = ("<Object", "Forecast then", "Measured")
            yield Table.of("What missed its forecast and mattered", titles, missed)
