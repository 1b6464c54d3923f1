"""`flexlbf selftest`: ask the operator of a cluster a question whose answer is known."""

import click

from flexlbf.cli.errors import one_line


@click.command()
@click.option(
    "--namespace",
    metavar="NAMESPACE",
    envvar="POD_NAMESPACE",
    default="default",
    show_default=True,
    help="Where the policy that asks is made, for a moment.",
)
@click.option(
    "--timeout", "patience", default=60.0, show_default=True, help="Seconds to wait for the answer."
)
def selftest(namespace: str, patience: float) -> None:
    """See whether the operator of a cluster answers.

    Makes a BackupPolicy that names a BackupSet which isn't there, waits until its status says so, and deletes
    it. That takes nothing but leave to create, get and delete BackupPolicies in one namespace.

    \b
    Example:
      KUBECONFIG=~/.kube/config flexlbf selftest --namespace backup
    """
    # Not at the top: the other commands need no cluster, and start faster without it.
    from flexlbf.cluster.selftest import EXPECTED, SelfTestFailed, ask  # noqa: PLC0415

    try:
        seconds = ask(namespace, patience)
    except SelfTestFailed as failure:
        raise click.ClickException(one_line(str(failure))) from failure
    click.echo(f"The operator answered {EXPECTED} within {seconds:.1f} s, as it should.")
