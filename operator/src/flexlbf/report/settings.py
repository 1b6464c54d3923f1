"""The recommendation beside its alternatives and beside other schedulers, as a table."""

from flexlbf.planning.reasons import Case
from flexlbf.planning.wording import duration, stretch_words
from flexlbf.report.model import Table
from flexlbf.scheduling import Schedule, restore_stretch
from flexlbf.tuning import Setting, WithinPercent, saved_percent
from flexlbf.tuning.baselines import TRADITIONAL_AGENTS

TITLES = ("<Settings", "Drives", "Agents a drive", "Duration", "Restores read", "The plan saves")


def settings_table(case: Case) -> Table:
    """One row for each way to run the session."""
    chosen, beside = case.chosen, case.session.comparison
    agents = min(TRADITIONAL_AGENTS, max(each.max_agents for each in case.allowed))
    rows = [
        _setting("This plan", chosen),
        *(_setting(_called(other), other) for other in case.session.tuning.alternatives),
        _reference(case.session.tuning.reference),
    ]
    for name, took, stretch in (
        ("LBF: the longest first", beside.lbf, beside.lbf_stretch),
        ("In arbitrary order", beside.traditional, beside.traditional_stretch),
    ):
        saved = f"{saved_percent(chosen.makespan, took)} %"
        rows.append((name, case.drives, agents, duration(took), stretch_words(stretch), saved))
    return Table.of("The plan, its alternatives, and other schedulers on the same drives", TITLES, rows)


def _setting(name: str, setting: Setting) -> tuple[object, ...]:
    stretch = stretch_words(setting.stretch)
    return name, len(setting.drives), setting.max_agents, duration(setting.makespan), stretch, ""


def _called(setting: Setting) -> str:
    objective = setting.objective
    if isinstance(objective, WithinPercent):
        return f"Within {objective.percent:g} % of the fastest"
    return objective.name


def _reference(schedule: Schedule) -> tuple[object, ...]:
    agents = max(each.max_agents for each in schedule.drives)
    stretch = stretch_words(restore_stretch(schedule))
    return (
        "All drives and agents allowed",
        len(schedule.drives),
        agents,
        duration(schedule.makespan),
        stretch,
        "",
    )
