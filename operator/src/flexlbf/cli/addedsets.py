"""The sets that a what-if adds: a workload's CSV, manifests, or a set by its name."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from flexlbf.cli.errors import BadInput
from flexlbf.cli.workloadfile import read_jobs
from flexlbf.history import DEFAULT_WINDOW
from flexlbf.scheduling import Job

MANIFESTS = frozenset({".yaml", ".yml", ".json"})


def csv_sets(given: Iterable[str]) -> dict[str, list[Job]]:
    """The sets that are CSV files, called as the files are."""
    return {Path(each).stem: read_jobs(each, DEFAULT_WINDOW) for each in given if _is_csv(each)}


def only_csv_sets(given: Iterable[str]) -> dict[str, list[Job]]:
    """All sets, where there are no manifests that could have others."""
    given = list(given)
    for each in given:
        if not _is_csv(each):
            raise BadInput(f"--add-set {each}: name a .csv file, as JOBS.csv is one; sets go with -f")
    return csv_sets(given)


def manifest_sets(given: Iterable[str], resources: Mapping[tuple[str, str, str], Any]) -> list[Any]:
    """The BackupSets of manifests, and those named that are among the resources."""
    found: list[Any] = []
    for each in given:
        if Path(each).suffix in MANIFESTS:
            found += _from_file(each)
        elif not _is_csv(each):
            found.append(_by_name(each, resources))
    return found


def _is_csv(given: str) -> bool:
    return Path(given).suffix == ".csv"


def _from_file(path: str) -> list[Any]:
    from flexlbf.cli.resourcefiles import ResourceFileError, load  # noqa: PLC0415 - a CSV needs no YAML

    try:
        there = load([path], "default").resources
    except ResourceFileError as error:
        raise BadInput(str(error)) from error
    sets = [raw for place, raw in there.items() if place[0] == "BackupSet"]
    if not sets:
        raise BadInput(f"{path}: there is no BackupSet in it: add one")
    return sets


def _by_name(name: str, resources: Mapping[tuple[str, str, str], Any]) -> Any:
    for place, raw in sorted(resources.items(), key=lambda item: item[0]):
        if (place[0], place[2]) == ("BackupSet", name):
            return raw
    raise BadInput(
        f"--add-set {name}: there is no such BackupSet in the files: name one, or a .yaml or .csv file"
    )
