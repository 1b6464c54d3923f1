"""The shape that tables I and II share: what each server saves, week by week."""

from collections.abc import Sequence

from flexlbf.evaluation.artefact import Table, table
from flexlbf.evaluation.paper import WEEKS, Saved, SavedWeekly

Weeks = Sequence[Saved]
"""What one server saves in each week."""


def beside_the_paper(caption: str, said: Sequence[SavedWeekly], ours: Sequence[Weeks]) -> Table:
    """The paper's column and ours for each week."""
    columns = [f"week {week}, {whose}" for week in range(1, WEEKS + 1) for whose in ("paper", "ours")]
    rows = [
        [f"server {n}", *(cell for pair in zip(row.weeks, weeks, strict=True) for cell in pair)]
        for n, (row, weeks) in enumerate(zip(said, ours, strict=True), start=1)
    ]
    return table(caption, ["", *columns], rows)


def ours_alone(caption: str, ours: Sequence[Weeks]) -> Table:
    """For a scheduler that the paper doesn't have."""
    rows = [[f"server {n}", *weeks] for n, weeks in enumerate(ours, start=1)]
    return table(caption, ["", *(f"week {week}" for week in range(1, WEEKS + 1))], rows)


def percents(servers: Sequence[Weeks]) -> list[int]:
    """The percentages of all servers and weeks."""
    return [week.percent for weeks in servers for week in weeks]


def said_percents(rows: Sequence[SavedWeekly]) -> list[int]:
    """The paper's percentages of all servers and weeks."""
    return percents([row.weeks for row in rows])
