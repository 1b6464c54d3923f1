"""`flexlbf operator`: run the operator against a cluster."""

import asyncio
from typing import TYPE_CHECKING

import click

from flexlbf.cli.errors import BadInput

if TYPE_CHECKING:
    from flexlbf.handlers.listener import Address


@click.command()
@click.option(
    "--liveness",
    metavar="URL",
    envvar="FLEXLBF_LIVENESS",
    help="Answer liveness probes there, as in http://0.0.0.0:8080/healthz; nowhere if left out.",
)
@click.option(
    "--lease-namespace",
    metavar="NAMESPACE",
    envvar="POD_NAMESPACE",
    help="Where operators of one cluster agree on which of them writes; the pod's own, outside `default`.",
)
@click.option(
    "--metrics",
    metavar="HOST:PORT",
    envvar="FLEXLBF_METRICS",
    help="Answer Prometheus there at /metrics, as in 0.0.0.0:8081; nowhere if left out.",
)
@click.option(
    "--pages",
    metavar="HOST:PORT",
    envvar="FLEXLBF_PAGES",
    help="Serve the policies' pages there, as in 127.0.0.1:8082, to whoever asks; nowhere if left out.",
)
@click.option("--verbose", is_flag=True, help="Log what the framework does, too.")
def operator(
    liveness: str | None,
    lease_namespace: str | None,
    metrics: str | None,
    pages: str | None,
    *,
    verbose: bool,
) -> None:
    """Run the operator until it is told to stop.

    It uses the pod's service account in a cluster, and the kubeconfig outside of one. Of several operators of
    one cluster one writes, and the others wait to take over.

    \b
    Example:
      KUBECONFIG=~/.kube/config flexlbf operator
    """
    # Not at the top: the other commands need no cluster, and start faster without it.
    from flexlbf.handlers.listener import CannotListenError  # noqa: PLC0415
    from flexlbf.handlers.main import configure_logging, run  # noqa: PLC0415

    served = {"metrics": _address(metrics, "--metrics"), "pages": _address(pages, "--pages")}
    configure_logging(verbose=verbose)
    try:
        asyncio.run(run(liveness, lease_namespace, **served))
    except CannotListenError as error:
        raise BadInput(f"{error}: name another address, as in 0.0.0.0:8082") from error


def _address(text: str | None, option: str) -> "Address | None":
    from flexlbf.handlers.listener import Address  # noqa: PLC0415

    try:
        return Address.parse(text) if text else None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from error
