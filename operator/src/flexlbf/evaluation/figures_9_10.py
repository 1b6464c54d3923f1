"""Figures 9 and 10: how much the limit on agents (maxDA) matters."""

from collections.abc import Mapping

from flexlbf.evaluation import paper
from flexlbf.evaluation.artefact import NOT_SAID, Artefact, Headline, Table, table
from flexlbf.evaluation.figures_6_7 import AGENTS_HEIGHT, RATE_HEIGHT, TARGET
from flexlbf.evaluation.overtime import OverTime
from flexlbf.evaluation.plot import Chart, Panel, from_zero
from flexlbf.evaluation.study import MAX_AGENTS, Contender, Study, drives, under
from flexlbf.scheduling import BoundBy, Job, lower_bound
from flexlbf.scheduling.units import MINUTE

LIMITS = (6, 8, 10)
FURTHER_LIMITS = (4, 5, 6, 7, 8, 9, 10, 12, 16)
"""For the table: where the limit begins to matter, and whether more than ten would help."""

ENOUGH = 1
"""Per cent longer that nobody minds."""

ByLimit = Mapping[int, OverTime]


def figure_9(study: Study) -> Artefact:
    """Figure 9, server 2, done again."""
    return _sensitivity(study, "figure9", 2)


def figure_10(study: Study) -> Artefact:
    """Figure 10, server 3, done again."""
    return _sensitivity(study, "figure10", 3)


def _sensitivity(study: Study, name: str, server: int) -> Artefact:
    jobs = study.servers[server - 1].jobs()
    by_contender = {each.name: _sessions(each, jobs) for each in study.contenders}
    flexlbf = by_contender[study.paper_contender.name]
    said = paper.SENSITIVITY[server]
    return Artefact(
        name=name,
        title=f"Figure {name.removeprefix('figure')}: how much the limit on agents matters, server {server}",
        question=f"""
            The same session on one drive under FlexLBF with at most {_listed(LIMITS)} agents. More agents
            fill the drive sooner, and each is one stream more interleaved on tape, which restores pay for.
            Where does one more stop paying?""",
        headlines=tuple(
            Headline(
                f"Longer with {limit} agents than with {MAX_AGENTS}, server {server}",
                f"{said[limit]} %",
                _longer(flexlbf, limit),
            )
            for limit in LIMITS
            if limit != MAX_AGENTS
        ),
        tables=(_table(server, by_contender),),
        reading=_reading(flexlbf, jobs, server),
        chart=_chart(server, {limit: flexlbf[limit] for limit in LIMITS}),
    )


def _sessions(contender: Contender, jobs: list[Job]) -> dict[int, OverTime]:
    return {
        limit: OverTime(f"at most {limit} agents", under(contender, jobs, drives(1, limit)))
        for limit in FURTHER_LIMITS
    }


def _longer(sessions: ByLimit, limit: int) -> str:
    more = round(100 * (sessions[limit].minutes / sessions[MAX_AGENTS].minutes - 1))
    return f"{more} %"


def _table(server: int, by_contender: Mapping[str, ByLimit]) -> Table:
    said = paper.SENSITIVITY[server]
    columns = ["agents, at most", "longer, paper"]
    for name in by_contender:
        columns += [f"{name}, longer", f"{name}, session"]
    rows = []
    for limit in FURTHER_LIMITS:
        row: list[object] = [limit, f"{said[limit]} %" if limit in said else NOT_SAID]
        for sessions in by_contender.values():
            row += [_longer(sessions, limit), f"{sessions[limit].minutes:,.0f} min"]
        rows.append(row)
    return table(f"Server {server} on one drive, held against at most {MAX_AGENTS} agents", columns, rows)


def _reading(flexlbf: ByLimit, jobs: list[Job], server: int) -> str:
    bound = lower_bound(jobs, drives(1))
    reason = {
        BoundBy.LONGEST_OBJECT: "its longest object takes that long",
        BoundBy.THROUGHPUT: "its bytes take that long at the drive's rate",
        BoundBy.AGENTS: "its objects take that long on ten agents",
    }[bound.bound_by]
    ten, most = flexlbf[MAX_AGENTS].minutes, flexlbf[FURTHER_LIMITS[-1]].minutes
    enough = next(limit for limit in FURTHER_LIMITS if flexlbf[limit].minutes <= (1 + ENOUGH / 100) * ten)
    return f"""
        No session of server {server} takes less than {bound.duration / MINUTE:,.0f} minutes: {reason}.
        With at most {MAX_AGENTS} agents it takes {ten:,.0f} minutes; {enough} agents are enough to be
        within {ENOUGH} % of that, and {FURTHER_LIMITS[-1]} would take {most:,.0f}. Servers 2 and 3 need
        different limits, so the tuner finds one for each workload."""


def _chart(server: int, sessions: ByLimit) -> Chart:
    ends = "; ".join(f"{each.minutes:,.0f} minutes with {each.name}" for each in sessions.values())
    return Chart(
        title=f"Server {server} under FlexLBF with at most {_listed(LIMITS)} agents",
        description=f"Throughput and active agents over time. The session takes {ends}.",
        x=from_zero("minutes from the start of the session", max(each.minutes for each in sessions.values())),
        panels=(
            *(
                Panel(f"MB/s with {each.name}", (each.rates,), RATE_HEIGHT, TARGET)
                for each in sessions.values()
            ),
            Panel("Agents", tuple(each.agents for each in sessions.values()), AGENTS_HEIGHT),
        ),
    )


def _listed(limits: tuple[int, ...]) -> str:
    return f"{', '.join(map(str, limits[:-1]))} or {limits[-1]}"
