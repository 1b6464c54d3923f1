"""The Lease that the operators of a control plane share, as a test sees it."""

import json
import ssl
import urllib.request
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError

from integration.handlers.cluster import USER_AGENT
from localcluster.bare import BareControlPlane


@dataclass(frozen=True)
class Lease:
    """One Lease `flexlbf-operator`."""

    plane: BareControlPlane
    namespace: str

    def spec(self) -> dict[str, Any]:
        """What it says now; empty if there is none."""
        try:
            return dict(self._ask("GET")["spec"])
        except HTTPError as error:
            if error.code != 404:
                raise
            return {}

    def holder(self) -> str:
        """Who leads; empty for nobody."""
        return str(self.spec().get("holderIdentity") or "")

    def forget(self) -> None:
        """Delete it; where there is none, or no API server, that is as well."""
        try:
            self._ask("DELETE")
        except OSError:  # as are all errors of urllib and of the connection
            return

    def _ask(self, method: str) -> dict[str, Any]:
        place = f"/apis/coordination.k8s.io/v1/namespaces/{self.namespace}/leases/flexlbf-operator"
        headers = {"Authorization": f"Bearer {self.plane.token}", "User-Agent": USER_AGENT}
        request = urllib.request.Request(self.plane.url + place, headers=headers, method=method)  # noqa: S310
        trust = ssl.create_default_context(cafile=str(self.plane.certificate))
        direct = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trust)
        )
        with direct.open(request, timeout=10) as answer:
            said: dict[str, Any] = json.loads(answer.read())
        return said
