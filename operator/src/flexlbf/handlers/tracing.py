"""OpenTelemetry traces of plans and sessions: optional, off by default, and never waited for.

They are on when OTEL_EXPORTER_OTLP_ENDPOINT says where a collector is. Spans are handed to a thread that
sends them in batches; if the collector does not answer they are dropped.
"""

import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

logger = logging.getLogger(__name__)

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
SERVICE = "flexlbf-operator"
EXPORT_SECONDS = 5.0
"""A batch has so long to be taken."""

STOP_SECONDS = 2.0
"""What has not been sent so long after the operator was told to stop is dropped."""

# What runs within `tracing` finds it here, tasks included; two operators of one process have their own.
_tracer: ContextVar["Tracer | None"] = ContextVar("tracer", default=None)


@contextmanager
def span(name: str, **attributes: str | int) -> Iterator[None]:
    """Trace what is done within; an exception marks the span as failed. Nothing without a collector."""
    tracer = _tracer.get()
    if tracer is None:
        yield
        return
    named = {f"flexlbf.{key}": value for key, value in attributes.items()}
    with tracer.start_as_current_span(name, attributes=named):
        yield


@contextmanager
def tracing() -> Iterator[bool]:
    """Trace what is done within, if the environment names a collector; gives whether it does."""
    made = _provider() if any(os.environ.get(name) for name in ENDPOINTS) else None
    if made is None:
        yield False
        return
    provider, exporter = made
    token = _tracer.set(provider.get_tracer("flexlbf", version(SERVICE)))
    try:
        yield True
    finally:
        _tracer.reset(token)
        _stop(provider, exporter)


def _provider() -> "tuple[TracerProvider, SpanExporter] | None":
    try:
        # Here, since they are an extra that most do without.
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError as error:
        logger.warning(
            "%s is set, but no traces are sent: install flexlbf-operator[tracing] (%s)", ENDPOINTS[1], error
        )
        return None
    facts = {
        "service.name": SERVICE,
        "service.version": version(SERVICE),
        "service.instance.id": socket.gethostname(),
    }
    provider = TracerProvider(resource=Resource.create(facts), shutdown_on_exit=False)
    exporter = OTLPSpanExporter(timeout=EXPORT_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider, exporter


def _stop(provider: "TracerProvider", exporter: "SpanExporter") -> None:
    """Send what is left, in no more than a moment: a collector that hangs must not hold the operator up."""
    stopping = threading.Thread(target=provider.shutdown, daemon=True)
    stopping.start()
    stopping.join(STOP_SECONDS)
    if stopping.is_alive():
        exporter.shutdown()  # else its thread would try batch after batch, each for as long as one may take
