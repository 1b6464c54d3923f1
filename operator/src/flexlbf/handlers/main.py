"""Runs the operator: kopf watches our kinds and keeps the process, the controller does the work."""

import logging
from contextlib import AsyncExitStack
from typing import Any

import kopf

from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.lease import own_namespace
from flexlbf.cluster.resources import OWN_KINDS, Resource
from flexlbf.handlers.controller import Controller, utc_now
from flexlbf.handlers.listener import Address, Listener
from flexlbf.handlers.metrics.server import PATH as METRICS
from flexlbf.handlers.metrics.server import metrics_application
from flexlbf.handlers.pages import PATH as PAGES
from flexlbf.handlers.pages import pages_application
from flexlbf.handlers.pages.drawings import Drawings
from flexlbf.handlers.pages.source import PageSource
from flexlbf.handlers.tracing import tracing

logger = logging.getLogger(__name__)

WATCH_SECONDS = 300
TRY_AGAIN_SECONDS = (0.5, 1.0, *[2.0] * 150)
"""How long kopf waits before it asks an API server again that did not answer: so our kinds are seen within
seconds after an outage. By default it waits longer each time, and is half a minute behind. After five minutes
it lists anew, or ends the process if it was refused all that time."""

LOGIN_AGAIN_SECONDS = 2.0
"""How long kopf waits before it looks again for credentials that could not be read, as when a kubeconfig is
just being written; by default a minute, in which it sees nothing."""

CONNECT_SECONDS = 5.0
"""So long it waits for a connection: a machine that is gone does not even refuse one."""
# kopf would look for the user's name, and a user that is only a number, as in our image, has none.
IDENTITY: Any = "flexlbf-operator"


async def run(
    liveness: str | None = None,
    lease_namespace: str | None = None,
    *,
    metrics: Address | None = None,
    pages: Address | None = None,
) -> None:
    """Run the operator until SIGTERM or SIGINT.

    Args:
        lease_namespace: where the operators of a cluster agree on who writes; by default the pod's own.
        liveness: where to answer probes, as `http://0.0.0.0:8080/healthz`; nowhere by default.
        metrics: where to answer Prometheus; nowhere by default.
        pages: where to serve the pages; nowhere by default.

    Raises:
        CannotListenError: when it can't listen where it is told to.
    """
    async with AsyncExitStack() as stack:
        if stack.enter_context(tracing()):
            logger.info("Traces are sent to the collector that the environment names")
        client = await stack.enter_async_context(await KubeClient.connect())
        controller = Controller(client, lease_namespace or own_namespace())
        if metrics is not None:
            application = metrics_application(controller.metrics())
            listener = await stack.enter_async_context(Listener(application, metrics))
            logger.info("Metrics are at http://%s%s", listener.address, METRICS)
        if pages is not None:
            source = PageSource(controller.state, controller.runs, controller.gatherer)
            application = pages_application(source, Drawings(utc_now), utc_now, lambda: controller.has_read)
            listener = await stack.enter_async_context(Listener(application, pages))
            logger.info("Pages are at http://%s%s", listener.address, PAGES)
        registry = kopf.OperatorRegistry()
        _handle_lifecycle(registry, controller)
        for resource in OWN_KINDS:
            _handle_events(registry, controller, resource)
        await kopf.operator(
            registry=registry,
            settings=_settings(),
            clusterwide=True,
            standalone=True,
            identity=IDENTITY,
            liveness_endpoint=liveness,
        )


def _settings() -> kopf.OperatorSettings:
    settings = kopf.OperatorSettings()
    settings.posting.enabled = False  # our own events, once a verdict, instead of one a log line
    settings.networking.error_backoffs = TRY_AGAIN_SECONDS
    settings.networking.connect_timeout = CONNECT_SECONDS
    settings.watching.server_timeout = WATCH_SECONDS
    settings.watching.client_timeout = WATCH_SECONDS + 30
    return settings


def _handle_lifecycle(registry: kopf.OperatorRegistry, controller: Controller) -> None:
    @kopf.on.login(registry=registry, backoff=LOGIN_AGAIN_SECONDS)
    def login(**kwargs: Any) -> kopf.ConnectionInfo | None:
        return kopf.login_with_service_account(**kwargs) or kopf.login_with_kubeconfig(**kwargs)

    @kopf.on.startup(registry=registry)
    async def start(**_: Any) -> None:
        await controller.start()

    @kopf.on.cleanup(registry=registry)
    async def stop(**_: Any) -> None:
        await controller.stop()

    @kopf.on.probe(registry=registry, id="alive")
    def alive(**_: Any) -> bool:
        if not controller.alive:
            # kopf answers any other error by trying the probe again, and only this one with a failure.
            raise kopf.PermanentError("a part of the operator has stopped")
        return True


def _handle_events(registry: kopf.OperatorRegistry, controller: Controller, resource: Resource) -> None:
    @kopf.on.event(
        resource.group, resource.version, resource.plural, registry=registry, id=f"observe-{resource.plural}"
    )
    async def observe(event: Any, **_: Any) -> None:
        controller.observer.changed(resource, event["object"], deleted=event["type"] == "DELETED")


def configure_logging(*, verbose: bool) -> None:
    """Log to standard error, a line an event; kopf's own chatter only when asked for."""
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO,
        format="%(asctime)s %(levelname)-7s %(name)s %(message)s",
    )
    for name in ("kopf", "asyncio", "aiohttp"):
        logging.getLogger(name).setLevel(logging.DEBUG if verbose else logging.WARNING)
    # It would tell of every batch of traces that a collector does not take.
    logging.getLogger("opentelemetry").setLevel(logging.DEBUG if verbose else logging.CRITICAL)
