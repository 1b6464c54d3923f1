"""`flexlbf whatif`: the same plan with a drive less, more data or other drives, and durations that vary."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from flexlbf.api.quantities import parse_quantity
from flexlbf.cli.csvsets import csv_sets, only_csv_sets
from flexlbf.cli.errors import BadInput
from flexlbf.cli.numbers import WHOLE_SEED, Number, Whole
from flexlbf.cli.objectives import objective_options
from flexlbf.cli.options import Request, optional_workload_options
from flexlbf.cli.output import echo_data
from flexlbf.cli.progress import progress
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE
from flexlbf.tuning import Deadline, Fastest, Objective, Questions, Situation, Variation, WhatIf, what_if

WORKLOAD = "this workload"
DEFAULTS = Questions()


class _Rate(click.ParamType[int]):
    name = "rate"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return parse_quantity(str(value)) * MICROBYTES_PER_BYTE
        except ValueError as error:
            self.fail(f"{value!s}: {error}", param, ctx)


@click.command()
@optional_workload_options
@click.option(
    "-f",
    "--filename",
    "filenames",
    multiple=True,
    metavar="FILE_OR_DIR",
    help="Manifests in place of JOBS.csv, as for flexlbf plan; repeatable.",
)
@click.option("-n", "--namespace", default="default", show_default=True, help="Where manifests name none.")
@objective_options
@click.option(
    "--add-set",
    "added",
    multiple=True,
    metavar="NAME|FILE",
    help="Add a BackupSet of the manifests, or of a .yaml or .csv file; repeatable. Without: one more set "
    "like the largest.",
)
@click.option(
    "--grow",
    type=Number(0.001, 1000, "1.3"),
    multiple=True,
    default=DEFAULTS.growth,
    show_default=True,
    metavar="FACTOR",
    help="Data grown by this factor: durations grow, rates stay; repeatable.",
)
@click.option(
    "--drive-rate",
    "rates",
    type=_Rate(),
    multiple=True,
    metavar="QUANTITY",
    help="Drives of this many bytes a second instead, such as 160M; repeatable. Without: twice as fast.",
)
@click.option(
    "--sigma",
    type=Number(0, 3, "0.2"),
    default=DEFAULTS.variation.sigma,
    show_default=True,
    help="How much durations vary: the standard deviation of their logarithm.",
)
@click.option(
    "--runs",
    type=Whole(1, 100_000),
    default=DEFAULTS.variation.runs,
    show_default=True,
    help="How many sessions are run with durations that vary.",
)
@click.option("--seed", type=WHOLE_SEED, default=DEFAULTS.variation.seed, show_default=True, metavar="S")
def whatif(request: Request | None, output: str, filenames: Sequence[str], **given: Any) -> None:
    """Ask what would become of a plan: all answers in one table.

    A drive is lost, agents are fewer, a set is added, data grows, drives are of another generation: for each
    the drives and agents are tuned anew, to the same end. Durations that vary are run with the settings of
    the plan, in its order, as drives come to have room.

    Give either manifests, with policies and all that they refer to, or a workload with its drives: JOBS.csv
    is as for flexlbf tune, and --deadline is the window that sessions must fit.

    \b
    Examples:
      flexlbf whatif -f config/samples
      flexlbf whatif -f policies/ --add-set new-server.csv --grow 1.5 -o json
      flexlbf whatif jobs.csv --drives 4 --max-agents 10 --max-throughput 80 --deadline 20h
    """
    variation = Variation(given["sigma"], given["runs"], given["seed"])
    questions = Questions(tuple(given["grow"]), tuple(given["rates"]), {}, variation)
    if request is not None:
        if filenames:
            raise BadInput("JOBS.csv and -f exclude each other: give one of them")
        _ask_workload(request, output, given["objective"] or Fastest(), questions, given["added"])
    elif not filenames:
        raise BadInput("there is nothing to ask about: give -f FILE_OR_DIR, or JOBS.csv and its drives")
    elif given["objective"]:
        raise BadInput("--within and --deadline go with JOBS.csv: a policy says its objective itself")
    else:
        _ask_policies(filenames, given["namespace"], output, questions, given["added"])


def _ask_workload(
    request: Request, output: str, objective: Objective, questions: Questions, added: Sequence[str]
) -> None:
    window = objective.window if isinstance(objective, Deadline) else None
    situation = Situation(tuple(request.jobs), request.drives, objective, window)
    asked = replace(questions, added=only_csv_sets(added, request.per_host))
    with progress("asking") as step:
        found = what_if(situation, asked, {WORKLOAD: request.jobs}, step)
    _tell({None: found}, output)


def _ask_policies(
    filenames: Sequence[str], namespace: str, output: str, questions: Questions, added: Sequence[str]
) -> None:
    from flexlbf.cli.manifestsets import manifest_sets  # noqa: PLC0415 - a CSV needs no manifests
    from flexlbf.cli.policywhatif import ask_policies, fleet_of  # noqa: PLC0415

    fleet = fleet_of(filenames, namespace)
    more = manifest_sets(added, fleet, namespace)
    found, mistakes = ask_policies(fleet, fleet.policies(), replace(questions, added=csv_sets(added)), more)
    if found:
        _tell(found, output)
    if mistakes:
        raise BadInput("; ".join(mistakes))


def _tell(found: dict[Any, WhatIf], output: str) -> None:
    if output == "table":
        from flexlbf.cli.whatiftable import show_all  # noqa: PLC0415 - only people wait for rich

        show_all(found)
        return
    from flexlbf.cli.whatifdata import what_if_data  # noqa: PLC0415 - people need it not

    # A workload has no name, and its answers no key.
    data = {name: what_if_data(each) for name, each in found.items()}
    echo_data(data.get(None, data), output)
