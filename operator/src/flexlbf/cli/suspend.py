"""`flexlbf suspend`: let a policy of the cluster start nothing more."""

import click

from flexlbf.cli.clusteraccess import Access, cluster_options
from flexlbf.cli.policychange import change_policy


@click.command()
@click.argument("policy")
@cluster_options
def suspend(policy: str, *, access: Access) -> None:
    """Let a policy start nothing more; what runs goes on, and the plan is kept up to date.

    \b
    Example:
      kubectl flexlbf suspend weekly -n backup
    """
    set_suspend(policy, access, suspended=True)


def set_suspend(policy: str, access: Access, *, suspended: bool) -> None:
    """Make `spec.suspend` so, and say whether it was."""
    word = "suspended" if suspended else "resumed"

    def fields(spec: dict[str, object]) -> dict[str, object]:
        return {} if bool(spec.get("suspend")) is suspended else {"suspend": suspended}

    changed, _ = change_policy(access, policy, fields)
    already = "" if changed else " already, nothing was changed"
    click.echo(f"BackupPolicy {access.namespace}/{policy} is {word}{already}")
