"""Answers to what-if questions for people."""

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from flexlbf.cli.page import Page, table
from flexlbf.cli.whatifdata import LIKELY_PERCENT, change_percent
from flexlbf.cli.words import restores
from flexlbf.planning.wording import count_of, duration
from flexlbf.tuning import Answer, Setting, WhatIf

UNCHANGED_PERCENT = 0.05
"""Less than would be shown."""


def show_all(found: Mapping[Any, WhatIf]) -> None:
    """Print for each policy, or for the workload that has no name, what there is and what changes lead to."""
    page = Page()
    for place, (name, each) in enumerate(found.items()):
        if place:
            page.paragraph("")
        page.heading(_as_it_is(each, name))
        page.table(_answers(each))
        page.paragraph(_varying(each))
    page.show()


def _as_it_is(found: WhatIf, name: str | None) -> str:
    base, window = found.base, found.situation.window
    drives = count_of(len(base.drives), "drive")
    agents = count_of(base.max_agents, "agent") + (" each" if len(base.drives) > 1 else "")
    subject = f"{name}: as it is" if name else "As it is"
    takes = f"{subject}, a session takes {duration(base.makespan)} on {drives} with at most {agents}"
    if window is None:
        return f"{takes}."
    return f"{takes}, which {'fits' if found.fits else 'overruns'} the window of {duration(window)}."


def _answers(found: WhatIf) -> Table:
    window = found.situation.window
    columns = ("<what if", "drives", "agents each", "duration", "change", "restores read")
    shown = table(*columns) if window is None else table(*columns, "fits")
    fits = [] if window is None else [_yes(found.fits)]
    shown.add_row("nothing changes", *_settings(found.base), "", restores(found.base.stretch), *fits)
    for answer in found.answers:
        fits = [] if window is None else [_yes(answer.fits)]
        shown.add_row(Text(answer.change.words), *_answer(answer, found.base), *fits)
    return shown


def _settings(setting: Setting) -> tuple[str, str, str]:
    return f"{len(setting.drives):,}", f"{setting.max_agents:,}", duration(setting.makespan)


def _answer(answer: Answer, base: Setting) -> tuple[str, ...]:
    if answer.setting is None:
        return ("none", "-", "-", "no backup", "-")
    change = _change(answer.setting.makespan, base.makespan)
    return (*_settings(answer.setting), change, restores(answer.setting.stretch))


def _change(makespan: int, base: int) -> str:
    percent = change_percent(makespan, base)
    return "none" if abs(percent) < UNCHANGED_PERCENT else f"{percent:+.1f} %"


def _yes(fits: bool | None) -> str:
    return "yes" if fits else "no"


def _varying(found: WhatIf) -> str:
    spread, window = found.spread, found.situation.window
    variation = spread.variation
    half, most = (duration(spread.percentile(percent)) for percent in (50, LIKELY_PERCENT))
    runs = count_of(variation.runs, "session")
    sentence = (
        f"If durations vary (log-normal, sigma {variation.sigma:g}, {runs} run "
        f"live with these settings), half of the sessions end within {half} and {LIKELY_PERCENT} % within "
        f"{most}"
    )
    if window is None:
        return f"{sentence}."
    chance = f"{spread.chance_within(window):.1%}".replace("%", " %")
    return f"{sentence}; {chance} of them fit the window of {duration(window)}."
