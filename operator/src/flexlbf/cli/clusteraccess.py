"""The cluster that a command speaks to: kubectl's options for it, and what goes wrong on the way."""

import asyncio
import functools
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from flexlbf.cli.errors import BadInput
from flexlbf.planning.offline import Fleet

if TYPE_CHECKING:
    from flexlbf.cluster.person import PersonClient

T = TypeVar("T")

_Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Access:
    """Which cluster, and which of its namespaces.

    Attributes:
        kubeconfig: the file; None for $KUBECONFIG or the usual one.
        context: of the file; None for the current one.
        given: the namespace that was asked for, None if none was.
    """

    kubeconfig: str | None
    context: str | None
    given: str | None

    @property
    def namespace(self) -> str:
        """The namespace asked for, else that of the context."""
        return self.given or self._of_context() or "default"

    def run(self, action: Callable[["PersonClient"], Awaitable[T]]) -> T:
        """Do something with a client.

        Raises:
            BadInput: there is no cluster, or it refuses.
        """
        # Here, since the client takes longer to import than files take to be planned.
        from flexlbf.cluster.client import ApiError  # noqa: PLC0415
        from flexlbf.cluster.person import NoClusterError, PersonClient  # noqa: PLC0415

        async def connected() -> T:
            async with await PersonClient.through(self.kubeconfig, self.context) as client:
                return await action(client)

        try:
            return asyncio.run(connected())
        except NoClusterError as error:
            raise BadInput(f"{error}: name another file with --kubeconfig, or another --context") from error
        except ApiError as error:
            raise BadInput(f"the cluster refused: {error}") from error

    def fleet(self, namespaces: Collection[str] = ()) -> Fleet:
        """What is in the cluster, of these namespaces or of all; raises BadInput."""
        from flexlbf.cluster.fleet import read_fleet  # noqa: PLC0415

        return self.run(lambda client: read_fleet(client, namespaces))

    def _of_context(self) -> str | None:
        from flexlbf.cluster.person import NoClusterError, context_namespace  # noqa: PLC0415

        try:
            return context_namespace(self.kubeconfig, self.context)
        except NoClusterError as error:
            raise BadInput(f"{error}: name another file with --kubeconfig, or another --context") from error


def cluster_options(function: _Function) -> _Function:
    """Give a command --namespace, --context and --kubeconfig; it gets an `access` in their place."""

    @click.option("-n", "--namespace", metavar="NAME", help="The namespace; without, the context's.")
    @click.option("--context", metavar="NAME", help="Of the kubeconfig; without, the current one.")
    @click.option("--kubeconfig", metavar="FILE", help="Without, $KUBECONFIG or ~/.kube/config.")
    @functools.wraps(function)
    def command(
        *arguments: Any, namespace: str | None, context: str | None, kubeconfig: str | None, **given: Any
    ) -> Any:
        return function(*arguments, access=Access(kubeconfig, context, namespace), **given)

    return command
