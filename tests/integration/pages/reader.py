"""Reads an operator's pages as a browser does, without one."""

import http.client
from dataclasses import dataclass
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

from integration.handlers.cluster import eventually
from integration.handlers.operatorprocess import OperatorProcess
from support.reports import parsed, text_of

SECONDS = 60


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: str

    @property
    def page(self) -> Element:
        """The page; what is no valid HTML is an error."""
        return parsed(self.body)

    @property
    def text(self) -> str:
        """Its text, blanks as one."""
        return text_of(self.page)


@dataclass(frozen=True)
class Reader:
    """Reads the pages of one operator."""

    port: int

    @classmethod
    def of(cls, operator: OperatorProcess) -> "Reader":
        """Of one that runs; it says itself where its pages are."""
        where = eventually(lambda: urlsplit(operator.pages))
        assert where.port
        return cls(where.port)

    def read(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """Ask for a page once."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.request(method, path, headers=headers)
            response = connection.getresponse()
            told = {key.lower(): value for key, value in response.getheaders()}
            return Answer(response.status, told, response.read().decode())
        finally:
            connection.close()

    def once(self, path: str, *words: str, status: int = 200) -> Answer:
        """A page, once it says these words: what the operator sees comes a moment after it is there."""

        def check() -> Answer:
            answer = self.read(path)
            assert answer.status == status, answer.status
            text = answer.text
            for each in words:
                assert each in text, text[:2000]
            return answer

        return eventually(check)
