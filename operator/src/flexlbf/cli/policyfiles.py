"""The policies of manifests that a command is about: all of them, or those that are named."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from flexlbf.cli.clusteraccess import Access, cluster_options
from flexlbf.cli.errors import BadInput
from flexlbf.cli.resourcefiles import ResourceFileError, load
from flexlbf.planning.offline import Fleet
from flexlbf.planning.snapshot import RawObject
from flexlbf.planning.wording import listed


def policy_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `policies`, `filenames` and `access`, which `chosen_policies` takes."""
    function = cluster_options(function)
    function = click.option(
        "-f",
        "--filename",
        "filenames",
        multiple=True,
        metavar="FILE_OR_DIR",
        help="Manifests: a file, a folder of .yaml, .yml and .json files, or - for standard input; "
        "repeatable. Without: what is in the cluster.",
    )(function)
    return click.argument("policies", metavar="[POLICY]...", nargs=-1)(function)


def chosen_policies(
    filenames: Sequence[str], names: Sequence[str], access: Access
) -> tuple[Fleet, list[RawObject]]:
    """The resources of files, or of the cluster without any, and the policies of them that are asked for.

    In a cluster those of the namespace are meant, but where a name has another one.
    """
    if filenames:
        fleet = resources_of(filenames, access.given or "default")
        if not fleet.policies():
            raise BadInput(f"there is no BackupPolicy in {', '.join(filenames)}: add one")
        return fleet, named_policies(fleet, names, access.given or "default")
    namespace = access.namespace
    fleet = access.fleet({namespace, *(name.partition("/")[0] for name in names if "/" in name)})
    found = named_policies(fleet, names, namespace) if fleet.policies() else []
    if not found:
        raise BadInput(f"there is no BackupPolicy in namespace {namespace}: name another with -n, or give -f")
    return fleet, found


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
