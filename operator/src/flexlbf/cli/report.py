"""`flexlbf report`: what is planned for the policies of files, as one page of drawings and tables."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from flexlbf.cli.clusteraccess import Access
from flexlbf.cli.errors import BadInput
from flexlbf.cli.files import write_file
from flexlbf.cli.policyfiles import chosen_policies, policy_options
from flexlbf.cli.progress import progress


@click.command()
@policy_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("report.html"),
    show_default=True,
    metavar="FILE",
    help="The page that is written.",
)
def report(policies: Sequence[str], filenames: Sequence[str], *, access: Access, output: Path) -> None:
    """Draw what is planned: one page of HTML that needs no network.

    For each policy: the session by drives and time, throughput and agents over time, the duration against
    drives and agents, what the settings are due to and what would help, and the last session where the
    manifests have a status. Every drawing has its table.

    The exit status is 2 if a policy can't be planned; the page then says why.

    \b
    Examples:
      flexlbf report -f config/samples -o report.html
      flexlbf report weekly -f policies/ -f pool.yaml
      kubectl flexlbf report -n backup
    """
    # What draws is imported when it is needed: asking for help should not wait for it.
    from flexlbf.report import policy_report, render  # noqa: PLC0415
    from flexlbf.report.lastsession import last_session  # noqa: PLC0415

    fleet, chosen = chosen_policies(filenames, policies, access)
    now = datetime.now(UTC).replace(microsecond=0)
    reports, stalled = [], []
    with progress("drawing") as step:
        for number, policy in enumerate(chosen, 1):
            planned = fleet.plan(policy, now)
            reports.append(policy_report(planned, number, last_session(policy)))
            if planned.plan.stalled:
                stalled.append(f"BackupPolicy {planned.name}: {planned.plan.stalled.message}")
            step(number, len(chosen))
    write_file(output, render(reports, now))
    if stalled:
        raise BadInput("; ".join(stalled))
