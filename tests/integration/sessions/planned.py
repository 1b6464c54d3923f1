"""What becomes of a planned session, whose starts stay where they are when objects take longer: pure."""

from dataclasses import replace

from flexlbf.scheduling import Drive, FlexLBF, Schedule, simulate
from flexlbf.scheduling.units import MINUTE
from integration.sessions.workload import Workload


def planned(work: Workload, drives: tuple[Drive, ...]) -> Schedule:
    """The plan: starts at whole minutes, as cron has them, from what is declared."""
    return simulate(work.jobs, drives, FlexLBF(), start_grid=MINUTE)


def as_it_went(plan: Schedule, work: Workload) -> Schedule:
    """The starts of a plan with the lengths that the objects really have."""
    real = {each.name: each for each in work.really()}
    jobs = tuple(real[each.name] for each in plan.jobs)
    ends = tuple(start + each.duration for start, each in zip(plan.starts, jobs, strict=True))
    return replace(plan, jobs=jobs, ends=ends)
