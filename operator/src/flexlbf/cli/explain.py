"""`flexlbf explain`: why the settings of a policy are what they are, and what would help."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import click

from flexlbf.cli.clusteraccess import Access
from flexlbf.cli.errors import BadInput
from flexlbf.cli.options import OUTPUTS
from flexlbf.cli.output import echo_data, seconds
from flexlbf.cli.policyfiles import chosen_policies, policy_options
from flexlbf.planning.offline import PlannedPolicy
from flexlbf.planning.reasons import Case, Statement, reasons
from flexlbf.planning.remedies import Remedy, remedies


@click.command()
@policy_options
@click.option("-o", "--output", type=click.Choice(OUTPUTS), default="table", show_default=True)
def explain(policies: Sequence[str], filenames: Sequence[str], *, access: Access, output: str) -> None:
    """Say in words why a policy gets its drives and agents, and what would help.

    What one drive or agent more or less would do, what bounds the session, what splitting its longest object,
    another drive, another agent or a longer session would bring: each of these was simulated. Policies are
    given as NAME or NAMESPACE/NAME; without any, all are explained.

    \b
    Examples:
      flexlbf explain server1 -f config/samples
      flexlbf explain -f policies/ -f pool.yaml -o json
      kubectl flexlbf explain weekly -n backup
    """
    fleet, chosen = chosen_policies(filenames, policies, access)
    now = datetime.now(UTC).replace(microsecond=0)
    planned = [fleet.plan(policy, now) for policy in chosen]
    cases = {each.name: Case(each.examined) for each in planned if each.examined.session}
    told = {name: (reasons(case), remedies(case)) for name, case in cases.items()}
    if output == "table":
        _show(told)
    else:
        echo_data({name: _data(cases[name], *each) for name, each in told.items()}, output)
    _refuse([each for each in planned if each.name not in cases])


def _show(told: dict[str, tuple[tuple[Statement, ...], tuple[Remedy, ...]]]) -> None:
    from flexlbf.cli.page import Page  # noqa: PLC0415 - only people wait for rich

    page = Page()
    for place, (name, (why, helps)) in enumerate(told.items()):
        if place:
            page.paragraph("")
        page.heading(f"BackupPolicy {name}")
        for each in why:
            page.item(each.words)
        page.paragraph("")
        page.heading("What would change it")
        for remedy in helps:
            page.item(remedy.words)
    page.show()


def _data(case: Case, why: Sequence[Statement], helps: Sequence[Remedy]) -> dict[str, Any]:
    chosen = case.chosen
    return {
        "drives": case.drives,
        "max_agents": chosen.max_agents,
        "makespan_s": seconds(chosen.makespan),
        "reasons": [
            {"topic": each.topic, "words": each.words, "figures": dict(each.figures)} for each in why
        ],
        "helps": [
            {
                "change": each.change,
                "words": each.words,
                "makespan_s": seconds(each.makespan),
                "saves_s": seconds(chosen.makespan - each.makespan),
                "fits": each.fits,
            }
            for each in helps
        ],
    }


def _refuse(unplanned: Sequence[PlannedPolicy]) -> None:
    verdicts = []
    for each in unplanned:
        found = each.plan.stalled or each.plan.outcome or each.plan.window
        verdicts.append(f"BackupPolicy {each.name}: {found.message}")
    if verdicts:
        raise BadInput("; ".join(verdicts))
