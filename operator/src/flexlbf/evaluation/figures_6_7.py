"""Figures 6 and 7: throughput and agents over time under LBF and FlexLBF."""

from collections.abc import Sequence

from flexlbf.evaluation import paper
from flexlbf.evaluation.artefact import NOT_SAID, Artefact, Headline, Table, table
from flexlbf.evaluation.overtime import OverTime
from flexlbf.evaluation.plot import Chart, Limit, Panel, from_zero
from flexlbf.evaluation.study import (
    DRIVE_MBPS,
    FIXED_AGENTS,
    MAX_AGENTS,
    Study,
    drives,
    under,
    under_lbf,
)

TARGET = Limit("the drive's 80 MB/s", DRIVE_MBPS)
RATE_HEIGHT, AGENTS_HEIGHT = 100, 11
"""Where the y axes end: a bit above the highest value there can be."""


def figure_6(study: Study) -> Artefact:
    """Figure 6, server 2, done again."""
    return _over_time(study, "figure6", 2)


def figure_7(study: Study) -> Artefact:
    """Figure 7, server 3, done again."""
    return _over_time(study, "figure7", 3)


def _over_time(study: Study, name: str, server: int) -> Artefact:
    jobs = study.servers[server - 1].jobs()
    lbf = OverTime("LBF", under_lbf(jobs, 1))
    contenders = [OverTime(each.name, under(each, jobs, drives(1))) for each in study.contenders]
    flexlbf = next(each for each in contenders if each.name == study.paper_contender.name)
    return Artefact(
        name=name,
        title=f"Figure {name[-1]}: what a drive does over time, server {server}",
        question=f"""
            What server {server} writes to its one drive from minute to minute: under LBF with
            {FIXED_AGENTS} agents, under FlexLBF with at most {MAX_AGENTS}, and how many agents FlexLBF
            runs meanwhile. The next session is planned from the history of three.""",
        headlines=(
            Headline(
                f"MB/s at the peak under LBF, server {server}",
                str(paper.PEAK_UNDER_LBF[server]),
                f"{lbf.peak_mbps:.0f}",
            ),
            Headline(
                f"Agents at the beginning under FlexLBF, server {server}",
                str(paper.FIRST_AGENTS[server]),
                str(flexlbf.first_agents),
            ),
        ),
        tables=(_table(server, [lbf, *contenders]),),
        reading=_reading(server, lbf, flexlbf),
        chart=_chart(server, lbf, flexlbf),
    )


def _table(server: int, sessions: Sequence[OverTime]) -> Table:
    names = [each.name for each in sessions]
    said = {
        "LBF": (paper.PEAK_UNDER_LBF[server], FIXED_AGENTS),
        "FlexLBF": (DRIVE_MBPS, paper.FIRST_AGENTS[server]),
    }
    rows: dict[str, list[object]] = {
        "session": [f"{each.minutes:,.0f} min" for each in sessions],
        "MB/s on average": [f"{each.mean_mbps:.0f}" for each in sessions],
        "MB/s at the peak, paper": [said.get(name, (NOT_SAID,))[0] for name in names],
        "MB/s at the peak, ours": [f"{each.peak_mbps:.0f}" for each in sessions],
        "time at 72 MB/s or more": [f"{100 * each.nearly_full:.0f} %" for each in sessions],
        "agents at the beginning, paper": [said.get(name, (NOT_SAID,))[-1] for name in names],
        "agents at the beginning, ours": [each.first_agents for each in sessions],
        "agents half of the time, at most": [each.usual_agents for each in sessions],
        "agents ever, at most": [each.most_agents for each in sessions],
    }
    return table(
        f"Server {server} on one drive", ["", *names], [[label, *row] for label, row in rows.items()]
    )


def _reading(server: int, lbf: OverTime, flexlbf: OverTime) -> str:
    return f"""
        Four agents leave the drive far below its rate: LBF writes {lbf.mean_mbps:.0f} MB/s on average and
        is done after {lbf.minutes:,.0f} minutes. FlexLBF takes {flexlbf.minutes:,.0f} minutes and keeps
        the drive at nine tenths of its rate or more for {100 * flexlbf.nearly_full:.0f} % of them. No
        fixed number of agents does the same: it starts with {flexlbf.first_agents} and runs up to
        {flexlbf.most_agents} later on (in the paper {paper.USUAL_AGENTS[server]}).

        At the end few objects are left, and what the drive could write counts no longer: only the longest
        of them does. Peaks under LBF tell little, for they depend on which four objects happen to meet."""


def _chart(server: int, lbf: OverTime, flexlbf: OverTime) -> Chart:
    return Chart(
        title=f"Server {server}: throughput and agents over time",
        description=(
            f"Under LBF the drive writes {lbf.mean_mbps:.0f} MB/s on average for {lbf.minutes:,.0f} minutes. "
            f"Under FlexLBF it writes {flexlbf.mean_mbps:.0f} MB/s on average for {flexlbf.minutes:,.0f} "
            f"minutes, with {flexlbf.first_agents} agents at the beginning and at most "
            f"{flexlbf.most_agents}."
        ),
        x=from_zero("minutes from the start of the session", max(lbf.minutes, flexlbf.minutes)),
        panels=(
            Panel(f"LBF with {FIXED_AGENTS} agents: MB/s", (lbf.rates,), RATE_HEIGHT, TARGET),
            Panel("FlexLBF: MB/s", (flexlbf.rates,), RATE_HEIGHT, TARGET),
            Panel("FlexLBF: agents", (flexlbf.agents,), AGENTS_HEIGHT),
        ),
    )
