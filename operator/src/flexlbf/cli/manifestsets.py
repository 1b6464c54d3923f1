"""The sets that a what-if adds from manifests: those of a file, or one by its name."""

from collections.abc import Iterable
from pathlib import Path

from flexlbf.cli.csvsets import is_csv
from flexlbf.cli.errors import BadInput
from flexlbf.cli.resourcefiles import SUFFIXES, ResourceFileError, load
from flexlbf.planning.offline import Fleet
from flexlbf.planning.snapshot import RawObject


def manifest_sets(given: Iterable[str], fleet: Fleet, namespace: str) -> list[RawObject]:
    """The BackupSets of manifests, and those named that are in the fleet.

    The fleet takes the manifests' ConfigMaps in, since the sets' history may be there.
    """
    found: list[RawObject] = []
    for each in given:
        if Path(each).suffix in SUFFIXES:
            found += _from_file(each, fleet, namespace)
        elif not is_csv(each):
            found.append(_by_name(each, fleet))
    return found


def _from_file(path: str, fleet: Fleet, namespace: str) -> list[RawObject]:
    try:
        there = load([path], namespace).resources
    except ResourceFileError as error:
        raise BadInput(str(error)) from error
    for place, raw in there.items():
        if place[0] == "ConfigMap":
            fleet.resources.setdefault(place, raw)
    sets = [raw for place, raw in there.items() if place[0] == "BackupSet"]
    if not sets:
        raise BadInput(f"{path}: there is no BackupSet in it: add one")
    return sets


def _by_name(name: str, fleet: Fleet) -> RawObject:
    for place, raw in sorted(fleet.resources.items(), key=lambda item: item[0]):
        if (place[0], place[2]) == ("BackupSet", name):
            return raw
    raise BadInput(
        f"--add-set {name}: there is no such BackupSet in the files: name one, or a .yaml or .csv file"
    )
