"""The application that serves the pages: `/policies` and what is below it."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime

from aiohttp import web

from flexlbf.cluster.client import ApiError
from flexlbf.cluster.state import Key
from flexlbf.handlers.pages.answers import Handler, NoPageError, names, page, readable, reload_after
from flexlbf.handlers.pages.drawings import BusyError, Drawing, Drawings, Task
from flexlbf.handlers.pages.source import PageSource
from flexlbf.handlers.planner import PlanningError
from flexlbf.planning.snapshot import RawObject
from flexlbf.report.lastsession import last_session
from flexlbf.report.overview import Group, overview
from flexlbf.report.served import overview_page, policy_page
from flexlbf.report.standing import Standing

logger = logging.getLogger(__name__)

PATH = "/policies"

REFRESH_SECONDS = 30
"""While a session runs; its status is told every few seconds."""

DRAWING_SECONDS = 4
"""Until the next look at a plan that is being drawn."""

BUSY_SECONDS = 20
STARTING_SECONDS = 2
LARGEST_REQUEST = 4096
SEE_ALL = "All policies that there are have a link in the overview."


def pages_application(
    source: PageSource, drawings: Drawings, clock: Callable[[], datetime], ready: Callable[[], bool]
) -> web.Application:
    """The pages; read-only, and for whoever reaches them: there are no users in it.

    Args:
        source: what they are made of.
        drawings: closed with the application.
        clock: in UTC.
        ready: whether the cluster was read; until then a page would be half empty.
    """

    @web.middleware
    async def once_read(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not ready():
            words = "The operator has only just started and is reading the cluster."
            raise NoPageError(503, "Starting", words, STARTING_SECONDS)
        return await handler(request)

    pages = _Pages(source, drawings, clock)
    made = web.Application(middlewares=[readable, once_read], client_max_size=LARGEST_REQUEST)
    made.router.add_get("/", _to_the_overview)
    made.router.add_get(PATH, pages.all)
    made.router.add_get(f"{PATH}/", _to_the_overview)
    made.router.add_get(f"{PATH}/{{namespace}}", pages.namespace)
    made.router.add_get(f"{PATH}/{{namespace}}/{{name}}", pages.policy)
    made.on_cleanup.append(lambda _: drawings.close())
    return made


async def _to_the_overview(request: web.Request) -> web.StreamResponse:
    """Relative, so that it holds behind a proxy that serves the pages below a path of its own."""
    raise web.HTTPFound("policies" if request.path == "/" else "../policies")


class _Pages:
    def __init__(self, source: PageSource, drawings: Drawings, clock: Callable[[], datetime]) -> None:
        self._source = source
        self._drawings = drawings
        self._clock = clock
        # Pages are laid out in a thread, one at a time: more would only take turns with the event loop.
        self._press = asyncio.Semaphore(1)

    async def all(self, request: web.Request) -> web.Response:
        return await self._overview(request, None)

    async def namespace(self, request: web.Request) -> web.Response:
        (namespace,) = names(request)
        return await self._overview(request, namespace)

    async def policy(self, request: web.Request) -> web.Response:
        key = Key(*names(request))
        policy = self._source.policy(key)
        if policy is None:
            self._drawings.forget(key)
            words = f"There is no BackupPolicy {key.name} in namespace {key.namespace}. {SEE_ALL}"
            raise NoPageError(404, "No such policy", words)
        standing = self._source.standing(policy, self._clock())
        drawing = await self._drawing(key, policy, standing)
        seconds = REFRESH_SECONDS if standing.running else None
        refresh = reload_after(request, seconds if drawing.current else DRAWING_SECONDS)
        async with self._press:
            return await asyncio.to_thread(_policy_page, request, standing, drawing, refresh)

    async def _overview(self, request: web.Request, namespace: str | None) -> web.Response:
        policies = self._source.policies(namespace)
        if namespace and not policies:
            words = f"There is no BackupPolicy in namespace {namespace}. {SEE_ALL}"
            raise NoPageError(404, "No such policies", words)
        async with self._press:
            return await asyncio.to_thread(_overview_page, request, policies, namespace, self._clock())

    async def _drawing(self, key: Key, policy: RawObject, standing: Standing) -> Drawing:
        try:
            snapshot, fingerprint = await self._source.snapshot(policy)
            # While a session runs its figures change with every look, and are shown above the plan.
            last = None if standing.running else last_session(policy)
            return await self._drawings.of(key, Task(snapshot, fingerprint, last))
        except BusyError as error:
            words = "Many plans are being drawn for others."
            raise NoPageError(503, "Busy drawing", words, BUSY_SECONDS) from error
        except (PlanningError, ApiError) as error:
            logger.warning("Drawing %s: %s", key, error)
            words = f"The page could not be drawn: {error}."
            raise NoPageError(503, "Not drawn", words, BUSY_SECONDS) from error


def _policy_page(
    request: web.Request, standing: Standing, drawing: Drawing, refresh: int | None
) -> web.Response:
    html = policy_page(standing, drawing.drawn, current=drawing.current, refresh=refresh)
    return page(request, html, 200 if drawing.drawn else 202)


def _overview_page(
    request: web.Request, policies: list[RawObject], namespace: str | None, now: datetime
) -> web.Response:
    groups: tuple[Group, ...] = overview(policies, now)
    running = any(row.running for group in groups for row in group.rows)
    refresh = reload_after(request, REFRESH_SECONDS if running else None)
    return page(request, overview_page(groups, namespace, refresh=refresh))
