"""Artefacts as Markdown with their drawings: one by one, or all as a document."""

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace

from flexlbf.evaluation.artefact import NOT_SAID, Artefact, Headline, Table, table
from flexlbf.evaluation.paper import PAPER
from flexlbf.evaluation.registry import ARTEFACTS
from flexlbf.evaluation.study import Study
from flexlbf.evaluation.svg import render

DOCUMENT = "evaluation.md"
OTHER_SEEDS = (1, 2)
LINE = 116

INTRODUCTION = f"""
    FlexLBF comes from a paper of HP Labs (Cherkasova et al., {PAPER}). Here its evaluation is done again
    with the scheduler, simulator and tuner of this repository, the paper's figures beside ours. `flexlbf
    reproduce all -o DIR` writes this document, with `--seed` for other workloads; `make verify` checks
    that it is what the code gives.

    **The workloads are made up.** The paper's backup histories are not public. Ours are drawn by a
    generator (`flexlbf samples --csv`) after what the paper tells of its eight servers: 70 to 130 objects
    each, backups of a minute to 16 hours at 0.1 to 35 MB/s, about a quarter of them above an hour, three
    weeks that differ by a few per cent. Each server's longest object, its hours in all and its mean rate
    were chosen so that tables I to III come out roughly alike. That those agree shows that the paper fits
    together and that our code does what it describes; it is no second measurement. Figures 6 to 10 took no
    part in the choice. What is true of your backups, `flexlbf tune` tells from your own history.

    **Schedulers beyond the paper** run on the same workloads; the paper has no figures for them.
    `FlexLBFBackfill` searches the list for an object that fits, which the paper leaves as future work; a
    fast object may then wait until it starts too late. `Optimized` searches for an order with a drive
    for each object that ends earlier, and for a rule for nights that go another way, here with a fifth of
    its usual budget.

    **Nothing was written to tape.** As in the paper every session is simulated: an object takes as long as
    its last backup did, at the mean of its last three throughputs. Where streams together ask more than a
    drive takes, as LBF and random orders let them, they share it in proportion."""

SUMMARY = """
    Every other seed draws other workloads of the same character. A figure that jumps from one to the next
    is a property of the workload, not of the scheduler."""


def files(names: Sequence[str], study: Study) -> dict[str, str]:
    """Each artefact asked for as `NAME.md`, with its drawing beside it, by file name."""
    found = {}
    for artefact in (ARTEFACTS[name](study) for name in names):
        found[f"{artefact.name}.md"] = _text(_section(artefact, 1, ""))
        found |= _drawings([artefact])
    return found


def document(study: Study, *, drawings: str = "", others: Sequence[int] = OTHER_SEEDS) -> dict[str, str]:
    """All artefacts as one document, by path.

    Args:
        study: the workloads and schedulers.
        drawings: the folder of the drawings, seen from the document; empty for its own.
        others: other seeds, whose headlines stand beside the study's.
    """
    artefacts = [make(study) for make in ARTEFACTS.values()]
    folder = f"{drawings}/" if drawings else ""
    lines = ["# The paper's evaluation, done again", "", *_paragraphs(INTRODUCTION)]
    lines += ["## In short", "", *_table(_summary(study, artefacts, others)), *_paragraphs(SUMMARY)]
    for each in artefacts:
        lines += _section(each, 2, folder)
    return {DOCUMENT: _text(lines)} | {folder + name: text for name, text in _drawings(artefacts).items()}


def _drawings(artefacts: Iterable[Artefact]) -> dict[str, str]:
    return {f"{each.name}.svg": render(each.chart) for each in artefacts if each.chart}


def _summary(study: Study, artefacts: Iterable[Artefact], seeds: Sequence[int]) -> Table:
    """Every headline, and those of the paper's scheduler with other seeds, too."""
    headlines = _headlines(artefacts)
    others = {
        seed: replace(study, seed=seed, contenders=(study.paper_contender,))
        for seed in seeds
        if seed != study.seed
    }
    elsewhere = [
        {line.claim: line.ours for line in _headlines(make(other) for make in ARTEFACTS.values())}
        for other in others.values()
    ]
    rows = [
        (each.claim, each.paper, each.ours, *(ours.get(each.claim, NOT_SAID) for ours in elsewhere))
        for each in headlines
    ]
    columns = ["", "paper", f"ours, seed {study.seed}", *(f"seed {seed}" for seed in others)]
    return table("In short", columns, rows)


def _headlines(artefacts: Iterable[Artefact]) -> list[Headline]:
    return [line for each in artefacts for line in each.headlines]


def _section(artefact: Artefact, level: int, folder: str) -> list[str]:
    lines = [f"{'#' * level} {artefact.title}", "", *_paragraphs(artefact.question)]
    if artefact.chart:
        lines += [f"![{artefact.chart.description}]({folder}{artefact.name}.svg)", ""]
    for each in artefact.tables:
        lines += _captioned(each)
    return lines + _paragraphs(artefact.reading)


def _paragraphs(text: str) -> list[str]:
    """Each wrapped, with an empty line behind it."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        words = " ".join(paragraph.split())
        lines += [*textwrap.wrap(words, LINE, break_long_words=False, break_on_hyphens=False), ""]
    return lines


def _captioned(each: Table) -> list[str]:
    if not each.folded:
        return [f"**{each.caption}**", "", *_table(each)]
    return ["<details>", f"<summary>{each.caption}</summary>", "", *_table(each), "</details>", ""]


def _table(each: Table) -> list[str]:
    """A table with an empty line behind it."""
    rule = ["---", *("---:" for _ in each.columns[1:])]
    return [_row(each.columns), _row(rule), *map(_row, each.rows), ""]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(lines: Sequence[str]) -> str:
    return "\n".join(lines).rstrip("\n") + "\n"
