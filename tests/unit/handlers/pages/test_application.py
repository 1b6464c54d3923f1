"""The pages over HTTP: what is answered, with which headers, and to which questions nothing is."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import quote

import aiohttp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flexlbf.handlers.listener import Listener
from flexlbf.handlers.pages import drawings, pages_application
from flexlbf.handlers.pages.answers import HEADERS
from flexlbf.handlers.pages.drawings import Drawings
from support.pagestage import ANYWHERE, PageStage, now, running_session
from support.reports import a_fleet, elements, parsed, text_of
from support.resources import a_policy, a_set


@asynccontextmanager
async def asking(
    stage: PageStage, *, ready: bool = True, patience: float = 60.0
) -> AsyncIterator[aiohttp.ClientSession]:
    """A client of the pages, that takes paths; it waits for a drawing as long as it may take."""
    application = pages_application(stage.source(), Drawings(now, patience), now, lambda: ready)
    async with (
        Listener(application, ANYWHERE) as listener,
        aiohttp.ClientSession(f"http://{listener.address}") as session,
    ):
        yield session


@pytest.fixture
async def pages() -> AsyncIterator[aiohttp.ClientSession]:
    """One policy, which was planned, in namespace `default`."""
    stage = PageStage()
    stage.put_fleet(a_fleet())
    async with asking(stage) as session:
        yield session


@pytest.fixture
def stage() -> PageStage:
    """One that a test fills."""
    return PageStage()


async def test_there_is_an_overview_and_a_page_for_namespace_and_policy(pages: aiohttp.ClientSession):
    for path, title in (
        ("/policies", "Backup policies"),
        ("/policies/default", "Backup policies of default"),
        ("/policies/default/weekly", "default/weekly"),
    ):
        async with pages.get(path) as answer:
            assert (answer.status, answer.content_type) == (200, "text/html")
            (heading,) = elements(parsed(await answer.text()), "h1")
            assert text_of(heading) == title


@pytest.mark.parametrize(("path", "to"), [("/", "policies"), ("/policies/", "../policies")])
async def test_other_ways_lead_to_the_overview(pages: aiohttp.ClientSession, path: str, to: str):
    """By relative addresses, which hold behind any proxy."""
    async with pages.get(path, allow_redirects=False) as answer:
        assert (answer.status, answer.headers["Location"]) == (302, to)
    async with pages.get(path) as answer:
        assert (answer.status, answer.url.path) == (200, "/policies")


@pytest.mark.parametrize(
    "path",
    [
        "/policies/default/monthly",
        "/policies/elsewhere",
        "/policies/elsewhere/weekly",
        "/policies/default/weekly/",
        "/policies/default/weekly/more",
        "/policies/Default/weekly",
        "/policies/default/..%2f..%2fetc%2fpasswd",
        "/policies/default/<script>alert(1)</script>",
        "/policies/%00/weekly",
        f"/policies/{'a' * 64}/weekly",
        f"/policies/default/{'a' * 254}",
        "/policies/defäult/weekly",
        "/metrics",
        "/healthz",
    ],
)
async def test_where_there_is_no_page_a_person_can_read_that(pages: aiohttp.ClientSession, path: str):
    """With all headers, a way back, and nothing of the address that would be more than text."""
    async with pages.get(path) as answer:
        assert answer.status == 404
        assert answer.headers.items() >= HEADERS.items()
        text = await answer.text()
        root = parsed(text)
        assert "No such" in text_of(next(elements(root, "h1")))
        assert "<script" not in text
        links = [each.get("href") or "" for each in elements(root, "a")]
    async with pages.get(answer.url.join(type(answer.url)(links[1]))) as home:
        assert (home.status, home.url.path) == (200, "/policies")


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=60,
    deadline=None,
)
# Dots alone are directions, and no names.
@given(st.text(min_size=1, max_size=80).filter(lambda name: name.strip(".")))
async def test_no_address_breaks_a_page(pages: aiohttp.ClientSession, name: str):
    async with pages.get(f"/policies/{quote(name, safe='')}/{quote(name, safe='')}") as answer:
        assert answer.status == 404
        parsed(await answer.text())


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"])
@pytest.mark.parametrize("path", ["/", "/policies", "/policies/default/weekly"])
async def test_nothing_can_be_done_but_read(pages: aiohttp.ClientSession, method: str, path: str):
    async with pages.request(method, path, data=b"x" if method == "POST" else None) as answer:
        assert (answer.status, answer.headers["Allow"]) == (405, "GET,HEAD")
        assert answer.headers.items() >= HEADERS.items()


async def test_the_head_of_a_page_is_that_of_the_page(pages: aiohttp.ClientSession):
    async with pages.get("/policies") as whole, pages.head("/policies") as head:
        assert head.status == 200
        assert head.headers["ETag"] == whole.headers["ETag"]
        assert head.headers.items() >= HEADERS.items()
        assert await head.read() == b""


async def test_a_page_that_is_known_is_not_sent_again(stage: PageStage):
    """Until it is another."""
    stage.put_fleet(a_fleet())
    async with asking(stage) as pages:
        async with pages.get("/policies") as first:
            tag = first.headers["ETag"]
        for known in (tag, f'"other", {tag}', "*", f"W/{tag}"):
            async with pages.get("/policies", headers={"If-None-Match": known}) as answer:
                assert (answer.status, await answer.read()) == (304, b"")
                assert answer.headers.items() >= HEADERS.items()
        stage.put(a_policy("monthly").build("default"))
        async with pages.get("/policies", headers={"If-None-Match": tag}) as answer:
            assert answer.status == 200
            assert "monthly" in await answer.text()


async def test_what_runs_is_that_policys_and_no_other(stage: PageStage):
    """Of those in the pool."""
    stage.put_fleet(a_fleet())
    stage.put({**a_policy().build("default"), "status": {"session": running_session(20)}})
    stage.run("fs:/mine", "lto-0", minutes=3)
    stage.run("fs:/theirs", "lto-0", minutes=3, policy="monthly")
    stage.run("fs:/elsewhere", "lto-0", minutes=3, pool="vault")
    async with asking(stage) as pages, pages.get("/policies/default/weekly") as answer:
        text = await answer.text()
    assert "1 object being backed up now" in text
    assert "fs:/mine" in text
    assert "fs:/theirs" not in text
    assert "fs:/elsewhere" not in text
    assert 'http-equiv="refresh"' in text


async def test_until_the_cluster_was_read_pages_say_so(stage: PageStage):
    """Half a picture would have policies seem gone or broken."""
    async with asking(stage, ready=False) as pages:
        for path in ("/policies", "/policies/default/weekly"):
            async with pages.get(path) as answer:
                assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
                text = await answer.text()
            assert "reading the cluster" in text_of(parsed(text))
            assert 'http-equiv="refresh" content="2"' in text


async def test_who_asks_for_too_much_is_told_when_to_come_back(
    pages: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
):
    """The overview costs nothing and is there all the same."""
    monkeypatch.setattr(drawings, "MOST_UNDERWAY", 0)
    async with pages.get("/policies/default/weekly") as answer:
        assert (answer.status, answer.headers["Retry-After"]) == (503, "20")
        assert "Busy drawing" in text_of(parsed(await answer.text()))
    async with pages.get("/policies") as answer:
        assert answer.status == 200


async def test_a_plan_that_is_being_drawn_holds_nobody_up(stage: PageStage):
    """The event loop is free for the operator's work, and other pages are answered meanwhile."""
    stage.put_fleet(a_fleet(sets=[a_set().with_objects(900)]))
    async with asking(stage) as pages:
        slow = asyncio.create_task(_status(pages, "/policies/default/weekly"))
        for _ in range(3):
            assert await _status(pages, "/policies") == 200
        assert not slow.done()
        assert await slow == 200


async def _status(pages: aiohttp.ClientSession, path: str) -> int:
    async with pages.get(path) as answer:
        return answer.status


async def test_a_plan_that_is_being_drawn_is_awaited_by_the_page(stage: PageStage):
    """It says so, shows how the policy stands, and loads itself again."""
    stage.put_fleet(a_fleet())
    async with asking(stage, patience=0.0) as pages, pages.get("/policies/default/weekly") as answer:
        assert answer.status == 202
        text = await answer.text()
    assert 'http-equiv="refresh" content="4"' in text
    assert "The plan is being drawn" in text
    assert "Planned" in text_of(parsed(text))


async def test_a_failure_of_ours_is_told_and_not_shown(stage: PageStage, caplog: pytest.LogCaptureFixture):
    """The log says what it was."""
    stage.put({**a_policy().build("default"), "status": "broken"})
    async with asking(stage) as pages, pages.get("/policies") as answer:
        assert answer.status == 500
        assert answer.headers.items() >= HEADERS.items()
        assert "Something broke" in text_of(parsed(await answer.text()))
    assert "Serving /policies" in caplog.text
