"""Serves HTTP from the operator's own event loop, where it is told to and nowhere else."""

from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from aiohttp import web

CLOSING_SECONDS = 2.0
"""How long requests that run may take when the operator stops; the pod has better things to wait for."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen: a host's name or address, and a port (0 for any that is free)."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `0.0.0.0:8081`, `[::1]:8081` or `http://0.0.0.0:8081`.

        Raises:
            ValueError: for anything else; the message says what to write instead.
        """
        try:
            split = urlsplit(text if "://" in text else f"http://{text}")
            host, port = split.hostname, split.port
        except ValueError:
            host = port = None
        else:
            rest = (split.path.rstrip("/"), split.query, split.fragment, split.username, split.password)
            if split.scheme != "http" or any(rest):
                host = None
        if host is None or port is None:
            raise ValueError(f"{text!r} is no address to listen at: write HOST:PORT, as in 0.0.0.0:8081")
        return cls(host, port)

    def __str__(self) -> str:
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


class CannotListenError(OSError):
    """An address can't be listened at; the message says which, and why."""


class Listener:
    """An application of aiohttp at one address, from entering the context until leaving it."""

    def __init__(self, application: web.Application, address: Address) -> None:
        # A line for each scrape and probe would be most of the log.
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=CLOSING_SECONDS)
        self._address = address

    async def __aenter__(self) -> Self:
        """Begin to listen.

        Raises:
            CannotListenError: when the address is taken, or is none of this machine.
        """
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._address.host, self._address.port).start()
        except OSError as error:
            await self._runner.cleanup()
            raise CannotListenError(f"listening at {self._address}: {error.strerror or error}") from error
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop to listen, and close what is open."""
        await self._runner.cleanup()

    @property
    def address(self) -> Address:
        """Where it listens, with the port that it was given."""
        return Address(*self._runner.addresses[0][:2]) if self._runner.addresses else self._address
