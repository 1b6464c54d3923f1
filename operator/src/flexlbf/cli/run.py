"""`flexlbf run`: ask for a session of a policy now."""

import secrets
from datetime import UTC, datetime
from typing import Any

import click

from flexlbf.cli.clusteraccess import Access, cluster_options
from flexlbf.cli.errors import BadInput
from flexlbf.cli.policychange import change_policy

LONGEST_TOKEN = 64


@click.command()
@click.argument("policy")
@cluster_options
@click.option(
    "--token",
    metavar="TEXT",
    help="Asked twice with the same text, the session runs once; without, a new one each time.",
)
def run(policy: str, *, access: Access, token: str | None) -> None:
    """Ask for a session of a policy now, by setting its spec.runToken.

    The operator runs it with the plan's drives and agents, whatever the policy's execution. Follow it with
    flexlbf status --watch.

    \b
    Examples:
      kubectl flexlbf run weekly -n backup
      flexlbf run weekly --token before-the-upgrade
    """
    if token is not None and not 1 <= len(token) <= LONGEST_TOKEN:
        raise BadInput(f"--token {token}: write 1 to {LONGEST_TOKEN} characters")
    asked = token or f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}-{secrets.token_hex(3)}"

    def fields(spec: dict[str, Any]) -> dict[str, Any]:
        if spec.get("mode") == "Recommend":
            raise BadInput(f"BackupPolicy {policy} runs nothing: set its spec.mode to Apply first")
        if spec.get("suspend"):
            raise BadInput(f"BackupPolicy {policy} is suspended: flexlbf resume {policy} first")
        return {} if spec.get("runToken") == asked else {"runToken": asked}

    changed, _ = change_policy(access, policy, fields)
    said = "a session is asked for" if changed else "that session was asked for already"
    click.echo(f"BackupPolicy {access.namespace}/{policy}: {said} (run token {asked})")
