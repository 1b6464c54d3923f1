"""Answers: what every page has in its head, and pages that a reader has already."""

import hashlib
import logging
import re
from collections.abc import Awaitable, Callable

from aiohttp import ETag, web

from flexlbf.report.engine import content_security_policy
from flexlbf.report.served import message_page

logger = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HEADERS = {
    # The page's own rule, and besides what only a header may say: nobody shows it in a frame.
    "Content-Security-Policy": f"{content_security_policy()}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # Asked for anew each time, and sent only if it is another; no proxy keeps it for others.
    "Cache-Control": "private, no-cache",
    "Server": "flexlbf",
}

_NAMESPACE = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", re.ASCII)
_NAME = re.compile(r"[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?", re.ASCII)


class NoPageError(Exception):
    """There is no such page.

    Args:
        status: of HTTP.
        title, words: what the reader is told.
        retry_after: seconds after which another try may do better.
    """

    def __init__(self, status: int, title: str, words: str, retry_after: int | None = None) -> None:
        super().__init__(title)
        self.status, self.title, self.words, self.retry_after = status, title, words, retry_after


@web.middleware
async def readable(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Give every answer the headers, and every refusal words in place of a bare number."""
    try:
        response = await handler(request)
    except NoPageError as error:
        response = _refusal(request, error)
        if error.retry_after is not None:
            response.headers["Retry-After"] = str(error.retry_after)
    except web.HTTPMethodNotAllowed as error:
        told = NoPageError(
            405, "Only to be read", "These pages can be read (GET and HEAD), and nothing else."
        )
        response = _refusal(request, told)
        response.headers["Allow"] = error.headers["Allow"]
    except web.HTTPNotFound:
        told = NoPageError(
            404,
            "No such page",
            "There are pages at /policies, /policies/NAMESPACE and /policies/NAMESPACE/NAME.",
        )
        response = _refusal(request, told)
    except web.HTTPRedirection as redirection:
        response = web.Response(
            status=redirection.status, headers={"Location": redirection.headers["Location"]}
        )
    except Exception:
        logger.exception("Serving %s", request.rel_url.raw_path)
        told = NoPageError(500, "Something broke", "The page could not be made; the operator's log says why.")
        response = _refusal(request, told)
    response.headers.update(HEADERS)
    return response


def page(request: web.Request, html: str, status: int = 200) -> web.Response:
    """A page, or that the reader has it already."""
    body = html.encode()
    tag = hashlib.sha256(body).hexdigest()[:32]
    known = request.if_none_match or ()
    if status == 200 and any(each.value in {tag, "*"} for each in known):
        response = web.Response(status=304)
    else:
        response = web.Response(body=body, status=status, content_type="text/html", charset="utf-8")
    response.etag = ETag(tag)
    return response


def names(request: web.Request) -> tuple[str, ...]:
    """The namespace and the name in an address, as far as it has them.

    Raises:
        NoPageError: nothing can be called so.
    """
    found = request.match_info
    for part, rule in (("namespace", _NAMESPACE), ("name", _NAME)):
        if part in found and not rule.fullmatch(found[part]):
            raise NoPageError(404, "No such page", f"The address has no {part} that Kubernetes would allow.")
    return tuple(found[part] for part in ("namespace", "name") if part in found)


def reload_after(request: web.Request, seconds: int | None) -> int | None:
    """Whoever reads slowly, or has it read to him, may have the page stay."""
    return None if request.query.get("refresh") == "off" else seconds


def _refusal(request: web.Request, error: NoPageError) -> web.Response:
    # As deep as the address is: that is how far up the overview lies.
    depth = max(0, request.rel_url.raw_path.count("/") - 1)
    html = message_page(
        error.title, error.words, f"{'../' * depth}policies", reload_after(request, error.retry_after)
    )
    return web.Response(text=html, status=error.status, content_type="text/html", charset="utf-8")
