"""Made-up audit events, so that the checker can be shown every fault there is."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from support.resources import Raw
from support.streamlog import StreamLog


def _stamp(seconds: float) -> str:
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"


@dataclass
class Story:
    """What the API server was asked, one line after the other; revisions count up."""

    events: list[Raw] = field(default_factory=list)
    revision: int = 100

    def session(self, at: float, name: str = "s") -> "Story":
        """A session's Job."""
        meta = {"namespace": "ns", "name": name, "uid": name, "labels": {"flexlbf.io/role": "session"}}
        return self._wrote("create", "jobs", "", at, {"metadata": meta})

    def job(self, at: float, obj: str, drive: str = "lto-0", rate: str = "8000000", **marks: Any) -> "Story":
        """An object's Job: `attempt`, `session` and `pool` if they matter."""
        return self._wrote("create", "jobs", "", at, {"metadata": _job(obj, drive, rate, **marks)})

    def pod(self, at: float, obj: str, drive: str = "lto-0", rate: str = "8000000", **marks: Any) -> "Story":
        """Its pod."""
        job = _job(obj, drive, rate, **marks)
        owner = {"kind": "Job", "uid": job["uid"], "name": job["name"]}
        meta = {**job, "uid": f"pod-{job['uid']}", "ownerReferences": [owner]}
        return self._wrote("create", "pods", "", at, {"metadata": {**meta, "name": f"{job['name']}-x"}})

    def phase(self, at: float, obj: str, phase: str, attempt: int = 1) -> "Story":
        """Its pod's phase."""
        body = {"metadata": {"uid": f"pod-{obj}-{attempt}"}, "status": {"phase": phase}}
        return self._wrote("patch", "pods", "status", at, body)

    def finished(self, at: float, obj: str, condition: str, attempt: int = 1) -> "Story":
        """What the Job controller says of the Job."""
        status = {"conditions": [{"type": condition, "status": "True"}]}
        body = {"metadata": {"uid": f"{obj}-{attempt}"}, "status": status}
        return self._wrote("update", "jobs", "status", at, body)

    def pod_deleted(self, at: float, obj: str, grace: int, attempt: int = 1) -> "Story":
        """A request to delete its pod, which waits so many seconds for it to end."""
        meta = {"uid": f"pod-{obj}-{attempt}", "deletionGracePeriodSeconds": grace}
        return self._wrote("delete", "pods", "", at, {"metadata": meta})

    def job_deleted(self, at: float, obj: str, attempt: int = 1) -> "Story":
        """Its Job is deleted; the answer says no revision."""
        self.revision -= 1
        self._wrote("delete", "jobs", "", at, {"metadata": {}, "status": "Success"}, f"{obj}-{attempt}")
        del self.events[-1]["responseObject"]["metadata"]["resourceVersion"]
        return self

    def ran(self, obj: str, start: float, end: float, **stream: Any) -> "Story":
        """All of one run that succeeds."""
        attempt = stream.get("attempt", 1)
        self.job(start, obj, **stream).pod(start, obj, **stream)
        return self.phase(start, obj, "Running", attempt).phase(end, obj, "Succeeded", attempt)

    def in_order(self) -> "Story":
        """With revisions in the order of time, of one moment ends first, for runs told one by one."""
        self.events.sort(key=lambda each: (each["requestReceivedTimestamp"], each["verb"] != "patch"))
        for number, event in enumerate(self.events):
            event["responseObject"]["metadata"]["resourceVersion"] = str(number + 1)
        return self

    def refused(self) -> "Story":
        """The last request was refused."""
        self.events[-1]["responseStatus"]["code"] = 409
        return self

    def read(self) -> StreamLog:
        """The log that the checker makes of it."""
        return StreamLog.of(self.events)

    def _wrote(
        self, verb: str, resource: str, subresource: str, at: float, body: Raw, name: str = ""
    ) -> "Story":
        self.revision += 1
        body["metadata"]["resourceVersion"] = str(self.revision)
        place = {"resource": resource, "subresource": subresource, "namespace": "ns", "name": name}
        self.events.append(
            {
                "verb": verb,
                "objectRef": place,
                "responseStatus": {"code": 200},
                "requestReceivedTimestamp": _stamp(at),
                "responseObject": body,
            }
        )
        return self


def _job(obj: str, drive: str, rate: str, attempt: int = 1, session: str = "s", pool: str = "library") -> Raw:
    labels = {"role": "object", "session": session, "policy": "p", "backup-set": "b"}
    notes = {"object": obj, "rate": rate, "attempt": str(attempt)}
    return {
        "namespace": "ns",
        "name": f"{obj}-{attempt}",
        "uid": f"{obj}-{attempt}",
        "labels": {
            f"flexlbf.io/{key}": value for key, value in {**labels, "pool": pool, "drive": drive}.items()
        },
        "annotations": {f"flexlbf.io/{key}": value for key, value in notes.items()},
    }
