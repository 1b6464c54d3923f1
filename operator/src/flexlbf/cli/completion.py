"""`flexlbf completion`: the script that a shell loads to complete commands and options."""

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_FLEXLBF_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Examples:
      source <(flexlbf completion bash)
      flexlbf completion bash > ~/.local/share/bash-completion/completions/flexlbf
      flexlbf completion zsh > "${fpath[1]}/_flexlbf"
      flexlbf completion fish > ~/.config/fish/completions/flexlbf.fish
    """
    found = get_completion_class(shell)
    if found is None:  # pragma: no cover - click knows all of SHELLS
        raise click.UsageError(f"there is no completion for {shell}")
    # Not its source(), which would ask bash for its version: a script may be written anywhere.
    complete = found(ctx.find_root().command, {}, "flexlbf", VARIABLE)
    click.echo(complete.source_template % complete.source_vars())
