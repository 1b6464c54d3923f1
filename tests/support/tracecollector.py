"""A collector of traces on loopback that keeps what it is sent, and one that never answers."""

import gzip
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as SpanMessage

PATH = "/v1/traces"
ERROR = 2
"""The state of a span that failed."""


@dataclass(frozen=True)
class Span:
    """A span as it was sent.

    Attributes:
        parent: the span within which it was, empty for the first of a trace.
        failed: whether an exception ended it.
        service: who sent it.
    """

    name: str
    id: bytes
    parent: bytes
    trace: bytes
    failed: bool
    attributes: dict[str, object]
    service: str


@dataclass
class TraceCollector:
    """What was sent to it.

    Attributes:
        endpoint: its address, as in OTEL_EXPORTER_OTLP_ENDPOINT.
    """

    endpoint: str = ""
    spans: list[Span] = field(default_factory=list)

    def take(self, body: bytes) -> None:
        """Take a request's body in."""
        request = ExportTraceServiceRequest.FromString(body)
        for of_resource in request.resource_spans:
            facts = {each.key: each.value.string_value for each in of_resource.resource.attributes}
            for scope in of_resource.scope_spans:
                self.spans += [_read(each, facts["service.name"]) for each in scope.spans]

    def named(self, name: str, **attributes: object) -> list[Span]:
        """The spans of a name with these attributes, given without `flexlbf.`."""
        wanted = {f"flexlbf.{key}": value for key, value in attributes.items()}
        return [
            each for each in self.spans if each.name == name and wanted.items() <= each.attributes.items()
        ]


def _read(span: SpanMessage, service: str) -> Span:
    attributes = {
        each.key: each.value.string_value if each.value.HasField("string_value") else each.value.int_value
        for each in span.attributes
    }
    failed = span.status.code == ERROR
    return Span(span.name, span.span_id, span.parent_span_id, span.trace_id, failed, attributes, service)


@contextmanager
def trace_collector() -> Iterator[TraceCollector]:
    """A collector that answers, until the context ends."""
    collector = TraceCollector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            assert self.path == PATH
            collector.take(body)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        collector.endpoint = f"http://127.0.0.1:{server.server_port}"
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        try:
            yield collector
        finally:
            server.shutdown()
            serving.join()


@contextmanager
def silent_collector() -> Iterator[str]:
    """The address of one that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
