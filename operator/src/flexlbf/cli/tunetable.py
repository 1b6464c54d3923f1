"""A tuned session for people: what to use, what it costs and saves, and what would help."""

from collections.abc import Iterator

from rich.table import Table

from flexlbf.cli.answer import Answer
from flexlbf.cli.options import Request
from flexlbf.cli.page import Page, table
from flexlbf.cli.remedies import remedies
from flexlbf.cli.words import per_host, restores, too_fast, what_restores_read, why_no_shorter
from flexlbf.planning.wording import count_of, duration
from flexlbf.scheduling import restore_stretch
from flexlbf.tuning import Deadline, Setting, WithinPercent, saved_percent
from flexlbf.tuning.baselines import TRADITIONAL_AGENTS


def show(request: Request, answer: Answer) -> None:
    """Print the recommendation, the alternatives beside it and what follows from it."""
    page = Page()
    chosen = answer.tuning.chosen
    page.heading(_recommendation(request, answer))
    if chosen.meets_target:
        page.paragraph(_beside_the_target(request, answer))
    page.table(_settings(request, answer))
    for sentence in _remarks(request, answer):
        page.paragraph(sentence)
    page.show()


def _recommendation(request: Request, answer: Answer) -> str:
    chosen = answer.tuning.chosen
    takes = duration(chosen.makespan)
    if not chosen.meets_target and isinstance(chosen.objective, Deadline):
        window = chosen.objective.window
        there_is = _with_agents(answer.drives, chosen.max_agents)
        return (
            f"The deadline of {duration(window)} can't be met: with all there is, {there_is}, a session "
            f"takes {takes}, {duration(chosen.makespan - window)} too long."
        )
    offered = len(request.drives)
    drives = count_of(answer.drives, "drive")
    if answer.drives < offered:
        drives = f"{answer.drives:,} of the {offered:,} drives"
    return f"Use {drives} with at most {_agents(answer.drives, chosen.max_agents)}: a session takes {takes}."


def _beside_the_target(request: Request, answer: Answer) -> str:
    chosen, reference = answer.tuning.chosen, answer.tuning.reference.makespan
    objective = chosen.objective
    if isinstance(objective, Deadline):
        spare = objective.window - chosen.makespan
        early = f"{duration(spare)} before the deadline" if spare else "just at the deadline"
        return f"That is {early} of {duration(objective.window)}."
    everything = _with_agents(len(request.drives), request.max_agents)
    more = 100 * (chosen.makespan / reference - 1)
    if isinstance(objective, WithinPercent) and more > 0:
        return (
            f"That is {more:.1f} % longer than the fastest, {duration(reference)} on {everything}; "
            f"you accept {objective.percent:g} %."
        )
    if _is_everything(request, answer):
        return "All of it is needed: with a drive or an agent less a session takes longer."
    return f"That is as fast as on {everything}."


def _is_everything(request: Request, answer: Answer) -> bool:
    return (answer.drives, answer.tuning.chosen.max_agents) == (len(request.drives), request.max_agents)


def _with_agents(drives: int, agents: int) -> str:
    return f"{count_of(drives, 'drive')} with {_agents(drives, agents)}"


def _agents(drives: int, agents: int) -> str:
    return count_of(agents, "agent") + (" each" if drives > 1 else "")


def _settings(request: Request, answer: Answer) -> Table:
    chosen, comparison = answer.tuning.chosen, answer.comparison
    shown = table("<", "drives", "agents each", "duration", "restores read", "you save")

    def setting(label: str, drives: int, each: Setting) -> None:
        shown.add_row(
            label, f"{drives:,}", f"{each.max_agents:,}", duration(each.makespan), restores(each.stretch), ""
        )

    setting("recommended" if chosen.meets_target else "all there is", answer.drives, chosen)
    for each in answer.tuning.alternatives:
        if isinstance(each.objective, WithinPercent) and each.objective != chosen.objective:
            setting(f"{each.objective.percent:g} % over fastest", len(each.drives), each)
    if not _is_everything(request, answer):
        reference = answer.tuning.reference
        everything = [f"{len(request.drives):,}", f"{request.max_agents:,}", duration(reference.makespan)]
        shown.add_row("all there is", *everything, restores(restore_stretch(reference)), "")
    agents = min(TRADITIONAL_AGENTS, request.max_agents)
    for label, baseline, stretch in (
        ("LBF instead", comparison.lbf, comparison.lbf_stretch),
        ("random order", comparison.traditional, comparison.traditional_stretch),
    ):
        saved = f"{saved_percent(chosen.makespan, baseline)} %"
        shown.add_row(
            label, f"{answer.drives:,}", f"{agents:,}", duration(baseline), restores(stretch), saved
        )
    return shown


def _remarks(request: Request, answer: Answer) -> Iterator[str]:
    chosen = answer.tuning.chosen
    freed = len(request.drives) - answer.drives
    if freed:
        verb = "is" if freed == 1 else "are"
        yield f"{count_of(freed, 'drive')} {verb} free for other work."
    if chosen.meets_target:
        yield why_no_shorter(request.jobs, chosen.drives, chosen.bound, chosen.makespan)
    elif isinstance(chosen.objective, Deadline):
        yield from remedies(request, chosen.objective.window)
    if stretch := chosen.stretch:
        yield what_restores_read(stretch)
    if limited := per_host(request.jobs):
        yield limited
    if request.capped:
        yield too_fast(request.capped, request.max_throughput)
    if min(answer.comparison.lbf, answer.comparison.traditional) < chosen.makespan:
        yield (
            "What is shorter than this lets streams ask more of a drive than it takes, and slows them all; "
            "FlexLBF never does."
        )
