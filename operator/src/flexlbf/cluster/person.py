"""A person's requests: with the rights that the kubeconfig gives, and without leading the operators."""

from typing import Any, Self

from kubernetes.aio import config
from kubernetes.aio.client import Configuration
from kubernetes.aio.config.config_exception import ConfigException

from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.resources import BACKUP_POLICIES, Resource

FIELD_MANAGER = "kubectl-flexlbf"
MERGE = "application/merge-patch+json"
PAGE = 500


class NoClusterError(Exception):
    """The kubeconfig does not lead to a cluster; the message says why."""


class PersonClient(KubeClient):
    """A client that reads, and that changes the few fields of a policy that a person sets from a shell."""

    @classmethod
    async def through(cls, kubeconfig: str | None, context: str | None) -> Self:
        """Connect as a kubeconfig says: the file given, or $KUBECONFIG, or the usual one.

        Raises:
            NoClusterError: there is no such file or context, or something in it is wrong.
        """
        configuration = Configuration()
        try:
            await config.load_kube_config(
                config_file=kubeconfig,
                context=context,
                client_configuration=configuration,
                persist_config=False,
            )
        except (ConfigException, OSError) as error:
            raise NoClusterError(str(error)) from error
        return cls(configuration)

    async def all_of(self, resource: Resource, namespace: str | None = None) -> list[dict[str, Any]]:
        """All objects of a kind, of one namespace or of all; raises ApiError."""
        found: list[dict[str, Any]] = []
        query: dict[str, str | int] = {"limit": min(PAGE, resource.page)}
        while True:
            page = await self._request("GET", resource.path(namespace), query=query)
            # The items of a list do not say what they are.
            kind = str(page["kind"]).removesuffix("List")
            found += [{"apiVersion": page["apiVersion"], "kind": kind, **each} for each in page["items"]]
            token = page["metadata"].get("continue")
            if not token:
                return found
            query["continue"] = token

    async def set_policy(self, name: str, namespace: str, **spec: Any) -> dict[str, Any]:
        """Set fields of a policy's spec and leave the others alone; raises ApiError."""
        path = BACKUP_POLICIES.path(namespace, name)
        query = {"fieldManager": FIELD_MANAGER, "fieldValidation": "Strict"}
        return await self._request(
            "PATCH", path, query=query, body={"spec": spec}, content_type=MERGE, gated=False
        )


def context_namespace(kubeconfig: str | None, context: str | None) -> str | None:
    """The namespace that a context names, None if it names none; raises NoClusterError."""
    try:
        contexts, current = config.list_kube_config_contexts(config_file=kubeconfig)
    except (ConfigException, OSError) as error:
        raise NoClusterError(str(error)) from error
    chosen = next((each for each in contexts if each["name"] == context), None) if context else current
    if chosen is None:
        raise NoClusterError(f"there is no context {context!r} in the kubeconfig")
    namespace = chosen["context"].get("namespace")
    return str(namespace) if namespace else None
