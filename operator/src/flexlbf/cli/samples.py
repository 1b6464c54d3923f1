"""`flexlbf samples`: write the sample manifests, or workloads as CSV."""

from pathlib import Path

import click

from flexlbf.cli.errors import BadInput
from flexlbf.cli.files import write_file
from flexlbf.cli.numbers import WHOLE_SEED, Whole

MANY = 100_000


@click.command()
@click.option(
    "-o",
    "--output-dir",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Where the files go; it is created if need be.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Write each server's history as CSV, not manifests.")
@click.option(
    "--objects",
    type=Whole(1, MANY),
    metavar="N",
    help="Write one workload of N objects, drawn from all servers, as CSV.",
)
@click.option("--seed", type=WHOLE_SEED, metavar="S", help="For --csv and --objects: draw other workloads.")
def samples(output_dir: Path, objects: int | None, seed: int | None, *, as_csv: bool) -> None:
    """Write sample manifests, or sample workloads as CSV.

    The workloads are made up after the facts that the FlexLBF paper tells of eight backup servers: 70 to 130
    objects each, three weekly full backups, backups of a minute to 16 hours.

    \b
    Examples:
      flexlbf samples -o manifests && flexlbf plan -f manifests
      flexlbf samples --csv -o workloads
      flexlbf samples --objects 400 --seed 7 -o workloads
    """
    # Not at the top: completion and help need none of it.
    from flexlbf.samples.generator import DEFAULT_SEED  # noqa: PLC0415

    if not as_csv and objects is None and seed is not None:
        raise BadInput("--seed goes with --csv or --objects: the sample manifests are always the same")
    if as_csv and objects is not None:
        raise BadInput("--csv and --objects exclude each other: give one of them")
    chosen = DEFAULT_SEED if seed is None else seed
    if objects is not None:
        files = _workload(objects, chosen)
    else:
        files = _histories(chosen) if as_csv else _manifests()
    for name, text in files.items():
        write_file(output_dir / name, text)


def _manifests() -> dict[str, str]:
    from flexlbf.samples.manifests import manifests  # noqa: PLC0415

    return manifests()


def _histories(seed: int) -> dict[str, str]:
    from flexlbf.samples.csvtext import history_csv  # noqa: PLC0415
    from flexlbf.samples.generator import servers  # noqa: PLC0415

    return {f"{each.name}.csv": history_csv(each.objects) for each in servers(seed)}


def _workload(objects: int, seed: int) -> dict[str, str]:
    from flexlbf.samples.csvtext import estimates_csv  # noqa: PLC0415
    from flexlbf.samples.generator import workload  # noqa: PLC0415

    return {f"workload-{objects}-{seed}.csv": estimates_csv(workload(objects, seed))}
