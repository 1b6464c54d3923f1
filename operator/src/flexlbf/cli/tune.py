"""`flexlbf tune`: the fewest drives and agents that meet an objective."""

from typing import Any

import click

from flexlbf.cli.answer import Answer
from flexlbf.cli.errors import BadInput
from flexlbf.cli.objectives import objective_options
from flexlbf.cli.options import SCHEDULERS, Request, workload_options
from flexlbf.cli.output import bound_data, echo_data, seconds, stretch_data
from flexlbf.scheduling.registry import NAMES, TUNING_BUDGET_S, scheduler_named
from flexlbf.tuning import (
    Deadline,
    Fastest,
    Objective,
    Setting,
    WithinPercent,
    compare,
    saved_percent,
)
from flexlbf.tuning import tune as tune_session


@click.command()
@workload_options
@objective_options
@click.option(
    "--scheduler",
    type=click.Choice(SCHEDULERS),
    default="flexlbf",
    show_default=True,
    help="Which scheduler to tune for; lbf and traditional are only compared with.",
)
def tune(request: Request, objective: Objective | None, scheduler: str) -> None:
    """Find the fewest drives, then the fewest agents, for a session.

    Without --within and --deadline the session is as fast as all drives together can make it. What 15 %
    more time would free is always shown, too.

    JOBS.csv has the columns object,duration_s,throughput_mbps, or history rows object,start,end,bytes with
    RFC 3339 times, several an object; - is standard input. A column host, for --per-host, is the machine
    that an object is on.

    \b
    Examples:
      flexlbf tune jobs.csv --drives 4 --max-agents 10 --max-throughput 80
      flexlbf tune jobs.csv --drives 4 --max-agents 10 --max-throughput 80 --deadline 8h
      flexlbf tune jobs.csv --drives 4 --max-agents 10 --max-throughput 80 \\
          --within 15 -o json | jq '{drives, max_agents}'
    """
    if scheduler not in NAMES.values():
        raise BadInput(
            f"there is nothing to tune under {scheduler}, whose agents are fixed and may overload a drive: "
            f"leave --scheduler out, or see flexlbf simulate --scheduler {scheduler}"
        )
    answer = _answer(request, objective or Fastest(), scheduler)
    if request.output != "table":
        echo_data(_data(request, answer), request.output)
        return
    from flexlbf.cli.tunetable import show  # noqa: PLC0415 - only people wait for rich

    show(request, answer)


def _answer(request: Request, objective: Objective, scheduler: str) -> Answer:
    # On equal drives no scheduler uses more drives than there are objects; to simulate the others one by
    # one could take hours.
    useful = request.drives[: len(request.jobs)]
    named = scheduler_named(scheduler, budget_s=TUNING_BUDGET_S)
    tuning = tune_session(request.jobs, useful, objective, named)
    chosen = tuning.chosen
    # The baselines have their own agents, whatever few FlexLBF needs.
    comparison = compare(request.jobs, request.drives[: len(chosen.drives)])
    return Answer(tuning, comparison, len(chosen.drives) if chosen.meets_target else len(request.drives))


def _data(request: Request, answer: Answer) -> dict[str, Any]:
    chosen = answer.tuning.chosen
    beside = answer.comparison
    compared = {
        "traditional": (beside.traditional, beside.traditional_stretch),
        "lbf": (beside.lbf, beside.lbf_stretch),
    }
    return {
        **objective_data(chosen.objective),
        "meets_target": chosen.meets_target,
        "drives": answer.drives,
        "max_agents": chosen.max_agents,
        "makespan_s": seconds(chosen.makespan),
        "reference_s": seconds(answer.tuning.reference.makespan),
        **bound_data(chosen.bound),
        "optimal": chosen.optimal,
        "restore_stretch": stretch_data(chosen.stretch),
        "capped": request.capped,
        "alternatives": [_alternative(each) for each in answer.tuning.alternatives],
        "compared_to": {
            name: {
                "makespan_s": seconds(baseline),
                "saved_percent": saved_percent(chosen.makespan, baseline),
                "restore_stretch": stretch_data(stretch),
            }
            for name, (baseline, stretch) in compared.items()
        },
    }


def objective_data(objective: Objective) -> dict[str, Any]:
    """What was tuned for, as programs get it."""
    data: dict[str, Any] = {"objective": objective.name}
    if isinstance(objective, WithinPercent):
        data["percent"] = _plain(objective.percent)
    if isinstance(objective, Deadline):
        data["deadline_s"] = seconds(objective.window)
    return data


def _alternative(setting: Setting) -> dict[str, Any]:
    return {
        **objective_data(setting.objective),
        "drives": len(setting.drives),
        "max_agents": setting.max_agents,
        "makespan_s": seconds(setting.makespan),
        "restore_stretch": stretch_data(setting.stretch),
    }


def _plain(percent: float) -> float:
    """A whole percentage as a whole number, as people wrote it."""
    return int(percent) if float(percent).is_integer() else percent
