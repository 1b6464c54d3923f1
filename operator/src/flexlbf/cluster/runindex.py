"""Sessions, Jobs of objects and pods in memory: the state of all that runs, by pool and by session."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from flexlbf.cluster.drivemeter import DriveKey, DriveMeter
from flexlbf.cluster.index import Graveyard
from flexlbf.cluster.runs import ObservedJob, ObservedPod, Place, Run
from flexlbf.manifests.names import label_value
from flexlbf.scheduling.dispatch import ActiveStream, HostKey


class Observed(Protocol):
    """What has a place, an identity and a version."""

    @property
    def place(self) -> Place:
        """Where it is."""

    @property
    def uid(self) -> str:
        """Which one it is."""

    @property
    def version(self) -> int:
        """The server's count of its changes."""


Kind = TypeVar("Kind", bound=Observed)


class Index(Generic[Kind]):
    """Objects of one kind by place; only ever newer versions are taken in, and none that is gone."""

    def __init__(self) -> None:
        self.all: dict[Place, Kind] = {}
        self._gone = Graveyard()

    def put(self, each: Kind) -> bool:
        """Take one in; False if it is not news."""
        known = self.all.get(each.place)
        stale = known is not None and known.uid == each.uid and known.version >= each.version
        if stale or each.uid in self._gone:
            return False
        self.all[each.place] = each
        return True

    def drop(self, each: Kind) -> bool:
        """One is gone; False if that was known, or another has its name by now."""
        self._gone.bury(each.uid)
        known = self.all.get(each.place)
        if known is None or known.uid != each.uid:
            return False
        del self.all[each.place]
        return True

    def missing(self, listed: Iterable[Kind], version: int) -> list[Kind]:
        """What is not in a list that was read at a version, and so is gone."""
        there = {each.place for each in listed}
        return [each for place, each in self.all.items() if place not in there and each.version <= version]


class RunIndex:
    """What runs. A stream is open from its Job's creation until its pod has ended, or both are gone.

    Attributes:
        meter: how long the drives were busy; pools by the value of their label.
    """

    def __init__(self) -> None:
        self.meter = DriveMeter()
        self._jobs: Index[ObservedJob] = Index()
        self._pods: Index[ObservedPod] = Index()
        self._job_of: dict[str, ObservedJob] = {}
        self._jobs_of_owner: dict[str, dict[str, ObservedJob]] = {}
        self._pods_of_job: dict[str, dict[str, ObservedPod]] = {}
        self._sessions: dict[str, ObservedJob] = {}
        self._open: dict[str, dict[str, Run]] = {}

    def put_job(self, job: ObservedJob) -> bool:
        """Take a Job in; False if it is not news."""
        known = self._jobs.all.get(job.place)
        if not self._jobs.put(job):
            return False
        if known is not None and known.uid != job.uid:
            self._forget_job(known)
        self._job_of[job.uid] = job
        self._jobs_of_owner.setdefault(job.owner, {})[job.uid] = job
        if job.is_session:
            self._sessions[job.uid] = job
        self._weigh(job.uid)
        return True

    def drop_job(self, job: ObservedJob) -> bool:
        """A Job is gone; False if that was known."""
        if not self._jobs.drop(job):
            return False
        self._forget_job(job)
        return True

    def _forget_job(self, job: ObservedJob) -> None:
        known = self._job_of.pop(job.uid, job)
        self._sessions.pop(job.uid, None)
        children = self._jobs_of_owner.get(known.owner, {})
        children.pop(job.uid, None)
        if not children:
            self._jobs_of_owner.pop(known.owner, None)
        self._weigh(job.uid)

    def put_pod(self, pod: ObservedPod) -> bool:
        """Take a pod in; False if it is not news."""
        known = self._pods.all.get(pod.place)
        if not self._pods.put(pod):
            return False
        if known is not None and known.uid != pod.uid:
            self._forget_pod(known)
        self._pods_of_job.setdefault(pod.job, {})[pod.uid] = pod
        self._weigh(pod.job)
        return True

    def drop_pod(self, pod: ObservedPod) -> bool:
        """A pod is gone; False if that was known."""
        if not self._pods.drop(pod):
            return False
        self._forget_pod(pod)
        return True

    def _forget_pod(self, pod: ObservedPod) -> None:
        of_job = self._pods_of_job.get(pod.job, {})
        of_job.pop(pod.uid, None)
        if not of_job:
            self._pods_of_job.pop(pod.job, None)
        self._weigh(pod.job)

    def listed_jobs(self, listed: list[ObservedJob], version: int) -> Iterator[ObservedJob]:
        """All Jobs were read as they were at a version; gives what changed."""
        gone = self._jobs.missing(listed, version)
        yield from (each for each in listed if self.put_job(each))
        yield from (each for each in gone if self.drop_job(each))

    def listed_pods(self, listed: list[ObservedPod], version: int) -> Iterator[ObservedPod]:
        """All pods were read as they were at a version; gives what changed."""
        gone = self._pods.missing(listed, version)
        yield from (each for each in listed if self.put_pod(each))
        yield from (each for each in gone if self.drop_pod(each))

    def sessions(self) -> list[ObservedJob]:
        """All sessions, over or not."""
        return list(self._sessions.values())

    def sessions_of(self, owner: str) -> list[ObservedJob]:
        """The sessions that a CronJob or a policy controls, by its uid."""
        return [each for each in self._jobs_of_owner.get(owner, {}).values() if each.is_session]

    def session(self, uid: str) -> ObservedJob | None:
        """One session."""
        return self._sessions.get(uid)

    def job(self, place: Place) -> ObservedJob | None:
        """A Job by its name."""
        return self._jobs.all.get(place)

    def of_session(self, uid: str) -> list[Run]:
        """All tries of the objects of a session whose Jobs are there."""
        found = (self.run(job) for job in self._jobs_of_owner.get(uid, {}))
        return [run for run in found if run is not None]

    def all_runs(self) -> Iterator[Run]:
        """Every try of every object whose Job is there."""
        found = (self.run(job) for job in list(self._job_of))
        return (run for run in found if run is not None)

    def open_streams(self, pool: str) -> list[Run]:
        """What streams to the drives of a pool, or may at any moment, whoever started it."""
        return list(self._open.get(label_value(pool), {}).values())

    def all_open_streams(self) -> Iterator[Run]:
        """What streams to the drives of any pool, or may at any moment."""
        return (run for streams in self._open.values() for run in streams.values())

    def streams(self, pool: str) -> list[ActiveStream]:
        """The same as the scheduler counts it."""
        return [ActiveStream(run.facts.drive, run.facts.rate) for run in self.open_streams(pool)]

    def streams_by_policy(self) -> Counter[tuple[str, str]]:
        """How many streams are open of each policy, by its namespace and the value of its label."""
        return Counter((run.namespace, run.facts.policy) for run in self.all_open_streams())

    def hosts(self) -> Counter[HostKey]:
        """How many streams the hosts of each namespace send, to whatever pool."""
        streams = self.all_open_streams()
        return Counter((run.namespace, run.facts.host) for run in streams if run.facts.host)

    def run(self, job_uid: str) -> Run | None:
        """The run of a Job, which may be gone while its pod goes on; None if neither is a stream's."""
        job = self._job_of.get(job_uid)
        # Of several pods of a Job one that still runs counts, else the latest.
        pods = self._pods_of_job.get(job_uid, {}).values()
        pod = max(pods, key=lambda each: (each.succeeded is None, each.version), default=None)
        facts = (job.facts if job else None) or (pod.facts if pod else None)
        return Run(job, pod, facts) if facts else None

    def _weigh(self, job_uid: str) -> None:
        """Note whether the stream of a Job is open."""
        run = self.run(job_uid)
        if run is not None and run.succeeded is None:
            streams = self._open.setdefault(run.facts.pool, {})
            if job_uid not in streams:
                self.meter.opened(DriveKey(run.facts.pool, run.facts.drive))
            streams[job_uid] = run
            return
        for streams in self._open.values():
            ended = streams.pop(job_uid, None)
            if ended is not None:
                self.meter.closed(DriveKey(ended.facts.pool, ended.facts.drive))
