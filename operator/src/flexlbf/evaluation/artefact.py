"""What is handed out for a table or figure of the paper: the question, the answer, and how to read it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flexlbf.evaluation.plot import Chart

NOT_SAID = "-"
"""In place of a figure that the paper doesn't have."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first column is text, the others are figures.

    Attributes:
        caption: what it shows.
        columns: their headings.
        rows: their cells.
        folded: whether it is opened on demand, since few want to read it all.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Headline:
    """One claim with the paper's figure and ours."""

    claim: str
    paper: str
    ours: str


@dataclass(frozen=True, slots=True)
class Artefact:
    """One table or figure of the paper, done again.

    Attributes:
        name: its name on the command line, such as `figure6`.
        title: its heading.
        question: what is compared and how; an empty line parts paragraphs.
        headlines: what to remember of it.
        tables: the paper's figures beside ours.
        reading: what differs and why, likewise.
        chart: what is drawn, if anything.
    """

    name: str
    title: str
    question: str
    headlines: tuple[Headline, ...]
    tables: tuple[Table, ...]
    reading: str
    chart: Chart | None = None


def table(
    caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, folded: bool = False
) -> Table:
    """A table of anything that can be written."""
    return Table(caption, tuple(columns), tuple(tuple(str(cell) for cell in row) for row in rows), folded)


def span(figures: Iterable[float], unit: str = "%") -> str:
    """`14 to 18 %`, or `14 %` if all are alike."""
    rounded = [round(figure) for figure in figures]
    low, high = min(rounded), max(rounded)
    return f"{low:,} {unit}" if low == high else f"{low:,} to {high:,} {unit}"
