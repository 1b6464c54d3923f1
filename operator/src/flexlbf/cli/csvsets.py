"""The sets that a what-if adds as a workload's CSV."""

from collections.abc import Iterable
from pathlib import Path

from flexlbf.cli.errors import BadInput
from flexlbf.cli.workloadfile import read_jobs
from flexlbf.history import DEFAULT_WINDOW
from flexlbf.scheduling import Job


def csv_sets(given: Iterable[str], per_host: int | None = None) -> dict[str, list[Job]]:
    """The sets that are CSV files, called as the files are; `per_host` limits the streams of their hosts."""
    return {Path(each).stem: read_jobs(each, DEFAULT_WINDOW, per_host) for each in given if is_csv(each)}


def only_csv_sets(given: Iterable[str], per_host: int | None) -> dict[str, list[Job]]:
    """All sets, where there are no manifests that could have others."""
    given = list(given)
    for each in given:
        if not is_csv(each):
            raise BadInput(f"--add-set {each}: name a .csv file, as JOBS.csv is one; sets go with -f")
    return csv_sets(given, per_host)


def is_csv(given: str) -> bool:
    """Whether a file is a workload's CSV."""
    return Path(given).suffix == ".csv"
