"""What the commands have in common that change a field of a policy in the cluster."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from flexlbf.cli.clusteraccess import Access

if TYPE_CHECKING:
    from flexlbf.cluster.person import PersonClient

Raw = dict[str, Any]


def change_policy(
    access: Access, name: str, wanted: Callable[[Raw], dict[str, Any]]
) -> tuple[dict[str, Any], Raw]:
    """Set fields of a policy's spec.

    Args:
        access: which cluster and namespace.
        name: of the policy.
        wanted: the fields to set, from the spec as it is; none change nothing. May raise BadInput.

    Returns:
        What was set, and the spec as it was.

    Raises:
        BadInput: there is no such policy, or the cluster refuses.
    """
    from flexlbf.cluster.resources import BACKUP_POLICIES  # noqa: PLC0415

    namespace = access.namespace

    async def change(client: "PersonClient") -> tuple[dict[str, Any], Raw]:
        policy = await client.get(BACKUP_POLICIES, name, namespace)
        fields = wanted(policy["spec"])
        if fields:
            await client.set_policy(name, namespace, **fields)
        return fields, policy["spec"]

    return access.run(change)
