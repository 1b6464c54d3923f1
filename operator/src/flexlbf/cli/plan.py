"""`flexlbf plan`: what the operator would write, for the resources in files with no cluster."""

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import click
import yaml

from flexlbf.cli.clusteraccess import Access
from flexlbf.cli.policyfiles import chosen_policies, policy_options
from flexlbf.cli.whatifdata import what_if_data
from flexlbf.planning.offline import Fleet, PlannedPolicy
from flexlbf.tuning import Questions, WhatIf

BAD_INPUT = 2


@click.command()
@policy_options
@click.option(
    "-o", "--output", type=click.Choice(["table", "yaml", "json"]), default="table", show_default=True
)
@click.option(
    "--all", "show_all", is_flag=True, help="In the table, show every CronJob and not just the first."
)
@click.option(
    "--what-if",
    "asks",
    is_flag=True,
    help="Say besides what a lost drive, more data or other drives would change, as flexlbf whatif does: in "
    "JSON and YAML under whatIf, by namespace and name of the policy.",
)
def plan(
    policies: Sequence[str],
    filenames: Sequence[str],
    *,
    access: Access,
    output: str,
    show_all: bool,
    asks: bool,
) -> None:
    """Show what the operator would write: each policy's status and its CronJobs.

    Give the policies and all that they refer to: sets, pool, class, ConfigMaps with history. Nothing is
    sent anywhere, so this runs in the pipeline of a pull request. Without -f all of it is read from the
    cluster, with your rights, and nothing is written there either. Policies are given as NAME or
    NAMESPACE/NAME; without any, all are planned.

    The exit status is 2 if a policy can't be planned or a file can't be read, with a line on standard
    error that says why.

    \b
    Examples:
      flexlbf plan -f config/samples
      flexlbf plan -f policies/ -f pool.yaml -o json | jq '.items[0].status.recommendation'
      kubectl flexlbf plan weekly -n backup
    """
    fleet, chosen = chosen_policies(filenames, policies, access)
    now = datetime.now(UTC).replace(microsecond=0)
    planned = [fleet.plan(policy, now) for policy in chosen]
    answers = _ask(fleet, planned) if asks else None
    if output == "table":
        from flexlbf.cli.plantable import show  # noqa: PLC0415 - only people wait for rich

        show(planned, show_all=show_all)
        if answers:
            from flexlbf.cli.whatiftable import show_all as show_answers  # noqa: PLC0415

            show_answers(answers)
    else:
        click.echo(_as_list(planned, answers, output))
    _exit_by_verdict(planned)


def _ask(fleet: Fleet, planned: Sequence[PlannedPolicy]) -> dict[str, WhatIf]:
    from flexlbf.cli.policywhatif import ask_policies  # noqa: PLC0415 - who does not ask need not wait

    answers, _ = ask_policies(fleet, [each.policy for each in planned if not each.plan.stalled], Questions())
    return answers


def _as_list(planned: Sequence[PlannedPolicy], answers: dict[str, WhatIf] | None, output: str) -> str:
    """A List of the policies, with their statuses, and of the CronJobs, as `kubectl get` writes one."""
    items: list[dict[str, Any]] = [each.policy for each in planned]
    items += [job for each in planned for job in each.cron_jobs]
    listed: dict[str, Any] = {"apiVersion": "v1", "kind": "List", "items": items}
    if answers is not None:
        listed["whatIf"] = {name: what_if_data(each) for name, each in answers.items()}
    if output == "json":
        return json.dumps(listed, indent=2, ensure_ascii=False)
    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    # Through JSON, so that what several manifests share is written out and not as YAML's anchors.
    plain = json.loads(json.dumps(listed))
    return str(yaml.dump(plain, Dumper=dumper, sort_keys=False, allow_unicode=True)).rstrip()


def _exit_by_verdict(planned: Sequence[PlannedPolicy]) -> None:
    stalled = [each for each in planned if each.plan.stalled]
    for each in stalled:
        metadata, verdict = each.policy["metadata"], each.plan.stalled
        if verdict:
            name = f"{metadata['namespace']}/{metadata['name']}"
            click.echo(f"Error: BackupPolicy {name}: {verdict.reason}: {verdict.message}", err=True)
    if stalled:
        sys.exit(BAD_INPUT)
