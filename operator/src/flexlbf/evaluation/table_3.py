"""Table III: the fewest drives and agents that do not cost time, or at most 15 % of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from flexlbf.evaluation import paper
from flexlbf.evaluation.artefact import NOT_SAID, Artefact, Headline, Table, table
from flexlbf.evaluation.paper import SERVERS, Configuration
from flexlbf.evaluation.study import MAX_AGENTS, SITE_DRIVES, Contender, Study, drives
from flexlbf.tuning import Fastest, Setting, Tuner
from flexlbf.tuning.tuner import STANDARD_ALTERNATIVE

SAID_BEST = [row.best for row in paper.TABLE_3]
SAID_RELAXED = [row.relaxed for row in paper.TABLE_3]


@dataclass(frozen=True, slots=True)
class _Result:
    """What each server needs under one scheduler."""

    contender: Contender
    best: list[Configuration]
    relaxed: list[Configuration]


def table_3(study: Study) -> Artefact:
    """Table III, done again, and the same for every other scheduler."""
    results = [_tuned(study, each) for each in study.contenders]
    return Artefact(
        name="table3",
        title="Table III: how few drives and agents are enough",
        question=f"""
            The tuner is given {SITE_DRIVES} drives of 80 MB/s with at most {MAX_AGENTS} agents each. It
            takes drives away and then agents while the session stays as short as on all of them (best
            time), and once more while it gets at most 15 % longer. `2 x 4` is two drives with at most four
            agents each.""",
        headlines=tuple(line for each in results for line in _headlines(each)),
        tables=tuple(_table(each) for each in results),
        reading=_reading(results),
    )


def _tuned(study: Study, contender: Contender) -> _Result:
    best, relaxed = [], []
    for each in study.servers:
        tuner = Tuner(each.jobs(), drives(SITE_DRIVES), contender.make())
        best.append(_configuration(tuner.tune(Fastest())))
        relaxed.append(_configuration(tuner.tune(STANDARD_ALTERNATIVE)))
    return _Result(contender, best, relaxed)


def _configuration(setting: Setting) -> Configuration:
    return Configuration(len(setting.drives), setting.max_agents)


def _headlines(result: _Result) -> tuple[Headline, ...]:
    goals = (("the best time", SAID_BEST, result.best), ("15 % more", SAID_RELAXED, result.relaxed))
    return tuple(
        Headline(
            f"Drives of all servers for {goal}, {result.contender.name}",
            str(_drives(said)) if result.contender.from_paper else NOT_SAID,
            str(_drives(ours)),
        )
        for goal, said, ours in goals
    )


def _drives(configurations: Sequence[Configuration]) -> int:
    return sum(each.drives for each in configurations)


def _table(result: _Result) -> Table:
    columns: dict[str, Sequence[Configuration]] = {}
    for half, said, ours in (
        ("best time", SAID_BEST, result.best),
        ("within 15 %", SAID_RELAXED, result.relaxed),
    ):
        if result.contender.from_paper:
            columns[f"{half}, paper"] = said
        columns[f"{half}, ours"] = ours
    rows = [[f"server {n + 1}", *(column[n] for column in columns.values())] for n in range(SERVERS)]
    total = ["drives of all", *map(_drives, columns.values())]
    return table(f"Needed under {result.contender.name}, drives x agents", ["", *columns], [*rows, total])


def _reading(results: Sequence[_Result]) -> str:
    result = next(each for each in results if each.contender.from_paper)
    agents = "; ".join(
        f"{_agents(each.best)} and {_agents(each.relaxed)} under {each.contender.name}" for each in results
    )
    best = _agreeing(SAID_BEST, result.best)
    relaxed = _agreeing(SAID_RELAXED, result.relaxed)
    return f"""
        The number of drives is the paper's for {best} of {SERVERS} servers at the best time and for
        {relaxed} of {SERVERS} within 15 %. The paper's site had {SITE_DRIVES} drives for each server,
        {SITE_DRIVES * SERVERS} in all: most of them could serve somebody else.

        The number of agents depends on how fast the objects are that run first, so it is an answer for one
        workload and no rule. The agents of all drives of all servers, for the best time and within 15 %,
        are {agents}."""


def _agents(configurations: Sequence[Configuration]) -> int:
    return sum(each.drives * each.agents for each in configurations)


def _agreeing(said: list[Configuration], ours: list[Configuration]) -> int:
    return sum(paper_.drives == our.drives for paper_, our in zip(said, ours, strict=True))
