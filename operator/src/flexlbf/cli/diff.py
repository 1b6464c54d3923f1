"""`flexlbf diff`: what changed manifests change of the plan."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime

import click

from flexlbf.cli.clusteraccess import Access, cluster_options
from flexlbf.cli.errors import BAD_INPUT, BadInput
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
    help="Manifests as they were, likewise; or the cluster that the kubeconfig names, on which NEW is laid, "
    "with the policies of all namespaces or of the one given.",
)
@cluster_options
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "json", "markdown"]),
    default="table",
    show_default=True,
    help="Markdown is for a comment on a pull request.",
)
def diff(filenames: Sequence[str], against: Sequence[str], *, access: Access, output: str) -> None:
    """Say what changed manifests change: drives, agents, duration, window, and the schedule.

    Both sides are planned, and what differs is shown, policy by policy; so is what a change of a pool or of a
    set does to policies that were not touched. Give whole manifests on both sides: policies and all that they
    refer to. Against a cluster the changed ones are enough.

    The exit status is 0 without a difference, 1 with one, and 2 if something can't be read, or if a policy
    can't be planned for another reason than before.

    \b
    Examples:
      flexlbf diff -f policies/ --against main/policies/
      flexlbf diff -f pool.yaml --against cluster -o markdown
    """
    old, new = _fleets(filenames, against, access)
    now = datetime.now(UTC).replace(microsecond=0)
    after = _planned(new, now)
    found = differences(_planned(old, now), after)
    _show(found, output)
    changed = [each.name for each in found if each.change != "same"]
    # What could not be planned before either is none of this change's doing.
    verdicts = {name: after[name].plan.stalled for name in changed if name in after}
    mistakes = {name: verdict.message for name, verdict in verdicts.items() if verdict}
    for name, message in mistakes.items():
        click.echo(f"Error: BackupPolicy {name}: {message}", err=True)
    if changed:
        sys.exit(BAD_INPUT if mistakes else DIFFERENT)


def _fleets(filenames: Sequence[str], against: Sequence[str], access: Access) -> tuple[Fleet, Fleet]:
    namespace = access.namespace if CLUSTER in against else access.given or "default"
    new = resources_of(filenames, namespace)
    if CLUSTER not in against:
        return resources_of(against, namespace), new
    if len(against) > 1:
        raise BadInput("--against cluster goes alone: take the other --against away")
    from flexlbf.cluster.fleet import overlaid  # noqa: PLC0415 - files need no cluster's client

    old = access.fleet({access.given} if access.given else ())
    return old, overlaid(old, new)


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
