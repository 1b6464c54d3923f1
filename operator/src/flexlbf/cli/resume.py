"""`flexlbf resume`: let a suspended policy of the cluster start sessions again."""

import click

from flexlbf.cli.clusteraccess import Access, cluster_options
from flexlbf.cli.suspend import set_suspend


@click.command()
@click.argument("policy")
@cluster_options
def resume(policy: str, *, access: Access) -> None:
    """Let a suspended policy start sessions again, from its next time on.

    \b
    Example:
      kubectl flexlbf resume weekly -n backup
    """
    set_suspend(policy, access, suspended=False)
