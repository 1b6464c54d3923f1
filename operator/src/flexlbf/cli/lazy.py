"""Commands that are imported when they are run, so that each starts as fast as its own imports allow."""

import contextlib
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from flexlbf.cli.errors import INTERRUPTED, one_line


class LazyGroup(click.Group):
    """A group whose command `name` is the attribute `name` of the module `package.name`.

    The summaries of its commands are given to it, since asking the commands would import them all.
    """

    def __init__(self, *args: Any, package: str, summaries: Mapping[str, str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._package = package
        self._summaries = dict(summaries)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The commands' names, in the order in which they were given."""
        return list(self._summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in self._summaries:
            return None
        command = getattr(importlib.import_module(f"{self._package}.{cmd_name}"), cmd_name)
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._summaries.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a command's name without importing any."""
        found = [
            CompletionItem(name, help=summary)
            for name, summary in self._summaries.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def main(  # type: ignore[override] # one signature in place of click's overloads
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        *,
        standalone_mode: bool = True,
        **settings: Any,
    ) -> Any:
        """Run a command; whatever is wrong with the input is one line on standard error."""
        if not standalone_mode:
            return super().main(args, prog_name, standalone_mode=False, **settings)
        with _told():
            status = super().main(args, prog_name, standalone_mode=False, **settings)
            # Here rather than at exit, where a reader that went away would make Python complain.
            sys.stdout.flush()
        sys.exit(status if isinstance(status, int) else 0)


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.UsageError as error:
        hint = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        click.echo(f"Error: {one_line(error.format_message())}{hint}", err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        click.echo(f"Error: {one_line(error.format_message())}", err=True)
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _forget_output()
        sys.exit(1)


def _forget_output() -> None:
    """Let what is still buffered go nowhere: the reader has seen enough, as `head` has."""
    with contextlib.suppress(OSError):
        sys.stdout.close()
