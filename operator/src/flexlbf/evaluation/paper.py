"""What the paper says (HPL-2010-72), each figure with the place where it says so.

Nothing here is computed. Figures that the paper gives only as drawings are left out, since reading them off
would make them ours.
"""

from dataclasses import dataclass

PAPER = "HPL-2010-72"
SERVERS = 8
WEEKS = 3


@dataclass(frozen=True, slots=True)
class Saved:
    """A reduction of the session's duration: minutes, and per cent of what it was."""

    minutes: int
    percent: int

    def __str__(self) -> str:
        return f"{self.minutes:,} min ({self.percent} %)"


@dataclass(frozen=True, slots=True)
class SavedWeekly:
    """A row of table I or II: one server's reduction in each of three weeks."""

    source: str
    weeks: tuple[Saved, ...]


@dataclass(frozen=True, slots=True)
class Configuration:
    """Drives to use, and agents that each may run (maxDA)."""

    drives: int
    agents: int

    def __str__(self) -> str:
        return f"{self.drives} x {self.agents}"


@dataclass(frozen=True, slots=True)
class Tuned:
    """A row of table III: what the best time needs, and what at most 15 % more needs."""

    source: str
    best: Configuration
    relaxed: Configuration


@dataclass(frozen=True, slots=True)
class Span:
    """From one figure to another."""

    source: str
    low: int
    high: int


def _savings(table: str, *rows: tuple[tuple[int, int], ...]) -> tuple[SavedWeekly, ...]:
    return tuple(
        SavedWeekly(f"{table}, Server{n}", tuple(Saved(*week) for week in weeks))
        for n, weeks in enumerate(rows, start=1)
    )


def _tuned(table: str, *rows: tuple[int, int, int, int]) -> tuple[Tuned, ...]:
    return tuple(
        Tuned(f"{table}, Server{n}", Configuration(*row[:2]), Configuration(*row[2:]))
        for n, row in enumerate(rows, start=1)
    )


TABLE_1 = _savings(
    "table I",
    ((671, 26), (640, 25), (657, 25)),
    ((415, 29), (371, 29), (444, 34)),
    ((314, 15), (302, 15), (289, 14)),
    ((164, 18), (168, 18), (192, 20)),
    ((121, 20), (139, 23), (126, 21)),
    ((271, 19), (298, 19), (310, 20)),
    ((118, 24), (135, 26), (141, 25)),
    ((277, 25), (249, 24), (213, 23)),
)
"""LBF instead of a random order; one drive of 80 MB/s with four agents."""

TABLE_2 = _savings(
    "table II",
    ((645, 34), (642, 33), (649, 33)),
    ((340, 33), (189, 21), (163, 19)),
    ((915, 52), (926, 52), (908, 51)),
    ((393, 53), (370, 50), (341, 45)),
    ((224, 47), (192, 41), (211, 42)),
    ((453, 38), (476, 38), (517, 42)),
    ((126, 33), (124, 33), (165, 39)),
    ((210, 26), (210, 25), (168, 21)),
)
"""FlexLBF with at most ten agents instead of LBF with four; one drive of 80 MB/s."""

TABLE_3 = _tuned(
    "table III",
    (2, 4, 1, 7),
    (1, 10, 1, 6),
    (2, 5, 1, 9),
    (1, 9, 1, 8),
    (1, 8, 1, 7),
    (2, 5, 2, 4),
    (1, 7, 1, 6),
    (2, 4, 1, 5),
)
"""The tuner's answer for four drives of 80 MB/s with at most ten agents each."""

PEAK_UNDER_LBF = {2: 66, 3: 76}
"""MB/s that the session of a server reaches at times under LBF (section IV, on figures 6 a and 7 a)."""

FIRST_AGENTS = {2: 6, 3: 8}
"""Agents at the beginning under FlexLBF, by server (section IV, on figures 6 c and 7 c)."""

USUAL_AGENTS = {
    2: "3 to 4 between minutes 400 and 600, 10 at the end",
    3: "8 to 9 most of the time",
}
"""Agents later on under FlexLBF, by server (section IV, on figures 6 c and 7 c)."""

FIGURE_8 = {
    1: Span("section IV, on figure 8", 40, 55),
    2: Span("section IV, on figure 8", 30, 50),
    3: Span("section IV, on figure 8", 20, 50),
    4: Span("section IV, on figure 8", 20, 50),
}
"""Per cent that FlexLBF saves of LBF, by drives; on two and more some sets save next to nothing."""

FIGURE_8_SIZES = {1: (100, 200, 300, 400), 2: (100, 200, 300, 400), 3: (300, 400), 4: (300, 400)}
"""Objects of the backup sets that the paper tries on so many drives (section IV)."""

SENSITIVITY = {2: {6: 7, 8: 1, 10: 0}, 3: {6: 40, 8: 13, 10: 0}}
"""Per cent that a session is longer than with ten agents, by server and maxDA (section IV.A)."""
