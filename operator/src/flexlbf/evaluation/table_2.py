"""Table II: FlexLBF instead of LBF."""

from collections.abc import Sequence

from flexlbf.evaluation import paper
from flexlbf.evaluation.artefact import NOT_SAID, Artefact, Headline, Table, span
from flexlbf.evaluation.paper import WEEKS, Saved
from flexlbf.evaluation.study import (
    FIXED_AGENTS,
    MAX_AGENTS,
    Contender,
    Study,
    drives,
    saved,
    under,
    under_lbf,
)
from flexlbf.evaluation.weekly import beside_the_paper, ours_alone, percents, said_percents
from flexlbf.scheduling import BoundBy, Job, lower_bound


def table_2(study: Study) -> Artefact:
    """Table II, done again, and the same for every other scheduler."""
    results = [(each, _servers(study, each)) for each in study.contenders]
    return Artefact(
        name="table2",
        title="Table II: a flexible number of agents instead of a fixed one",
        question=f"""
            One drive of 80 MB/s again. How much shorter is a session under FlexLBF, which runs as many
            agents as the drive's rate allows and at most {MAX_AGENTS}, than one under LBF with
            {FIXED_AGENTS}? Both start the longest object first, so the agents make the difference.""",
        headlines=tuple(_headline(*each) for each in results),
        tables=tuple(_table(*each) for each in results),
        reading=_reading(study),
    )


def _servers(study: Study, contender: Contender) -> list[list[Saved]]:
    return [[_week(contender, each.jobs(week)) for week in range(WEEKS)] for each in study.servers]


def _week(contender: Contender, jobs: Sequence[Job]) -> Saved:
    return saved(under(contender, jobs, drives(1)).makespan, under_lbf(jobs, 1).makespan)


def _headline(contender: Contender, ours: list[list[Saved]]) -> Headline:
    said = span(said_percents(paper.TABLE_2)) if contender.from_paper else NOT_SAID
    return Headline(f"{contender.name} saves of LBF, one drive", said, span(percents(ours)))


def _table(contender: Contender, ours: list[list[Saved]]) -> Table:
    caption = f"Saved by {contender.name}"
    return (
        beside_the_paper(caption, paper.TABLE_2, ours) if contender.from_paper else ours_alone(caption, ours)
    )


def _reading(study: Study) -> str:
    bounds = [lower_bound(each.jobs(), drives(1)).bound_by for each in study.servers]
    longest = [str(n) for n, bound in enumerate(bounds, start=1) if bound is BoundBy.LONGEST_OBJECT]
    return f"""
        Slow objects leave most room: where four agents fill little of the drive, as on server 3, more of
        them nearly halve the session. What no scheduler gets below is the longest object: in the paper the
        sessions of servers 2, 4, 5 and 7 are as short as that. It is the lower bound of our servers
        {", ".join(longest) or "(none)"}.

        Weeks differ less in our workloads than in the paper, since our backups vary by a few per cent
        around one size. The paper's text speaks of 21 to 53 %; the least in its table is 19 %."""
