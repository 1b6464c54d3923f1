"""Artefacts as Markdown with their drawings: one by one, or all as a document."""

import textwrap
from collections.abc import Iterable, Sequence

from flexlbf.evaluation.artefact import Artefact, Headline, Table, table
from flexlbf.evaluation.paper import PAPER
from flexlbf.evaluation.registry import ARTEFACTS
from flexlbf.evaluation.study import Study
from flexlbf.evaluation.svg import render
from flexlbf.samples import DEFAULT_SEED

DOCUMENT = "evaluation.md"
LINE = 116

INTRODUCTION = (
    f"FlexLBF comes from a paper of HP Labs (Cherkasova et al., {PAPER}). Here its evaluation is done again "
    "with the scheduler, simulator and tuner of this repository, each figure with the paper's beside it. "
    "`flexlbf reproduce all -o DIR` writes this document anew, `--seed` for other workloads; `make verify` "
    "checks that it is what the code gives.",
    "**The workloads are made up.** The backup histories of the paper are not public. Ours are drawn by a "
    "generator (`flexlbf samples --csv`) after what the paper tells of its eight servers: 70 to 130 objects "
    "each, backups of a minute to 16 hours at 0.1 to 35 MB/s, about a quarter of them above an hour, three "
    "weeks that differ by a few per cent. Each server's longest object, hours in all and mean rate were chosen "
    "so that tables I to III come out roughly alike. So that those tables agree says that the paper is "
    "consistent and our implementation does what it describes; it is no second measurement. Figures 6 to 10 "
    "were not looked at for it. To learn what is true for you, give `flexlbf tune` your own history.",
    "**Nothing is measured on tapes.** As in the paper, every duration is simulated: an object takes as long as "
    "its last backup did, at the mean of its last three throughputs. Where streams ask more than a drive takes, "
    "which LBF and random orders let them, they share it in proportion.",
)


def files(names: Sequence[str], study: Study) -> dict[str, str]:
    """Each artefact asked for as `NAME.md`, with its drawing beside it, by file name."""
    found = {}
    for name in names:
        artefact = ARTEFACTS[name](study)
        found[f"{name}.md"] = "\n".join(_section(artefact, 1, ""))
        found |= _drawings([artefact])
    return found


def document(study: Study, drawings: str = "") -> dict[str, str]:
    """All artefacts as one document, by path.

    Args:
        study: the workloads and schedulers.
        drawings: the folder of the drawings, seen from the document; empty for its own.
    """
    artefacts = [make(study) for make in ARTEFACTS.values()]
    folder = f"{drawings}/" if drawings else ""
    lines = ["# The paper's evaluation, done again", "", *_paragraphs(INTRODUCTION)]
    if study.seed != DEFAULT_SEED:
        lines += [f"Drawn with seed {study.seed}.", ""]
    lines += ["## In short", "", *_table(_summary(artefacts), captioned=False)]
    for each in artefacts:
        lines += _section(each, 2, folder)
    found = {DOCUMENT: "\n".join(lines)}
    return found | {folder + name: text for name, text in _drawings(artefacts).items()}


def _drawings(artefacts: Iterable[Artefact]) -> dict[str, str]:
    return {f"{each.name}.svg": render(each.chart) for each in artefacts if each.chart}


def _summary(artefacts: Iterable[Artefact]) -> Table:
    headlines: list[Headline] = [line for each in artefacts for line in each.headlines]
    return table(
        "In short", ["", "paper", "ours"], [(each.claim, each.paper, each.ours) for each in headlines]
    )


def _section(artefact: Artefact, level: int, folder: str) -> list[str]:
    lines = [f"{'#' * level} {artefact.title}", "", *_paragraphs(artefact.question)]
    if artefact.chart:
        lines += [f"![{artefact.chart.description}]({folder}{artefact.name}.svg)", ""]
    for each in artefact.tables:
        lines += _table(each)
    return lines + _paragraphs(artefact.reading)


def _paragraphs(texts: Iterable[str]) -> list[str]:
    """Each wrapped, with an empty line behind it."""
    lines: list[str] = []
    for text in texts:
        lines += [*textwrap.wrap(text, LINE, break_long_words=False, break_on_hyphens=False), ""]
    return lines


def _table(each: Table, *, captioned: bool = True) -> list[str]:
    """A table with an empty line behind it."""
    rule = ["---", *("---:" for _ in each.columns[1:])]
    rows = [_row(each.columns), _row(rule), *map(_row, each.rows), ""]
    return [f"**{each.caption}**", "", *rows] if captioned else rows


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
