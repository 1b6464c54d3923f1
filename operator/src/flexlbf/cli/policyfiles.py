"""The policies of manifests that a command is about: all of them, or those that are named."""

from collections.abc import Sequence

from flexlbf.cli.errors import BadInput
from flexlbf.cli.output import listed
from flexlbf.cli.resourcefiles import ResourceFileError, load
from flexlbf.planning.offline import Fleet
from flexlbf.planning.snapshot import RawObject


def policies_of(filenames: Sequence[str], namespace: str) -> Fleet:
    """The resources of files, with a policy at least."""
    fleet = resources_of(filenames, namespace)
    if not fleet.policies():
        raise BadInput(f"there is no BackupPolicy in {', '.join(filenames)}: add one")
    return fleet


def resources_of(filenames: Sequence[str], namespace: str) -> Fleet:
    """The resources of files, whatever they are."""
    try:
        return load(filenames, namespace)
    except ResourceFileError as error:
        raise BadInput(str(error)) from error


def named_policies(fleet: Fleet, names: Sequence[str], namespace: str) -> list[RawObject]:
    """The policies of these names, `name` or `namespace/name`, as they are given; without any, all."""
    if not names:
        return fleet.policies()
    found = []
    for name in names:
        given, slash, rest = name.partition("/")
        place = (given, rest) if slash else (namespace, name)
        policy = fleet.resources.get(("BackupPolicy", *place))
        if policy is None:
            there = listed(
                [f"{each['metadata']['namespace']}/{each['metadata']['name']}" for each in fleet.policies()]
            )
            raise BadInput(f"there is no BackupPolicy {'/'.join(place)}: name one of {there}")
        found.append(policy)
    return found
