"""Answers to what-if questions for programs."""

from typing import Any

from flexlbf.cli.output import seconds, stretch_data
from flexlbf.cli.tune import objective_data
from flexlbf.tuning import Answer, Setting, Spread, WhatIf

LIKELY_PERCENT = 95


def what_if_data(found: WhatIf) -> dict[str, Any]:
    """The situation as it is, an answer for each question, and what varying durations lead to."""
    window = found.situation.window
    return {
        **objective_data(found.situation.objective),
        "window_s": None if window is None else seconds(window),
        "base": {**_setting(found.base), "fits": found.fits},
        "answers": [_answer(each, found.base) for each in found.answers],
        "durations_vary": _spread(found.spread, found.base, window),
    }


def change_percent(makespan: int, base: int) -> float:
    """How much longer a session is than the one that it is held against, in per cent."""
    return 100 * (makespan / base - 1)


def _setting(setting: Setting) -> dict[str, Any]:
    return {
        "drives": len(setting.drives),
        "max_agents": setting.max_agents,
        "makespan_s": seconds(setting.makespan),
        "meets_target": setting.meets_target,
        "restore_stretch": stretch_data(setting.stretch),
    }


def _answer(answer: Answer, base: Setting) -> dict[str, Any]:
    change = answer.change
    asked = {"question": change.topic.value, "about": change.about, "what_if": change.words}
    if answer.setting is None:
        return {**asked, "drives": 0, "makespan_s": None, "fits": answer.fits}
    longer = answer.setting.makespan - base.makespan
    return {
        **asked,
        **_setting(answer.setting),
        "fits": answer.fits,
        "change_s": seconds(longer),
        "change_percent": round(change_percent(answer.setting.makespan, base.makespan), 2),
    }


def _spread(spread: Spread, base: Setting, window: int | None) -> dict[str, Any]:
    variation, likely = spread.variation, spread.percentile(LIKELY_PERCENT)
    return {
        "sigma": variation.sigma,
        "runs": variation.runs,
        "seed": variation.seed,
        "chance_to_fit": None if window is None else spread.chance_within(window),
        "median_s": seconds(spread.percentile(50)),
        "p95_s": seconds(likely),
        "longest_s": seconds(spread.percentile(100)),
        "p95_change_percent": round(change_percent(likely, base.makespan), 2),
    }
