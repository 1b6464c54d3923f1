"""What the operator wrote, by the API server's audit log: nothing that happened in between is missed."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from localcluster.bare import BareControlPlane

WRITES = frozenset({"create", "update", "patch", "delete", "deletecollection"})
NOT_THE_OPERATOR = ("kube-", "kubectl/", "flexlbf-test", "Python-urllib")


@dataclass(frozen=True)
class Write:
    """One request that writes.

    Attributes:
        agent: who wrote, by its User-Agent; an operator's ends in its identity.
        received: when the API server began with it, in RFC 3339.
        answered: when it was done.
    """

    verb: str
    resource: str
    name: str
    status: int
    agent: str = field(compare=False)
    received: str = field(compare=False)
    answered: str = field(compare=False)


@dataclass
class AuditTrail:
    """The operator's writes that concern one namespace, or the cluster-scoped resources of its name.

    The Lease of the operators is left out of all but `renewals`: a leader renews it every two seconds, also
    where there is nothing else to write.

    Attributes:
        namespace: everywhere, if it is empty.
    """

    plane: BareControlPlane
    namespace: str = ""
    mark: int = field(init=False)

    def __post_init__(self) -> None:
        self.mark = self._end()

    def forget(self) -> None:
        """Count from now on."""
        self.mark = self._end()

    def writes(self) -> list[Write]:
        """The writes since the mark."""
        return [each for each in self._writes() if each.resource != "leases"]

    def renewals(self) -> list[Write]:
        """The writes of Leases since the mark."""
        return [each for each in self._writes() if each.resource == "leases"]

    def counts(self) -> Counter[tuple[str, str]]:
        """How many writes of each verb on each resource since the mark."""
        return Counter((each.verb, each.resource) for each in self.writes())

    def assert_silence(self, seconds: float = 4.0) -> None:
        """Nothing but the Lease is written for so long; silence is the one thing that can't be awaited."""
        self.forget()
        time.sleep(seconds)
        assert self.writes() == []

    def settle(self, seconds: float = 2.0, within: float = 60.0) -> None:
        """Wait until nothing has been written for a while: late statuses of pools, for instance."""
        deadline = time.monotonic() + within
        while True:
            self.forget()
            time.sleep(seconds)
            written = self.writes()
            if not written:
                return
            assert time.monotonic() < deadline, f"the operator does not come to rest: {written[-20:]}"

    def _end(self) -> int:
        return self.plane.audit_log.stat().st_size if self.plane.audit_log.exists() else 0

    def _writes(self) -> Iterator[Write]:
        with self.plane.audit_log.open("rb") as log:
            log.seek(self.mark)
            for line in log:
                if not line.endswith(b"\n"):
                    return  # is being written
                event = json.loads(line)
                agent = str(event.get("userAgent", ""))
                place = event.get("objectRef") or {}
                if event["verb"] not in WRITES or agent.startswith(NOT_THE_OPERATOR):
                    continue
                if self.namespace not in {"", place.get("namespace"), place.get("name")}:
                    continue
                yield Write(
                    event["verb"],
                    "/".join(filter(None, (place["resource"], place.get("subresource")))),
                    place.get("name", ""),
                    event["responseStatus"]["code"],
                    agent,
                    event["requestReceivedTimestamp"],
                    event["stageTimestamp"],
                )
