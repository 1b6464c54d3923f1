"""The cluster as one test sees it: its namespace, and its own pool and class, asked without kubectl."""

import http.client
import json
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

from localcluster.bare import BareControlPlane
from support.resources import Class, Policy, Pool, Raw, Resource, Set, a_class, a_policy, a_pool, a_set

PATIENCE = 120.0
"""Seconds after which a test gives up on what should come: far more than it takes on a busy machine."""

USER_AGENT = "flexlbf-test"

_GROUP = "/apis/flexlbf.io/v1alpha1"
_COLLECTIONS = {
    "TapePool": (_GROUP, "tapepools"),
    "BackupClass": (_GROUP, "backupclasses"),
    "BackupSet": (_GROUP, "backupsets"),
    "BackupHistory": (_GROUP, "backuphistories"),
    "BackupPolicy": (_GROUP, "backuppolicies"),
    "CronJob": ("/apis/batch/v1", "cronjobs"),
    "Job": ("/apis/batch/v1", "jobs"),
    "ConfigMap": ("/api/v1", "configmaps"),
    "Event": ("/apis/events.k8s.io/v1", "events"),
    "Namespace": ("/api/v1", "namespaces"),
}
_CLUSTER_SCOPED = frozenset({"TapePool", "BackupClass", "Namespace"})

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """What the API server said."""

    status: int
    body: Raw

    @property
    def message(self) -> str:
        """Why it refused."""
        return str(self.body.get("message", ""))


class RefusedError(AssertionError):
    """The API server refused what the test takes for right."""


def eventually(check: Callable[[], T], within: float = PATIENCE) -> T:
    """What a check returns once it stops failing; when that takes too long, its last failure."""
    deadline = time.monotonic() + within
    while True:
        try:
            return check()
        except (AssertionError, LookupError):  # a status that has no such field yet
            if time.monotonic() > deadline:
                raise
        time.sleep(0.05)


@dataclass
class Cluster:
    """One namespace of a control plane; its pool and its class have the namespace's name."""

    plane: BareControlPlane
    namespace: str
    made: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._connection: http.client.HTTPSConnection | None = None

    # What tests are made of.

    def a_pool(self) -> Pool:
        """The test's own pool, without drives yet."""
        return a_pool(self.namespace)

    def a_class(self) -> Class:
        """The test's own class."""
        return a_class(self.namespace)

    def a_set(self, name: str = "fleet") -> Set:
        """A set without objects yet."""
        return a_set(name)

    def a_policy(self, name: str = "weekly") -> Policy:
        """A policy for the set `fleet` on the test's own pool and class."""
        return a_policy(name).on(self.namespace).by(self.namespace)

    def with_a_plain_setup(self, objects: int = 3) -> Policy:
        """Two drives, a class and a set of so many objects; gives a policy that is not applied yet."""
        self.apply(self.a_pool().with_drives())
        self.apply(self.a_class())
        self.apply(self.a_set().with_objects(objects))
        return self.a_policy()

    # Requests.

    def apply(self, resource: Resource | Raw, manager: str = "kubectl") -> Raw:
        """Apply as `kubectl apply --server-side` does."""
        raw = resource.build() if isinstance(resource, Resource) else resource
        kind, name = raw["kind"], raw["metadata"]["name"]
        if kind in _CLUSTER_SCOPED:
            self.made.append((kind, name))
        path = f"{self.path(kind, name)}?fieldManager={manager}&force=true&fieldValidation=Strict"
        return self._expect("PATCH", path, raw, "application/apply-patch+yaml")

    def create(self, raw: Raw) -> Raw:
        """Create."""
        return self._expect("POST", self.path(raw["kind"]), raw)

    def get(self, kind: str, name: str) -> Raw | None:
        """One object, None if there is none."""
        answer = self.request("GET", self.path(kind, name))
        return answer.body if answer.status == 200 else None

    def list(self, kind: str) -> list[Raw]:
        """All of a kind, in the test's namespace."""
        items: list[Raw] = self._expect("GET", self.path(kind))["items"]
        return items

    def patch(self, kind: str, name: str, patch: Mapping[str, Any], subresource: str = "") -> Raw:
        """Merge a patch, as `kubectl patch --type=merge`, `annotate`, `label` and `edit` do."""
        path = self.path(kind, name) + (f"/{subresource}" if subresource else "")
        return self._expect("PATCH", path, patch, "application/merge-patch+json")

    def json_patch(self, kind: str, name: str, *operations: Mapping[str, Any]) -> Raw:
        """Patch as `kubectl patch --type=json` does."""
        return self._expect("PATCH", self.path(kind, name), operations, "application/json-patch+json")

    def delete(self, kind: str, name: str, propagation: str = "Background") -> None:
        """Delete; what is gone is fine."""
        answer = self.request("DELETE", self.path(kind, name), {"propagationPolicy": propagation})
        if answer.status not in {200, 202, 404}:
            raise RefusedError(answer.message)

    def path(self, kind: str, name: str = "") -> str:
        """The path of a collection or of one object."""
        base, plural = _COLLECTIONS[kind]
        scope = "" if kind in _CLUSTER_SCOPED else f"/namespaces/{self.namespace}"
        return f"{base}{scope}/{plural}" + (f"/{name}" if name else "")

    def request(
        self, method: str, path: str, body: Any = None, content_type: str = "application/json"
    ) -> Answer:
        """Ask anything."""
        headers = {
            "Authorization": f"Bearer {self.plane.token}",
            "Content-Type": content_type,
            "User-Agent": USER_AGENT,
        }
        text = None if body is None else json.dumps(body)
        try:
            return self._send(method, path, text, headers)
        except (http.client.HTTPException, OSError):
            self.close()  # the API server has restarted, or was tired of an idle connection
            return self._send(method, path, text, headers)

    def _send(self, method: str, path: str, text: str | None, headers: Mapping[str, str]) -> Answer:
        if self._connection is None:
            place = urlsplit(self.plane.url)
            trust = ssl.create_default_context(cafile=str(self.plane.certificate))
            self._connection = http.client.HTTPSConnection(
                str(place.hostname), place.port, context=trust, timeout=60
            )
        self._connection.request(method, path, text, dict(headers))
        response = self._connection.getresponse()
        return Answer(response.status, json.loads(response.read()))

    def _expect(self, method: str, path: str, body: Any = None, kind: str = "application/json") -> Raw:
        answer = self.request(method, path, body, kind)
        if answer.status >= 400:
            raise RefusedError(f"{method} {path}: {answer.status} {answer.message}")
        return answer.body

    def close(self) -> None:
        """Give the connection back."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def clean_up(self) -> None:
        """Delete the cluster-scoped resources that the test made; its namespace is the fixture's."""
        for kind, name in dict.fromkeys(self.made):
            if kind != "Namespace":
                self.delete(kind, name)
        self.close()

    # What a policy has become.

    def policy(self, name: str = "weekly") -> Raw:
        """A policy as it is now."""
        found = self.get("BackupPolicy", name)
        assert found is not None, f"there is no policy {name}"
        return found

    def condition(self, kind: str, name: str = "weekly", of: str = "BackupPolicy") -> Raw:
        """A condition as it is now; empty if it was never set."""
        found = self.get(of, name) or {}
        conditions = (found.get("status") or {}).get("conditions") or ()
        return next((each for each in conditions if each["type"] == kind), {})

    def ready(self, name: str = "weekly") -> Raw:
        """The policy, once it is ready for its present generation."""

        def check() -> Raw:
            policy = self.policy(name)
            status = policy.get("status") or {}
            conditions = {each["type"]: each for each in status.get("conditions") or ()}
            assert conditions.get("Ready", {}).get("status") == "True", conditions
            assert status["observedGeneration"] == policy["metadata"]["generation"]
            return policy

        return eventually(check)

    def stalled(self, reason: str, name: str = "weekly") -> str:
        """The message of a policy, once it is stalled for this reason and for its present generation."""

        def check() -> str:
            policy = self.policy(name)
            status = policy.get("status") or {}
            conditions = {each["type"]: each for each in status.get("conditions") or ()}
            stalled = conditions.get("Stalled", {})
            assert (stalled.get("status"), stalled.get("reason")) == ("True", reason), conditions
            assert conditions["Ready"]["status"] == "False"
            assert status["observedGeneration"] == policy["metadata"]["generation"]
            return str(stalled["message"])

        return eventually(check)

    def cron_jobs(self, policy: str = "weekly") -> dict[str, Raw]:
        """The CronJobs of a policy that are there and are to stay, by the object that they back up."""
        return {
            each["metadata"]["annotations"]["flexlbf.io/object"]: each
            for each in self.list("CronJob")
            if each["metadata"].get("labels", {}).get("flexlbf.io/policy") == policy
            and "deletionTimestamp" not in each["metadata"]
        }

    def uids(self, policy: str = "weekly") -> dict[str, str]:
        """The identity of each object's CronJob."""
        return {name: each["metadata"]["uid"] for name, each in self.cron_jobs(policy).items()}

    def await_objects(self, *objects: str, policy: str = "weekly") -> dict[str, Raw]:
        """The CronJobs of a policy, once they are for these objects."""

        def check() -> dict[str, Raw]:
            found = self.cron_jobs(policy)
            assert set(found) == set(objects)
            return found

        return eventually(check)
