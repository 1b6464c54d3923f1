"""The page: one file of HTML with everything in it, and nothing that it would load or run.

Text is escaped by the template engine wherever a template prints it; only drawings are put in as they are,
and those escape it themselves. Besides, the page forbids itself scripts and requests (its Content-Security-
Policy), so that an object's name, which anybody may choose, can do nothing even if that were to fail.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from importlib.metadata import version

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from flexlbf.report.gantt import ROOMS
from flexlbf.report.model import PolicyReport
from flexlbf.report.palette import DARK, LIGHT

SIDE_BY_SIDE = 6
"""Drawings of more drives than these are folded away at first."""


def render(reports: Sequence[PolicyReport], now: datetime) -> str:
    """The page of some policies.

    Args:
        reports: in the order in which they are shown.
        now: when they were planned, in UTC.
    """
    return (
        _environment()
        .get_template("page.html")
        .render(
            reports=reports,
            now=now,
            version=version("flexlbf-operator"),
            light=LIGHT,
            dark=DARK,
            rooms=ROOMS,
            side_by_side=SIDE_BY_SIDE,
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("flexlbf.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Only what our own drawings made goes through this; see the module's words.
    environment.filters["drawn"] = Markup
    return environment
