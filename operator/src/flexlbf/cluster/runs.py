"""The Jobs of sessions and objects and their pods, as observed."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from flexlbf.manifests.cronjob import parse_rate
from flexlbf.manifests.names import (
    ANNOTATION_ATTEMPT,
    ANNOTATION_HOST,
    ANNOTATION_OBJECT,
    ANNOTATION_RATE,
    ANNOTATION_SET,
    LABEL_DRIVE,
    LABEL_POLICY,
    LABEL_POOL,
    LABEL_ROLE,
    ROLE_OBJECT,
    ROLE_SESSION,
    SESSION_MANAGER,
)
from flexlbf.planning.times import read_time

Raw = Mapping[str, Any]
SECOND = timedelta(seconds=1)


class Place(NamedTuple):
    """Namespace and name."""

    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class StreamFacts:
    """What labels and annotations say of a stream; on its Job and on its pods alike.

    Attributes:
        rate: micro-bytes a second that it was given.
        host: the machine that sends it, if that is known.
        attempt: which try of its session it is, from 1.
    """

    obj: str
    backup_set: str
    policy: str
    pool: str
    drive: str
    rate: int
    host: str | None
    attempt: int

    @classmethod
    def of(cls, metadata: Raw) -> "StreamFacts | None":
        """Read them, None if they are not those of a stream."""
        labels, annotations = metadata.get("labels") or {}, metadata.get("annotations") or {}
        if labels.get(LABEL_ROLE) != ROLE_OBJECT:
            return None
        try:
            return cls(
                obj=annotations[ANNOTATION_OBJECT],
                backup_set=annotations.get(ANNOTATION_SET, ""),
                policy=labels.get(LABEL_POLICY, ""),
                pool=labels[LABEL_POOL],
                drive=labels[LABEL_DRIVE],
                rate=parse_rate(annotations[ANNOTATION_RATE]),
                host=annotations.get(ANNOTATION_HOST),
                attempt=int(annotations.get(ANNOTATION_ATTEMPT, "1")),
            )
        except (KeyError, ValueError):
            return None


@dataclass(frozen=True, slots=True)
class ObservedJob:
    """A Job of ours.

    Attributes:
        owner: the uid of what controls it: a session's CronJob or policy, an object's session or CronJob.
        is_session: whether it is a session that the operator manages.
        policy: the label with the name of its policy.
        completions: of a session, how many objects it was made for.
        facts: of the stream, None for a session.
        created: when it was made.
        scheduled: when its CronJob was to make it, if that says so.
        started: when work began on it.
        completed: when it was done, if it succeeded.
        outcome: `Complete` or `Failed` once it is over.
        deleted: whether its deletion has begun.
        retries: how often Kubernetes itself makes another pod after one that failed.
        counts: active, succeeded and failed of its status.
    """

    place: Place
    uid: str
    version: int
    owner: str
    owner_name: str
    owner_kind: str
    is_session: bool
    policy: str
    completions: int
    facts: StreamFacts | None
    annotations: Mapping[str, str]
    created: datetime
    scheduled: datetime | None
    started: datetime | None
    completed: datetime | None
    outcome: str | None
    deleted: bool
    retries: int
    counts: tuple[int, int, int]

    @property
    def underway(self) -> bool:
        """Whether it is a session that has not ended."""
        return self.is_session and self.outcome is None and not self.deleted

    @classmethod
    def of(cls, raw: Raw) -> "ObservedJob":
        """Observe a Job as the API server gives it."""
        metadata, spec, status = raw["metadata"], raw["spec"], raw.get("status") or {}
        labels, annotations = metadata.get("labels") or {}, metadata.get("annotations") or {}
        owner = _controller(metadata)
        managed = spec.get("managedBy") == SESSION_MANAGER
        created = read_time(metadata["creationTimestamp"])
        assert created is not None
        return cls(
            place=Place(metadata["namespace"], metadata["name"]),
            uid=metadata["uid"],
            version=int(metadata["resourceVersion"]),
            owner=owner.get("uid", ""),
            owner_name=owner.get("name", ""),
            owner_kind=owner.get("kind", ""),
            is_session=managed and labels.get(LABEL_ROLE) == ROLE_SESSION,
            policy=labels.get(LABEL_POLICY, ""),
            completions=int(spec.get("completions") or 0),
            facts=StreamFacts.of(metadata),
            annotations={key: annotations[key] for key in annotations if key.startswith("flexlbf.io/")},
            created=created,
            scheduled=read_time(annotations.get("batch.kubernetes.io/cronjob-scheduled-timestamp")),
            started=read_time(status.get("startTime")),
            completed=read_time(status.get("completionTime")),
            outcome=_outcome(status),
            deleted=bool(metadata.get("deletionTimestamp")),
            retries=int(spec.get("backoffLimit", 6)),
            counts=tuple(int(status.get(key) or 0) for key in ("active", "succeeded", "failed")),  # type: ignore[arg-type]
        )


@dataclass(frozen=True, slots=True)
class ObservedPod:
    """A pod of an object's Job.

    Attributes:
        job: the uid of its Job.
        succeeded: True or False once all of its containers have ended, None before.
        started, ended: of the container that tells what it backed up, else of the first.
        lasted: that container's time, to the fraction of a second where it says so itself.
        bytes: what it says to have written, None if it says nothing.
    """

    place: Place
    uid: str
    version: int
    job: str
    job_name: str
    facts: StreamFacts | None
    succeeded: bool | None
    started: datetime | None
    ended: datetime | None
    lasted: timedelta | None
    bytes: int | None

    @classmethod
    def of(cls, raw: Raw) -> "ObservedPod":
        """Observe a pod as the API server gives it."""
        metadata, status = raw["metadata"], raw.get("status") or {}
        phase = status.get("phase")
        owner = _controller(metadata)
        telling = _telling(status.get("containerStatuses") or ())
        started, ended = read_time(telling.get("startedAt")), read_time(telling.get("finishedAt"))
        said = _said(telling)
        return cls(
            place=Place(metadata["namespace"], metadata["name"]),
            uid=metadata["uid"],
            version=int(metadata["resourceVersion"]),
            job=owner.get("uid", ""),
            job_name=owner.get("name", ""),
            facts=StreamFacts.of(metadata),
            succeeded={"Succeeded": True, "Failed": False}.get(str(phase)),
            started=started,
            ended=ended,
            lasted=_lasted(started, ended, said),
            bytes=_whole(said.get("bytes")),
        )


def _controller(metadata: Raw) -> Raw:
    return next((each for each in metadata.get("ownerReferences") or () if each.get("controller")), {})


def _outcome(status: Raw) -> str | None:
    for each in status.get("conditions") or ():
        if each.get("type") in {"Complete", "Failed"} and each.get("status") == "True":
            return str(each["type"])
    return None


def _telling(containers: Iterable[Raw]) -> Raw:
    """How the container ended that tells of its backup, else the first of those that have ended."""
    ended = [found for each in containers if (found := (each.get("state") or {}).get("terminated"))]
    return next((each for each in ended if _whole(_said(each).get("bytes")) is not None), (ended or [{}])[0])


def _said(terminated: Raw) -> Raw:
    try:
        said = json.loads(terminated.get("message") or "{}")
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _lasted(started: datetime | None, ended: datetime | None, said: Raw) -> timedelta | None:
    """Kubernetes counts in whole seconds; what the container says is believed as far as it fits that."""
    if started is None or ended is None:
        return None
    counted = ended - started
    try:
        told = timedelta(seconds=float(said.get("seconds") or 0))
    except (TypeError, ValueError, OverflowError):
        return counted
    return told if timedelta() < told and abs(told - counted) <= SECOND else counted


@dataclass(frozen=True, slots=True)
class Run:
    """One try of one object: its Job, and the pod that tells most of it; one of them may be gone."""

    job: ObservedJob | None
    pod: ObservedPod | None
    facts: StreamFacts

    @property
    def succeeded(self) -> bool | None:
        """Whether its backup was made; None while it streams or may stream again."""
        if self.job is not None and self.job.outcome is not None:
            return self.job.outcome == "Complete"
        pod = self.pod.succeeded if self.pod else None
        # A pod's end is seen before the Job controller says what it makes of it.
        return None if pod is False and self.job is not None and self.job.retries else pod

    @property
    def untold(self) -> bool:
        """Whether its Job is complete and its pod, which says how long and how much, was not seen to end."""
        return (
            self.job is not None
            and self.job.outcome == "Complete"
            and (self.pod is None or self.pod.lasted is None)
        )

    @property
    def namespace(self) -> str:
        """Where it runs."""
        found = self.job or self.pod
        assert found is not None
        return found.place.namespace

    @property
    def job_name(self) -> str:
        """What its Job is, or was, called."""
        return self.job.place.name if self.job else self.pod.job_name if self.pod else ""

    @property
    def began(self) -> datetime | None:
        """When its container started, else when its Job was made."""
        told = self.pod.started if self.pod else None
        return told or (self.job.created if self.job else None)

    @property
    def lasted(self) -> timedelta | None:
        """The time from its container's start to its end; the Job's, waits included, if no pod told."""
        if self.pod is not None and self.pod.lasted is not None:
            return self.pod.lasted
        if self.job is None or self.job.started is None or self.job.completed is None:
            return None
        return self.job.completed - self.job.started
