"""What really streamed to which drive and when, by the API server's audit log and nothing of the operator's.

A stream holds its drive from the creation of its Job until its pod has ended. The order of what happened is
the store's: every object carries the revision that wrote it, so neither clocks nor a busy machine blur who
came first.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from support.resources import Raw

AUDIT_POLICY: Mapping[str, Any] = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "omitManagedFields": True,
    "rules": [
        {
            "level": "RequestResponse",
            "verbs": ["create", "delete"],
            "resources": [{"group": "batch", "resources": ["jobs"]}, {"group": "", "resources": ["pods"]}],
        },
        {
            "level": "RequestResponse",
            "verbs": ["update", "patch"],
            "resources": [
                {"group": "batch", "resources": ["jobs/status"]},
                {"group": "", "resources": ["pods/status"]},
            ],
        },
        {"level": "Metadata", "verbs": ["create", "update", "patch", "delete", "deletecollection"]},
        {"level": "None"},
    ],
}
"""What the audit log must hold to be read here."""

ENDED = {"Succeeded", "Failed"}
_LABEL = "flexlbf.io/"


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """When something happened: the store's revision, and the clock's seconds when it was asked for."""

    revision: int
    at: float


@dataclass(slots=True)
class Stream:
    """One run of one object.

    Attributes:
        namespace, session, policy, backup_set, obj: what it belongs to; `session` is the session Job's name.
        attempt: from 1.
        pool, drive: where it streams to.
        rate: bytes a second that it was given.
        created: its Job.
        started: its pod runs.
        ended: its drive is free again; None while it holds it.
        outcome: `Succeeded`, `Failed`, or `Gone` if it went away without an end.
        deleted: its Job.
    """

    namespace: str
    session: str
    policy: str
    backup_set: str
    obj: str
    attempt: int
    pool: str
    drive: str
    rate: Decimal
    created: Moment
    started: Moment | None = None
    ended: Moment | None = None
    outcome: str | None = None
    deleted: Moment | None = None
    pods: int = 0


@dataclass
class StreamLog:
    """Streams by the identity of their Jobs, and sessions by the identity of theirs."""

    streams: dict[str, Stream] = field(default_factory=dict)
    sessions: dict[str, Moment] = field(default_factory=dict)
    _pods: dict[str, Stream] = field(default_factory=dict)
    _jobs: dict[tuple[str, str], Stream] = field(default_factory=dict)
    _revision: int = 0

    @classmethod
    def of(cls, events: Iterable[Raw], namespaces: frozenset[str] | None = None) -> "StreamLog":
        """Read audit events; of these namespaces only, if any are named."""
        log = cls()
        mine = (each for each in events if _concerns(each, namespaces))
        for event in sorted(map(_shortened, mine), key=lambda each: str(each["requestReceivedTimestamp"])):
            log._take(event, event["objectRef"])
        return log

    def session_began(self, namespace: str, name: str) -> Moment:
        """When a session's Job was made."""
        return self.sessions[f"{namespace}/{name}"]

    def of_session(self, namespace: str, name: str) -> list[Stream]:
        """The streams of one session, in the order of their release."""
        found = [each for each in self.all() if (each.namespace, each.session) == (namespace, name)]
        return sorted(found, key=lambda each: each.created)

    def all(self) -> list[Stream]:
        """All streams, in the order of their release."""
        return sorted(self.streams.values(), key=lambda each: each.created)

    def _take(self, event: Raw, place: Raw) -> None:
        what = (event["verb"], "/".join(filter(None, (place["resource"], place.get("subresource")))))
        body = event["responseObject"]
        moment = self._moment(event, body)
        match what:
            case "create", "jobs":
                self._job_created(body, moment)
            case "create", "pods":
                self._pod_created(body, moment)
            case "update" | "patch", "pods/status":
                self._pod_changed(body, moment)
            case "update" | "patch", "jobs/status":
                self._job_changed(body, moment)
            case "delete", "pods":
                self._pod_deleted(body, moment)
            case "delete", "jobs":
                self._job_deleted(place, moment)

    def _moment(self, event: Raw, body: Raw) -> Moment:
        """An answer without a revision, as to a deletion, counts as soon as what was written before it."""
        at = datetime.fromisoformat(event["requestReceivedTimestamp"]).timestamp()
        own = body["metadata"].get("resourceVersion")
        revision = int(own) if own else self._revision
        self._revision = max(self._revision, revision)
        return Moment(revision, at)

    def _job_created(self, job: Raw, moment: Moment) -> None:
        meta = job["metadata"]
        role = meta.get("labels", {}).get(f"{_LABEL}role")
        if role == "session":
            self.sessions[f"{meta['namespace']}/{meta['name']}"] = moment
        elif role == "object":
            self._open(meta["uid"], meta, moment)

    def _pod_created(self, pod: Raw, moment: Moment) -> None:
        meta = pod["metadata"]
        owner = next((each for each in meta.get("ownerReferences", ()) if each["kind"] == "Job"), None)
        if owner is None or meta.get("labels", {}).get(f"{_LABEL}role") != "object":
            return
        if owner["uid"] not in self.streams:  # the API server died before it wrote down that it made the Job
            self._open(owner["uid"], {**meta, "name": owner["name"]}, moment)
        stream = self.streams[owner["uid"]]
        stream.pods += 1
        self._pods[meta["uid"]] = stream

    def _open(self, uid: str, meta: Raw, moment: Moment) -> None:
        labels, notes = meta["labels"], meta["annotations"]
        self.streams[uid] = self._jobs[meta["namespace"], meta["name"]] = Stream(
            namespace=meta["namespace"],
            session=labels.get(f"{_LABEL}session", ""),
            policy=labels[f"{_LABEL}policy"],
            backup_set=labels[f"{_LABEL}backup-set"],
            obj=notes[f"{_LABEL}object"],
            attempt=int(notes.get(f"{_LABEL}attempt", "1")),
            pool=labels[f"{_LABEL}pool"],
            drive=labels[f"{_LABEL}drive"],
            rate=Decimal(notes[f"{_LABEL}rate"]),
            created=moment,
        )

    def _pod_changed(self, pod: Raw, moment: Moment) -> None:
        stream = self._pods.get(pod["metadata"]["uid"])
        if stream is None:
            return
        phase = pod["status"]["phase"]
        if phase == "Running" and stream.started is None:
            stream.started = moment
        elif phase in ENDED:
            _end(stream, moment, phase)

    def _job_changed(self, job: Raw, moment: Moment) -> None:
        """Only where the pod's own end was not seen, since it comes a second later."""
        stream = self.streams.get(job["metadata"]["uid"])
        conditions = job.get("status", {}).get("conditions") or ()
        held = {each["type"] for each in conditions if each["status"] == "True"}
        if stream is not None and held & {"Complete", "Failed"}:
            _end(stream, moment, "Succeeded" if "Complete" in held else "Failed")

    def _pod_deleted(self, pod: Raw, moment: Moment) -> None:
        """The first request lets a pod end, and only one without patience takes it away."""
        meta = pod["metadata"]
        stream = self._pods.get(meta.get("uid", ""))
        if stream is not None and meta.get("deletionGracePeriodSeconds") == 0:
            _end(stream, moment, "Gone")

    def _job_deleted(self, place: Raw, moment: Moment) -> None:
        stream = self._jobs.get((place["namespace"], place["name"]))
        if stream is None:
            return
        stream.deleted = stream.deleted or moment
        if not stream.pods:  # a pod goes on without its Job until it is deleted as well
            _end(stream, moment, "Gone")


def _concerns(event: Raw, namespaces: frozenset[str] | None) -> bool:
    place = event.get("objectRef") or {}
    if event["responseStatus"]["code"] >= 300 or place.get("resource") not in {"jobs", "pods"}:
        return False
    return namespaces is None or place.get("namespace") in namespaces


def _shortened(event: Raw) -> Raw:
    """Without the objects' specs, which make a log of many thousands too large to hold."""
    body = event.get("responseObject") or {}
    kept = {"metadata": body.get("metadata") or {}, "status": body.get("status") or {}}
    return {
        "verb": event["verb"],
        "objectRef": event["objectRef"],
        "requestReceivedTimestamp": event["requestReceivedTimestamp"],
        "responseObject": kept if isinstance(kept["status"], dict) else {"metadata": {}, "status": {}},
    }


def _end(stream: Stream, moment: Moment, outcome: str) -> None:
    if stream.ended is None:
        stream.ended, stream.outcome = moment, outcome
