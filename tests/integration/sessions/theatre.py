"""The cluster as a test of sessions sees it: declares a workload, begins a session, reads what was played."""

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from integration.handlers.cluster import Cluster, eventually
from integration.sessions.workload import GROUP, Library, Workload
from localcluster.bare import BareControlPlane
from support.resources import Policy, Raw
from support.streamcheck import makespan, not_once, overloaded_drives
from support.streamlog import Stream, StreamLog

T = TypeVar("T")

SELDOM = "0 0 29 2 1"
"""No session begins by itself while a test runs."""


class Theatre(Cluster):
    """One namespace, with a pool and a class of its own."""

    def __init__(self, plane: BareControlPlane, namespace: str) -> None:
        super().__init__(plane, namespace)
        self._mark = plane.audit_log.stat().st_size

    def with_drives(self, library: Library, **fields: Any) -> None:
        """Apply the pool."""
        pool = self.a_pool().with_drives(
            GROUP, library.count, max_throughput=f"{library.mbps}M", max_agents=library.max_agents
        )
        self.apply(pool.setting(**fields))

    def with_class(self, retries: int = 0, **fields: Any) -> None:
        """Apply the class."""
        self.apply(self.a_class().setting(retries=retries, **fields))

    def adaptive(self, work: Workload, name: str = "weekly", **fields: Any) -> Policy:
        """Apply the sets of a workload and a policy for them; returns once it is ready."""
        sets = work.sets(name)
        for each in sets:
            self.apply(each)
        policy = self.a_policy(name).at(SELDOM).backing_up(*(each.name for each in sets))
        policy = policy.setting(**{"execution": "Adaptive", "window": "8h", **fields})
        self.apply(policy)
        self.ready(name)
        return policy

    def cron_job(self, policy: str = "weekly") -> Raw:
        """The CronJob of an adaptive policy's sessions, once it is there."""

        def check() -> Raw:
            return only(
                each
                for each in self.list("CronJob")
                if each["metadata"]["labels"].get("flexlbf.io/policy") == policy
            )

        return eventually(check)

    def begin(self, policy: str = "weekly", session: str = "session") -> str:
        """Begin a session as `kubectl create job --from=cronjob/…` does; gives its Job's name."""
        source = f"cronjob/{self.cron_job(policy)['metadata']['name']}"
        name = f"{policy}-{session}"
        self.plane.kubectl("create", "job", f"--namespace={self.namespace}", f"--from={source}", name)
        return name

    def await_end(self, session: str, within: float) -> Raw:
        """The session's Job, once it is complete or has failed."""

        def check() -> Raw:
            job = self.get("Job", session)
            assert job is not None, f"there is no session {session}"
            held = conditions(job)
            assert held & {"Complete", "Failed"}, job.get("status")
            return job

        return eventually(check, within)

    def await_streams(self, session: str, count: int, within: float = 120.0) -> None:
        """Wait until so many streams of a session have begun."""

        def check() -> None:
            begun = len(self.streams(session))
            assert begun >= count, f"{begun} streams of {session} have begun"

        eventually(check, within)

    def pods(self) -> list[Raw]:
        """All pods of the namespace."""
        answer = self.request("GET", f"/api/v1/namespaces/{self.namespace}/pods")
        items: list[Raw] = answer.body["items"]
        return items

    def log(self) -> StreamLog:
        """What was played in the namespace so far."""
        return StreamLog.of(_events(self.plane.audit_log, self._mark), frozenset({self.namespace}))

    def streams(self, session: str) -> list[Stream]:
        """The streams of a session so far."""
        return self.log().of_session(self.namespace, session)

    def assert_played(self, session: str, work: Workload, library: Library, attempts: int = 1) -> float:
        """Every object ran once and no drive had too much; gives the session's length in seconds."""
        log = self.log()
        streams = log.of_session(self.namespace, session)
        assert not_once(streams, work.names, attempts) == []
        assert overloaded_drives(log.all(), library.limits, self.namespace) == []
        return makespan(streams, log.session_began(self.namespace, session))


def only(items: Iterable[T]) -> T:
    """The only one there is; anything else is a failure that `eventually` waits out."""
    found = list(items)
    assert len(found) == 1, found
    return found[0]


def conditions(resource: Raw) -> set[str]:
    """The types of the conditions that are true."""
    found = resource.get("status", {}).get("conditions") or ()
    return {each["type"] for each in found if each["status"] == "True"}


def settle(seconds: float) -> None:
    """Wait where nothing can be awaited."""
    time.sleep(seconds)


def _events(log: Path, start: int) -> Iterator[Raw]:
    with log.open("rb") as lines:
        lines.seek(start)
        for line in lines:
            if not line.endswith(b"\n"):
                return  # is being written
            yield json.loads(line)
