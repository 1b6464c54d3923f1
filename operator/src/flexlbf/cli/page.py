"""A page of text and tables, for a terminal of any width and for a pipe."""

import textwrap

import click
from rich.console import Console, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

PIPED_WIDTH = 80
WIDEST_TEXT = 100
UNBOUNDED = 100_000
"""In a pipe no name is folded, so that `grep` finds it."""


class Page:
    """Collects paragraphs and tables, then prints them all at once."""

    def __init__(self) -> None:
        terminal = Console()
        width = terminal.width if terminal.is_terminal else UNBOUNDED
        self._console = Console(width=width, highlight=False, emoji=False, markup=False)
        self._text_width = min(terminal.width if terminal.is_terminal else PIPED_WIDTH, WIDEST_TEXT)
        self._parts: list[RenderableType] = []

    def heading(self, text: str) -> None:
        """A paragraph that is seen first."""
        self._parts.append(Text(self._wrapped(text), style="bold"))

    def paragraph(self, text: str) -> None:
        """A paragraph."""
        self._parts.append(Text(self._wrapped(text)))

    def item(self, text: str) -> None:
        """An entry of a list, the lines after its first indented as far."""
        self._parts.append(Text(self._wrapped(f"- {text}", indent="  ")))

    def table(self, table: Table) -> None:
        """A table, between empty lines."""
        self._parts += ["", table, ""]

    def show(self) -> None:
        """Print the page. A reader that goes away meets click's handling of it, not rich's."""
        with self._console.capture() as captured:
            for part in self._parts:
                self._console.print(part, soft_wrap=isinstance(part, Text))
        lines = [line.rstrip() for line in captured.get().splitlines()]
        # One empty line between parts, none at the end.
        kept = [line for line, after in zip(lines, [*lines[1:], ""], strict=True) if line or after]
        click.echo("\n".join(kept))

    def _wrapped(self, text: str, indent: str = "") -> str:
        return textwrap.fill(
            text,
            self._text_width,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )


def table(*columns: str) -> Table:
    """A table without lines; columns are right-aligned but those whose name begins with `<`.

    The cells of left-aligned columns are folded where the terminal is too narrow for them.
    """
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=Style(dim=True))
    for name in columns:
        if name.startswith("<"):
            made.add_column(name[1:], overflow="fold")
        else:
            made.add_column(name, justify="right", no_wrap=True)
    return made
