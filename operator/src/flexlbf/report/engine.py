"""The template engine, the style of all pages, and what pages may do: show themselves, and nothing else."""

import base64
import hashlib
from functools import cache
from importlib.metadata import version

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from flexlbf.report.gantt import ROOMS
from flexlbf.report.palette import DARK, LIGHT


def render_template(name: str, **values: object) -> str:
    """A template with these values; whatever it prints is escaped."""
    return environment().get_template(name).render(**values)


@cache
def environment() -> Environment:
    """The engine: it escapes what templates print, and stops at what they misspell."""
    made = Environment(
        loader=PackageLoader("flexlbf.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Only what our own drawings and templates made goes through this.
    made.filters["drawn"] = Markup
    style = Markup(made.get_template("style.css").render(light=LIGHT, dark=DARK, rooms=ROOMS))  # noqa: S704 - our own
    made.globals |= {"style": style, "version": version("flexlbf-operator")}
    made.globals["security"] = _security(style)
    return made


def content_security_policy() -> str:
    """What a page forbids itself: all but its own style, which is known by its digest."""
    return str(environment().globals["security"])


def _security(style: str) -> str:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
