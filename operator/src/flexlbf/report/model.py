"""What a page shows of a policy, as plain values: made by `build`, laid out by the templates."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; figures are set to the right."""

    title: str
    figures: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Figures in rows; the first cell of each is its heading."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, caption: str, titles: Sequence[str], rows: Sequence[Sequence[object]]) -> "Table":
        """A table; columns whose title begins with `<` hold words."""
        columns = tuple(
            Column(title.removeprefix("<"), figures=not title.startswith("<")) for title in titles
        )
        return cls(caption, columns, tuple(tuple(map(str, row)) for row in rows))


@dataclass(frozen=True, slots=True)
class Key:
    """An entry of a legend: the class that colours it, and what that says."""

    style: str
    words: str


@dataclass(frozen=True, slots=True)
class Legend:
    """What the colours of a drawing say.

    Attributes:
        name: by what things are coloured.
        keys: in order.
    """

    name: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with what stands for it where it can't be seen.

    Attributes:
        name: unique on the page; the drawing's elements have their ids from it.
        title: its heading.
        reading: what it shows, in a sentence or two.
        drawing: the text of an `svg` element; user text in it is escaped.
        table: the same in figures.
        legends: one, or several of which the reader chooses.
    """

    name: str
    title: str
    reading: str
    drawing: str
    table: Table
    legends: tuple[Legend, ...] = ()


@dataclass(frozen=True, slots=True)
class Headline:
    """A figure in large print, and what there is to say beside it."""

    label: str
    value: str
    note: str = ""
    verdict: str = ""
    """`good`, `bad`, or neither."""


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """All that is shown of one policy.

    Attributes:
        anchor: unique on the page.
        name: namespace and name.
        when: the schedule and its time zone.
        outcome: what planning came to; where it came to nothing, why.
        planned: whether there is a session to show.
        headlines: the settings and what they cost and save.
        reasons: why the settings are what they are, a paragraph each.
        helps: what would make the session shorter, or cheaper.
        session: the session by drives and time.
        over_time: throughput and agents, all drives together first.
        curves: duration by drives and by agents.
        bounding: the objects that the session's duration hangs on.
        settings: the recommendation, its alternatives, and other schedulers.
        beside: the last real session beside the plan: as its status tells it, and as it was measured.
        measured: what then ran over time, and what is planned.
    """

    anchor: str
    name: str
    when: str
    outcome: str
    planned: bool
    headlines: tuple[Headline, ...] = ()
    reasons: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    session: Figure | None = None
    over_time: tuple[Figure, ...] = ()
    curves: tuple[Figure, ...] = ()
    bounding: tuple[Table, ...] = ()
    settings: Table | None = None
    beside: tuple[Table, ...] = ()
    measured: tuple[Figure, ...] = ()
