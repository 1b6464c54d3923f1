"""What pages are made of: what this operator holds in memory, whether it leads or waits for its turn."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from flexlbf.api.durations import Duration
from flexlbf.cluster.gather import Fingerprint, Gatherer
from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, Place, Run
from flexlbf.cluster.sessions import policy_of
from flexlbf.cluster.state import ClusterState, Key, key_of, spec_field
from flexlbf.manifests.names import label_value, managed_session_name
from flexlbf.planning.snapshot import PolicySnapshot, RawObject
from flexlbf.report.standing import OpenStream, Standing, standing_of
from flexlbf.scheduling.units import to_megabytes


class PageSource:
    """Reads; nothing here asks the API server, but for a ConfigMap's history once a version."""

    def __init__(self, state: ClusterState, runs: RunIndex, gatherer: Gatherer) -> None:
        self._state = state
        self._runs = runs
        self._gatherer = gatherer

    def policies(self, namespace: str | None = None) -> list[RawObject]:
        """All policies, or those of a namespace."""
        return [raw for key, raw in self._state.policies.items() if namespace in {None, key.namespace}]

    def policy(self, key: Key) -> RawObject | None:
        """A policy, None if there is none."""
        return self._state.policies.get(key)

    async def snapshot(self, policy: RawObject) -> tuple[PolicySnapshot, Fingerprint]:
        """The policy and all it refers to, with what tells it from other versions.

        Raises:
            ApiError: a ConfigMap with history is not known yet and can't be read.
        """
        # Only who leads is told of the sessions that are underway; who waits sees them run.
        seen = {managed_session_name(key.name, job.uid) for key, job in self._underway(policy)}
        return await self._gatherer.gather(policy, frozenset(seen))

    def standing(self, policy: RawObject, now: datetime) -> Standing:
        """How a policy stands at an instant."""
        return standing_of(policy, self._streams(policy), self._window_end(policy), now)

    def _underway(self, policy: RawObject) -> Iterator[tuple[Key, ObservedJob]]:
        """The sessions of the policy's namespace that run, whose measurements don't count yet."""
        namespace = key_of(policy).namespace
        for job in self._runs.sessions():
            if job.underway and job.place.namespace == namespace and (key := policy_of(self._state, job)):
                yield key, job

    def _streams(self, policy: RawObject) -> Iterator[OpenStream]:
        key = key_of(policy)
        for run in self._runs.open_streams(str(spec_field(policy, "tapePool"))):
            if run.namespace == key.namespace and run.facts.policy == label_value(key.name):
                yield _stream(run)

    def _window_end(self, policy: RawObject) -> datetime | None:
        """When the window of the policy's session ends, counted from when that was due."""
        session: Mapping[str, Any] = (policy.get("status") or {}).get("session") or {}
        job = self._runs.job(Place(key_of(policy).namespace, str(session.get("name"))))
        try:
            window = Duration.parse(str(spec_field(policy, "window")))
        except ValueError:
            return None
        return (job.scheduled or job.created) + timedelta(milliseconds=window.milliseconds) if job else None


def _stream(run: Run) -> OpenStream:
    facts = run.facts
    return OpenStream(facts.obj, facts.drive, to_megabytes(facts.rate), run.began, facts.attempt)
