"""The page: one file of HTML with everything in it, and nothing that it would load or run.

Text is escaped by the template engine wherever a template prints it; only drawings are put in as they are,
and those escape it themselves. Besides, the page forbids itself scripts and requests (its Content-Security-
Policy), so that an object's name, which anybody may choose, can do nothing even if that were to fail.
"""

from collections.abc import Sequence
from datetime import datetime

from flexlbf.report.engine import render_template
from flexlbf.report.model import PolicyReport

SIDE_BY_SIDE = 6
"""Drawings of more drives than these are folded away at first."""


def render(reports: Sequence[PolicyReport], now: datetime) -> str:
    """The page of some policies.

    Args:
        reports: in the order in which they are shown.
        now: when they were planned, in UTC.
    """
    return render_template("page.html", reports=reports, now=now, side_by_side=SIDE_BY_SIDE)
