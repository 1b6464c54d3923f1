"""The API server, asked without kubectl in between: hundreds of questions in a few seconds."""

import http.client
import json
from dataclasses import dataclass
from typing import Any

from flexlbf.api.crd import definition_of
from flexlbf.api.model import Scope
from unit.api.cases import MODELS


@dataclass(frozen=True)
class Answer:
    """What the API server said."""

    status: int
    body: dict[str, Any]

    @property
    def message(self) -> str:
        """Why it refused."""
        return str(self.body.get("message", ""))


@dataclass(frozen=True)
class Api:
    """The API server, for one namespace."""

    connection: http.client.HTTPSConnection
    token: str
    namespace: str

    def create(self, resource: dict[str, Any], *, dry_run: bool = False) -> Answer:
        """Create a resource; unknown fields are refused, as kubectl asks for."""
        query = "?fieldValidation=Strict" + ("&dryRun=All" if dry_run else "")
        return self.request("POST", self.path(resource["kind"]) + query, resource)

    def path(self, kind: str) -> str:
        """Where the objects of a kind are."""
        definition = definition_of(MODELS[kind])
        within = f"namespaces/{self.namespace}/" if definition.scope is Scope.NAMESPACED else ""
        return f"/apis/{definition.api_version}/{within}{definition.plural}"

    def request(self, method: str, path: str, body: Any, kind: str = "application/json") -> Answer:
        """Ask anything."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": kind}
        self.connection.request(method, path, json.dumps(body), headers)
        response = self.connection.getresponse()
        return Answer(response.status, json.loads(response.read()))
