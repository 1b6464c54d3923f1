"""What the demo shows: results on standard output, while progress goes to standard error."""

from collections.abc import Sequence


def show(text: str = "") -> None:
    """A line of the result."""
    print(text, flush=True)


def heading(text: str) -> None:
    """What comes next."""
    show(f"\n== {text}")


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Show rows, the first of which is the header; the columns numbered in `right` are set so."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        show(f"  {'  '.join(cells).rstrip()}")
