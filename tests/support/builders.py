"""Fluent builders, in the units that people use, so that a test says only what it is about."""

from dataclasses import dataclass, field, replace
from typing import Self

from flexlbf.scheduling import Drive, FlexLBF, Host, Job, Schedule, Scheduler, simulate
from support import oracle


@dataclass(frozen=True)
class Session:
    """A workload, a pool and a scheduler: `a_session().with_object(...).on_drives(...).under(...)`."""

    jobs: tuple[Job, ...] = ()
    drives: tuple[Drive, ...] = ()
    scheduler: Scheduler = field(default_factory=FlexLBF)
    start_grid: int = 1

    def with_object(self, name: str, seconds: float, mbps: float) -> Self:
        """One object more."""
        return replace(self, jobs=(*self.jobs, Job.of(name, seconds, mbps)))

    def with_objects(self, names: str, seconds: float, mbps: float) -> Self:
        """An object for each of the names, all alike."""
        return replace(self, jobs=(*self.jobs, *(Job.of(name, seconds, mbps) for name in names.split())))

    def of_host(self, name: str, streams: int) -> Self:
        """All objects so far are of a host that sends so many streams at a time."""
        host = Host(name, streams)
        return replace(self, jobs=tuple(replace(job, host=job.host or host) for job in self.jobs))

    def on_drive(self, mbps: float, agents: int) -> Self:
        """One drive more, called drive-0, drive-1 and so on."""
        return replace(self, drives=(*self.drives, Drive.of(f"drive-{len(self.drives)}", mbps, agents)))

    def on_drives(self, count: int, mbps: float, agents: int) -> Self:
        """So many equal drives more."""
        session = self
        for _ in range(count):
            session = session.on_drive(mbps, agents)
        return session

    def under(self, scheduler: Scheduler) -> Self:
        """With this scheduler instead of FlexLBF."""
        return replace(self, scheduler=scheduler)

    def starting_every(self, nanoseconds: int) -> Self:
        """With starts at multiples of this only."""
        return replace(self, start_grid=nanoseconds)

    def run(self) -> Schedule:
        """Simulate it."""
        return simulate(self.jobs, self.drives, self.scheduler, start_grid=self.start_grid)

    def timetable(self) -> list[str]:
        """Simulate it and say who runs where and when, in the order of starts: `a on 0: 0-100`."""
        return [
            f"{each.job.name} on {each.drive}: {each.start / 1e9:g}-{each.end / 1e9:g}" for each in self.run()
        ]


def a_session() -> Session:
    """Nothing yet."""
    return Session()


def placements(schedule: Schedule) -> list[oracle.Placed]:
    """A schedule in the oracle's words."""
    return sorted(oracle.Placed(each.start, each.end, each.drive, each.job.name) for each in schedule)
