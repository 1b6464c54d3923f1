"""The settings in large print, and what they cost and save."""

from collections.abc import Iterator

from flexlbf.planning.plan import Plan
from flexlbf.planning.reasons import Case
from flexlbf.planning.wording import amount, bytes_of, count_of, duration, times_words
from flexlbf.report.model import Headline
from flexlbf.scheduling import BoundBy
from flexlbf.tuning import saved_percent
from flexlbf.tuning.baselines import TRADITIONAL_AGENTS

BOUND = {
    BoundBy.LONGEST_OBJECT: "by the longest object, {longest}",
    BoundBy.THROUGHPUT: "by what the drives take",
    BoundBy.HOST: "by host {host}, which may send few streams at a time",
    BoundBy.AGENTS: "by the agents that there are",
}


def headlines(case: Case, plan: Plan) -> tuple[Headline, ...]:
    """What a reader looks for first."""
    return tuple(_headlines(case, plan))


def _headlines(case: Case, plan: Plan) -> Iterator[Headline]:
    chosen, comparison = case.chosen, case.session.comparison
    yield Headline("Drives", f"{case.drives}", f"of {len(case.session.pool)} in the pool")
    most = max(each.max_agents for each in case.allowed)
    yield Headline("Agents a drive", f"{chosen.max_agents}", f"at most, of {most} allowed")
    yield Headline("Duration", duration(chosen.makespan), count_of(len(case.jobs), "object"))
    yield _window(case, plan)
    yield Headline(
        "Saved",
        f"{saved_percent(chosen.makespan, comparison.traditional)} %",
        f"of {duration(comparison.traditional)} in arbitrary order, {TRADITIONAL_AGENTS} agents",
    )
    host = chosen.bound.host.name if chosen.bound.host else ""
    bound = BOUND[chosen.bound.bound_by].format(longest=case.longest.name, host=host)
    yield Headline("No session is shorter than", duration(chosen.bound.duration), bound)
    if stretch := chosen.stretch:
        worst = f"its data; at worst {times_words(stretch.worst)}"
        yield Headline("A restore reads", times_words(stretch.median), worst)
    yield Headline("Backed up", amount(sum(map(bytes_of, chosen.schedule.jobs))), _scheduler(case))


def _window(case: Case, plan: Plan) -> Headline:
    if case.window is None:
        return Headline("Window", "none", "the policy says no limit")
    spare = case.window - case.chosen.makespan
    if plan.window_fit:
        return Headline("Window", duration(case.window), f"fits, with {duration(spare)} to spare", "good")
    return Headline("Window", duration(case.window), f"overrun by {duration(-spare)}", "bad")


def _scheduler(case: Case) -> str:
    return f"in the order of {case.spec.scheduler.value}"
