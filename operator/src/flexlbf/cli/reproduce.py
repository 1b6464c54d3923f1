"""`flexlbf reproduce`: the paper's evaluation on sample workloads."""

from pathlib import Path

import click

from flexlbf.cli.files import write_file
from flexlbf.cli.numbers import WHOLE_SEED
from flexlbf.evaluation import ARTEFACTS, Study, document, files
from flexlbf.samples import DEFAULT_SEED

ALL = "all"


@click.command()
@click.argument("what", metavar="WHAT", type=click.Choice([*ARTEFACTS, ALL]))
@click.option(
    "-o",
    "--output-dir",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Where the files go; it is created if need be.",
)
@click.option(
    "--seed",
    type=WHOLE_SEED,
    default=DEFAULT_SEED,
    show_default=True,
    metavar="S",
    help="Draw other workloads.",
)
def reproduce(what: str, output_dir: Path, seed: int) -> None:
    """Repeat a table or figure of the FlexLBF paper, with the paper's figures beside ours.

    WHAT is one of table1 to table3, figure6 to figure10, or all. Each is written as Markdown with its drawing
    as SVG; all writes one document, evaluation.md, with every drawing beside it.

    The workloads are made up after the facts that the paper tells of its servers, whose histories are not
    public.

    \b
    Examples:
      flexlbf reproduce all -o evaluation
      flexlbf reproduce figure8 --seed 7 -o evaluation
    """
    study = Study(seed)
    written = document(study) if what == ALL else files([what], study)
    for name, text in written.items():
        write_file(output_dir / name, text)
