"""`flexlbf simulate`: one session, object by object."""

from typing import Any

import click

from flexlbf.cli.errors import BadInput
from flexlbf.cli.numbers import WHOLE_SEED, Whole
from flexlbf.cli.options import MOST_AGENTS, SCHEDULERS, Request, workload_options
from flexlbf.cli.output import bound_data, echo_data, seconds, stretch_data
from flexlbf.scheduling import (
    LBF,
    Drive,
    LowerBound,
    Schedule,
    Scheduler,
    Traditional,
    lower_bound,
    restore_stretch,
    with_agents,
)
from flexlbf.scheduling import simulate as simulate_session
from flexlbf.scheduling.registry import NAMES, scheduler_named
from flexlbf.tuning.baselines import TRADITIONAL_AGENTS


@click.command()
@workload_options
@click.option("--scheduler", type=click.Choice(SCHEDULERS), default="flexlbf", show_default=True)
@click.option(
    "--agents-per-drive",
    type=Whole(1, MOST_AGENTS),
    metavar="K",
    help="The fixed number of agents under lbf and traditional: 4, or --max-agents if that is less. "
    "FlexLBF runs as many as the drive's rate allows.",
)
@click.option(
    "--seed",
    type=WHOLE_SEED,
    default=0,
    show_default=True,
    metavar="S",
    help="The order under traditional, the search under optimized.",
)
@click.option("--all", "show_all", is_flag=True, help="In the table, show every object and drive.")
def simulate(
    request: Request, scheduler: str, agents_per_drive: int | None, seed: int, *, show_all: bool
) -> None:
    """Simulate one backup session: which object runs on which drive, and when.

    JOBS.csv has the columns object,duration_s,throughput_mbps, or history rows object,start,end,bytes with
    RFC 3339 times, several an object; - is standard input. A column host, for --per-host, is the machine
    that an object is on.

    The lower bound is that of the drives with the agents that are simulated: no schedule on them is shorter.

    \b
    Examples:
      flexlbf simulate jobs.csv --drives 2 --max-agents 10 --max-throughput 80
      flexlbf simulate jobs.csv --drives 2 --max-agents 10 --max-throughput 80 \\
          --scheduler lbf -o json | jq .makespan_s
    """
    drives = _drives(request, scheduler, agents_per_drive)
    schedule = simulate_session(request.jobs, drives, _scheduler(scheduler, seed))
    bound = lower_bound(
        request.jobs, drives, shares_rate=schedule.scheduler.shares_rate, makespan=schedule.makespan
    )
    if request.output != "table":
        echo_data(_data(request, scheduler, schedule, bound), request.output)
        return
    from flexlbf.cli.simulatetable import show  # noqa: PLC0415 - only people wait for rich

    show(schedule, bound, request.capped, scheduler, show_all=show_all)


def _drives(request: Request, scheduler: str, agents: int | None) -> tuple[Drive, ...]:
    if agents is not None and agents > request.max_agents:
        raise BadInput(
            f"--agents-per-drive {agents} is more than --max-agents {request.max_agents}: lower the one or "
            "raise the other"
        )
    if scheduler in NAMES.values():
        return request.drives
    return with_agents(request.drives, TRADITIONAL_AGENTS if agents is None else agents)


def _scheduler(name: str, seed: int) -> Scheduler:
    if name == "traditional":
        return Traditional(seed)
    return LBF() if name == "lbf" else scheduler_named(name, seed=seed)


def _data(request: Request, scheduler: str, schedule: Schedule, bound: LowerBound) -> dict[str, Any]:
    return {
        "scheduler": scheduler,
        "makespan_s": seconds(schedule.makespan),
        **bound_data(bound),
        "optimal": bound.met_by(schedule.makespan),
        "restore_stretch": stretch_data(restore_stretch(schedule)),
        "capped": request.capped,
        "assignments": [
            {
                "object": each.job.name,
                "drive": each.drive,
                "start_s": seconds(each.start),
                "end_s": seconds(each.end),
            }
            for each in schedule
        ],
    }
