"""What is served is served where it was asked for, and no longer than that."""

import asyncio

import aiohttp
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.handlers.listener import Address, CannotListenError, Listener

ANYWHERE = Address("127.0.0.1", 0)


async def hello(_: web.Request) -> web.Response:
    return web.Response(text="hello")


def application() -> web.Application:
    made = web.Application()
    made.router.add_get("/hello", hello)
    return made


async def answer(address: Address) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://{address}/hello") as response:
        return response.status, await response.text()


async def test_it_answers_where_it_listens_and_not_after():
    async with Listener(application(), ANYWHERE) as listener:
        address = listener.address
        assert address.port
        assert await answer(address) == (200, "hello")
    with pytest.raises(aiohttp.ClientConnectorError):
        await answer(address)


async def test_a_client_that_keeps_its_connection_does_not_hold_it_up():
    """Prometheus keeps its connections open between scrapes."""
    async with (
        aiohttp.ClientSession() as session,
        asyncio.timeout(30),
        Listener(application(), ANYWHERE) as listener,
        session.get(f"http://{listener.address}/hello") as response,
    ):
        assert await response.text() == "hello"


async def test_a_port_that_is_taken_is_said():
    """And it leaves nothing behind: the one that has the port goes on."""
    async with Listener(application(), ANYWHERE) as listener:
        with pytest.raises(CannotListenError, match=f"listening at {listener.address}: "):
            async with Listener(application(), listener.address):
                pass
        assert await answer(listener.address) == (200, "hello")


@given(st.ip_addresses().map(str) | st.just("localhost"), st.integers(0, 65535))
def test_an_address_reads_as_it_is_written(host: str, port: int):
    address = Address(host, port)
    assert Address.parse(str(address)) == address
    assert Address.parse(f"http://{address}/") == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "8081",
        ":8081",
        "localhost",
        "localhost:port",
        "localhost:65536",
        "https://localhost:8081",
        "http://localhost:8081/elsewhere",
        "http://me@localhost:8081",
        "[::1:8081",
    ],
)
def test_what_is_no_address_is_told_what_to_write(text: str):
    with pytest.raises(ValueError, match=r"write HOST:PORT, as in 0\.0\.0\.0:8081"):
        Address.parse(text)
