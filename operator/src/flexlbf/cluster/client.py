"""Requests to the API server as plain JSON, on the official asynchronous client's transport.

The client's generated models are passed by: building them costs more than the request itself, and the
operator reads and writes thousands of objects whose shape it knows.
"""

import asyncio
import json
import os
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextvars import ContextVar
from typing import Any, Self
from urllib.parse import urlencode

import aiohttp
from kubernetes.aio import config
from kubernetes.aio.client import ApiClient, Configuration

from flexlbf.cluster.leadership import WRITE_SECONDS, Leadership, process_identity
from flexlbf.cluster.resources import LEASES, Resource

FIELD_MANAGER = "flexlbf-operator"
REQUEST_TIMEOUT = 60.0
CONNECTIONS = 64

_JSON = "application/json"
_METADATA_ONLY = "application/json;as=PartialObjectMetadata{list};g=meta.k8s.io;v=v1"
_APPLY = "application/apply-patch+yaml"
_MERGE = "application/merge-patch+json"


_gated: ContextVar[bool] = ContextVar("gated", default=False)
"""Whether the request that is being sent needs the lead; the transport calls back without saying for whom."""


class ApiError(Exception):
    """The API server refused a request."""

    def __init__(self, status: int, reason: str, message: str, retry_after: float | None = None) -> None:
        super().__init__(f"{message} ({status} {reason})")
        self.status = status
        self.reason = reason
        self.retry_after = retry_after

    @property
    def not_found(self) -> bool:
        """The object, or its kind, is not there."""
        return self.status == 404

    @property
    def invalid(self) -> bool:
        """What was sent can't be taken as it is, whenever it is sent again."""
        unparsed = self.status == 500 and "failed to create typed patch object" in str(self)
        return self.status in {400, 422} or unparsed

    @property
    def refused(self) -> bool:
        """What was asked for was not done, and is known not to have been."""
        return 400 <= self.status < 500 and self.status != 408

    @property
    def namespace_is_ending(self) -> bool:
        """Nothing may be created in the namespace any more."""
        return self.status == 403 and "because it is being terminated" in str(self)

    @property
    def gone(self) -> bool:
        """A watch asked for a version that the server no longer has."""
        return self.status == 410


class NotLeader(ApiError):  # noqa: N818 - nothing went wrong: another operator writes
    """A write was not sent, because this process does not lead."""

    def __init__(self) -> None:
        super().__init__(0, "NotLeader", "not written: this operator does not lead")


class KubeClient:
    """A client of one cluster; an asynchronous context manager.

    Whatever writes raises `NotLeader`, and sends nothing, unless this process leads.

    Attributes:
        errors: how many requests failed, by the class of the answer's code; `unreachable` without an answer.
    """

    def __init__(self, configuration: Any) -> None:
        self.leadership = Leadership(process_identity())
        self.errors: Counter[str] = Counter()
        # The server's audit log tells by it which of several operators wrote.
        self._user_agent = f"{FIELD_MANAGER}/{self.leadership.identity}"
        configuration.connection_pool_maxsize = CONNECTIONS
        # Looking for proxies in the environment costs two thread switches a request, half its time here;
        # a proxy that the kubeconfig names is used all the same.
        configuration.client_session_kwargs = {"trust_env": False}
        tracing = aiohttp.TraceConfig()
        tracing.on_request_chunk_sent.append(self._check_once_more)
        configuration.trace_configs = [tracing]
        self._api = ApiClient(configuration)

    @classmethod
    async def connect(cls) -> Self:
        """Connect with the pod's service account, else as the kubeconfig says ($KUBECONFIG)."""
        configuration = Configuration()
        if "KUBERNETES_SERVICE_HOST" in os.environ and "KUBECONFIG" not in os.environ:
            config.load_incluster_config(client_configuration=configuration)
        else:
            await config.load_kube_config(client_configuration=configuration, persist_config=False)
        return cls(configuration)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._api.close()

    async def get(
        self,
        resource: Resource,
        name: str,
        namespace: str | None = None,
        timeout: float = REQUEST_TIMEOUT,  # noqa: ASYNC109 - the transport takes it
    ) -> dict[str, Any]:
        """One object; raises ApiError."""
        return await self._request("GET", resource.path(namespace, name), timeout=timeout)

    async def pages(
        self,
        resource: Resource,
        namespace: str | None = None,
        *,
        labels: str = "",
        name: str = "",
        metadata_only: bool = False,
    ) -> AsyncGenerator[tuple[list[dict[str, Any]], str], None]:
        """All objects of a kind a page at a time, each with the version to watch from; raises ApiError."""
        query: dict[str, str | int] = {"limit": resource.page, "labelSelector": labels}
        query["fieldSelector"] = f"metadata.name={name}" if name else ""
        accept = _METADATA_ONLY.format(list="List") if metadata_only else _JSON
        while True:
            page = await self._request("GET", resource.path(namespace), query=query, accept=accept)
            # Of metadata only, the API server writes a list of none as null.
            yield page["items"] or [], page["metadata"]["resourceVersion"]
            token = page["metadata"].get("continue")
            if not token:
                return
            query["continue"] = token

    async def watch(
        self, resource: Resource, version: str, *, labels: str = "", metadata_only: bool = False, seconds: int
    ) -> AsyncGenerator[tuple[str, dict[str, Any]], None]:
        """Changes of a kind since a version, as (type, object), bookmarks too, for so many seconds.

        Raises:
            ApiError: also for an error that comes within the stream, 410 above all.
        """
        query = {
            "watch": "true",
            "resourceVersion": version,
            "allowWatchBookmarks": "true",
            "labelSelector": labels,
            "timeoutSeconds": seconds,
        }
        accept = _METADATA_ONLY.format(list="") if metadata_only else _JSON
        response = await self._open("GET", resource.path(), query=query, accept=accept, timeout=seconds + 30)
        try:
            async for line in response.content:
                event = json.loads(line)
                if event["type"] == "ERROR":
                    status = event["object"]
                    code, reason = status.get("code", 500), status.get("reason", "")
                    raise self._failed(ApiError(code, reason, status.get("message", "")))
                yield event["type"], event["object"]
        finally:
            response.close()

    async def apply(
        self,
        resource: Resource,
        body: Mapping[str, Any],
        *,
        subresource: str = "",
        manager: str = FIELD_MANAGER,
    ) -> dict[str, Any]:
        """Server-side apply: make the fields given a manager's and true, and leave all others alone."""
        metadata = body["metadata"]
        path = resource.path(metadata.get("namespace"), metadata["name"], subresource)
        query = {"fieldManager": manager, "force": "true"}
        return await self._write("PATCH", resource, path, query=query, body=body, content_type=_APPLY)

    async def patch(
        self, resource: Resource, name: str, namespace: str, body: Mapping[str, Any], *, subresource: str = ""
    ) -> dict[str, Any]:
        """Change single fields (a JSON merge patch) of the object whose uid the body has."""
        query = {"fieldManager": FIELD_MANAGER}
        path = resource.path(namespace, name, subresource)
        return await self._write("PATCH", resource, path, query=query, body=body, content_type=_MERGE)

    async def create(self, resource: Resource, namespace: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Create an object whose name the server may generate."""
        return await self._write("POST", resource, resource.path(namespace), body=body)

    async def replace(self, resource: Resource, body: Mapping[str, Any]) -> dict[str, Any]:
        """Replace an object, if it is still of the version that the body has."""
        metadata = body["metadata"]
        path = resource.path(metadata.get("namespace"), metadata["name"])
        return await self._write("PUT", resource, path, body=body)

    async def delete(self, resource: Resource, name: str, namespace: str, uid: str) -> None:
        """Delete an object if it is still the one that was seen; one that is gone is fine."""
        body = {"preconditions": {"uid": uid}, "propagationPolicy": "Background"}
        try:
            await self._write("DELETE", resource, resource.path(namespace, name), body=body)
        except ApiError as error:
            if error.status not in {404, 409}:
                raise

    async def _write(
        self,
        method: str,
        resource: Resource,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Send a request that writes, if this process leads; only the Lease itself may be written before.

        It is given up soon enough for none to land when another has begun to lead: by us, and by the API
        server, which heeds `timeout` with everything but watches. Who is cancelled in the middle of a write
        has its answer all the same, so that nothing is under way when a leader that stops says so.
        """
        options |= {"query": {**(query or {}), "timeout": f"{WRITE_SECONDS:g}s"}, "timeout": WRITE_SECONDS}
        if resource == LEASES:
            return await self._request(method, path, gated=False, **options)
        writing = asyncio.ensure_future(self._request(method, path, **options))
        try:
            return await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait([writing])
            if not writing.cancelled():
                writing.exception()  # whose it was does not ask any more
            raise

    async def _check_once_more(self, *_: object) -> None:
        """Called with a request's body (every write has one) right before it goes to the socket.

        A process that was stopped since it was permitted to write finds out here: of all requests that it was
        about to send, only the one can slip through that it was just handing over.
        """
        if _gated.get() and not self.leadership.permitted:
            raise NotLeader

    async def _request(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        response = await self._open(method, path, **options)
        try:
            answer: dict[str, Any] = json.loads(await response.read())
        except (aiohttp.ClientError, OSError) as error:
            raise self._failed(_unreachable(error)) from error
        return answer

    async def _open(  # noqa: PLR0913 - a request has this many parts
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        accept: str = _JSON,
        content_type: str = _JSON,
        timeout: float = REQUEST_TIMEOUT,  # noqa: ASYNC109 - the transport takes it
        gated: bool = True,
    ) -> Any:
        """Send a request and give the transport's response, its body unread; raises ApiError."""
        headers = {"Accept": accept, "Content-Type": content_type, "User-Agent": self._user_agent}
        await self._api.update_params_for_auth(headers, [], ["BearerToken"], path, method, body)
        given = {key: value for key, value in (query or {}).items() if value != ""}
        url = f"{self._api.configuration.host}{path}{'?' + urlencode(given) if given else ''}"
        gated = gated and method != "GET"
        _gated.set(gated)
        if gated and not await self.leadership.permit():
            raise NotLeader
        try:
            answer = await self._api.call_api(
                method, url, header_params=headers, body=body, _request_timeout=timeout
            )
        except (aiohttp.ClientError, OSError) as error:  # TimeoutError is an OSError
            if isinstance(error.__cause__, NotLeader):
                raise error.__cause__ from None
            if gated:
                self.leadership.unanswered()
            raise self._failed(_unreachable(error)) from error
        if answer.status >= 400:
            raise self._failed(_refusal(answer.status, answer.response.headers, await answer.read()))
        return answer.response

    def _failed(self, error: ApiError) -> ApiError:
        self.errors[f"{error.status // 100}xx" if error.status else "unreachable"] += 1
        return error


def _unreachable(error: Exception) -> ApiError:
    what = str(error) or type(error).__name__
    return ApiError(0, "Unreachable", f"reaching the API server: {what}")


def _refusal(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    try:
        said = json.loads(body)
    except ValueError:
        said = {}
    said = said if isinstance(said, dict) else {}
    after = headers.get("Retry-After", "")
    message = said.get("message") or body.decode(errors="replace")[:200]
    return ApiError(status, said.get("reason", ""), message, float(after) if after.isdigit() else None)
