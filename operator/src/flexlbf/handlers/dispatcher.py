"""Lets objects start: asks the schedulers what may, and creates their Jobs."""

import asyncio
import logging
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from flexlbf.api.v1alpha1 import TapePool
from flexlbf.cluster.client import ApiError
from flexlbf.cluster.jobs import JobWriter
from flexlbf.cluster.runindex import RunIndex
from flexlbf.handlers.livesession import Creation, SessionRun, Standing, nanoseconds
from flexlbf.handlers.tracing import span
from flexlbf.manifests.pod import Stream
from flexlbf.manifests.session import SessionJob, object_job
from flexlbf.planning.session import available_drives
from flexlbf.scheduling.dispatch import HostKey, PoolUse, Release, releases, why_waiting
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE

logger = logging.getLogger(__name__)

HOLD = timedelta(seconds=5)
"""After the API server refused a Job of a session, that session rests for so long."""

CONCURRENT_CREATES = 24


class Dispatcher:
    """Creates the Jobs that may start on a pool."""

    def __init__(self, runs: RunIndex, writer: JobWriter) -> None:
        self._runs = runs
        self._writer = writer
        self._slots = asyncio.Semaphore(CONCURRENT_CREATES)

    async def dispatch(
        self,
        pool: TapePool,
        sessions: Sequence[tuple[SessionRun, Standing]],
        everything: Collection[SessionRun],
        now: datetime,
    ) -> None:
        """Let objects start, by the sessions' rank, as the drives and the hosts have room.

        A Job that could not be created, or of which that is not known, is tried again under the same name
        on the same drive, and counts until then. What goes wrong holds its own session up and no other.
        """
        drives = (each.drive for each in available_drives(pool))
        unseen = [each.stream for each in self._unseen(session for session, _ in sessions)]
        use = PoolUse.of(drives, [*self._runs.streams(pool.metadata.name), *unseen], self._hosts(everything))
        due: list[tuple[SessionRun, Creation]] = []
        for session, standing in sessions:
            live = session.live
            live.now = nanoseconds(now - session.started)
            live.wait_for(standing.waiting)
            held = session.reason = self._held(session, now)
            if not held:
                due += [(session, each) for each in session.creating.values()]
                for release in releases(use, live):
                    creation = self._creation(session, release, standing, pool.metadata.name)
                    session.creating[release.job.name] = creation
                    due.append((session, creation))
                session.reason = why_waiting(use, live)
                if live.waiting:
                    use.close(live)
        await asyncio.gather(*(self._create(session, creation, now) for session, creation in due))

    def _unseen(self, sessions: Iterable[SessionRun]) -> Iterator[Creation]:
        """What is being created and is not among the Jobs yet."""
        for session in sessions:
            yield from (each for each in session.creating.values() if self._runs.job(each.place) is None)

    def _hosts(self, sessions: Iterable[SessionRun]) -> Counter[HostKey]:
        """The streams of each host, those that are being created for other pools too."""
        found = self._runs.hosts()
        for session in sessions:
            for each in self._unseen([session]):
                if each.job.host:
                    found[session.live.realm, each.job.host.name] += 1
        return found

    def _held(self, session: SessionRun, now: datetime) -> str:
        """Why a session may start nothing at all; empty if it may."""
        if session.ending:
            return "the session ends"
        if session.blocked:
            return f"its policy gives no plan to run: {session.blocked.message}"
        if session.policy.spec.suspend:
            return "the policy is suspended"
        if session.held_until and now < session.held_until:
            return f"the API server refuses its Jobs: {session.refusal}"
        return ""

    async def _create(self, session: SessionRun, creation: Creation, now: datetime) -> None:
        name = creation.job.name
        async with self._slots:
            try:
                with span("release", **_told(session, creation)):
                    await self._writer.create(creation.manifest)
            except ApiError as error:
                session.held_until, session.refusal = now + HOLD, str(error)
                if error.namespace_is_ending:
                    session.creating.pop(name, None)
                    return
                logger.warning("Session %s: starting %r: %s", session.job.place.name, name, error)
                if not error.refused:
                    return  # it may be there, or may come to be: it counts until that is known
        session.creating.pop(name, None)

    def _creation(self, session: SessionRun, release: Release, standing: Standing, pool: str) -> Creation:
        origin = session.plan.origins[release.job.name]
        stream = Stream(
            release.job.name,
            origin.backup_set,
            session.policy.metadata.name,
            origin.source,
            release.drive.name,
            session.plan.devices[release.drive.name],
            release.drive.max_rate // MICROBYTES_PER_BYTE,
            pool,
            release.job.rate,
            origin.host,
        )
        job = SessionJob(session.job.place.namespace, session.job.place.name, session.job.uid)
        attempt = standing.tries.get(release.job.name, 0) + 1
        # Not what is declared now: the class checked these overrides and this source, and no others.
        pod = session.plan.pod
        manifest = object_job(pod.spec, pod.overrides, job, stream, attempt)
        return Creation(release.job, release.drive, manifest)


def _told(session: SessionRun, creation: Creation) -> dict[str, str]:
    """What a trace says of a release."""
    return {
        "namespace": session.key.namespace,
        "policy": session.key.name,
        "session": session.job.place.name,
        "object": creation.job.name,
        "drive": creation.drive.name,
    }
