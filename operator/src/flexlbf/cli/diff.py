"""`flexlbf diff`: what changed manifests change of the plan."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime

import click

from flexlbf.cli.errors import BAD_INPUT
from flexlbf.cli.policyfiles import resources_of
from flexlbf.planning.difference import Difference, differences
from flexlbf.planning.offline import Fleet, PlannedPolicy

CLUSTER = "cluster"
DIFFERENT = 1


@click.command()
@click.option(
    "-f",
    "--filename",
    "filenames",
    multiple=True,
    required=True,
    metavar="NEW",
    help="Manifests as they are to be: files, folders, or - for standard input; repeatable.",
)
@click.option(
    "--against",
    multiple=True,
    required=True,
    metavar="OLD|cluster",
    help="Manifests as they were, likewise; or the cluster that the kubeconfig names, on which NEW is laid.",
)
@click.option("-n", "--namespace", default="default", show_default=True, help="Where manifests name none.")
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "json", "markdown"]),
    default="table",
    show_default=True,
    help="Markdown is for a comment on a pull request.",
)
def diff(filenames: Sequence[str], against: Sequence[str], namespace: str, output: str) -> None:
    """Say what changed manifests change: drives, agents, duration, window, and the schedule.

    Both sides are planned, and what differs is shown, policy by policy; so is what a change of a pool or of a
    set does to policies that were not touched. Give whole manifests on both sides: policies and all that they
    refer to. Against a cluster the changed ones are enough.

    The exit status is 0 without a difference, 1 with one, and 2 if something can't be read or planned.

    \b
    Examples:
      flexlbf diff -f policies/ --against main/policies/
      flexlbf diff -f pool.yaml --against cluster -o markdown
    """
    old, new = _fleets(filenames, against, namespace)
    now = datetime.now(UTC).replace(microsecond=0)
    after = _planned(new, now)
    found = differences(_planned(old, now), after)
    _show(found, output)
    mistakes = [each for each in after.values() if each.plan.stalled]
    for each in mistakes:
        if each.plan.stalled:
            click.echo(f"Error: BackupPolicy {each.name}: {each.plan.stalled.message}", err=True)
    if mistakes:
        sys.exit(BAD_INPUT)
    if any(each.change != "same" for each in found):
        sys.exit(DIFFERENT)


def _fleets(filenames: Sequence[str], against: Sequence[str], namespace: str) -> tuple[Fleet, Fleet]:
    new = resources_of(filenames, namespace)
    if CLUSTER not in against:
        return resources_of(against, namespace), new
    raise NotImplementedError


def _planned(fleet: Fleet, now: datetime) -> dict[str, PlannedPolicy]:
    planned = (fleet.plan(policy, now) for policy in fleet.policies())
    return {each.name: each for each in planned}


def _show(found: Sequence[Difference], output: str) -> None:
    if output == "json":
        from flexlbf.cli.diffdata import difference_data  # noqa: PLC0415
        from flexlbf.cli.output import echo_data  # noqa: PLC0415

        echo_data([difference_data(each) for each in found], "json")
    elif output == "markdown":
        from flexlbf.cli.diffmarkdown import as_markdown  # noqa: PLC0415

        click.echo(as_markdown(found))
    else:
        from flexlbf.cli.difftable import show_differences  # noqa: PLC0415 - only people wait for rich

        show_differences(found)
