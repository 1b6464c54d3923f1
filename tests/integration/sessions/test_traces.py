"""A collector is told what was planned, written and started, where there is one."""

import pytest

from integration.handlers.cluster import eventually
from integration.handlers.operatorprocess import OperatorProcess
from integration.sessions.theatre import Theatre
from integration.sessions.workload import Library, lasting
from localcluster.bare import BareControlPlane
from support.tracecollector import TraceCollector, trace_collector

pytestmark = pytest.mark.integration

LIBRARY = Library(count=1, mbps=20)
PATIENCE = 120.0


def test_a_policy_and_its_session_are_traced(
    theatre: Theatre, control_plane: BareControlPlane, operator_process: OperatorProcess
):
    """The plan and what it had written lie in one trace; every object's start is told with its drive."""
    operator_process.stop()
    work = lasting(2, 3, LIBRARY)
    with trace_collector() as collector:
        environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.endpoint}
        with OperatorProcess(control_plane, "traced", variables=environment) as operator:
            theatre.with_drives(LIBRARY)
            theatre.with_class()
            theatre.adaptive(work)
            theatre.await_end(theatre.begin(), PATIENCE)
            eventually(lambda: assert_told(collector, theatre.namespace, work.names))
            assert operator.stop() == 0


def assert_told(collector: TraceCollector, namespace: str, objects: set[str]) -> None:
    mine = {"namespace": namespace, "policy": "weekly"}
    spans = {each.id: each for each in collector.spans}
    for name in ("plan", "apply"):
        found = collector.named(name, **mine)
        assert found, name
        assert {spans[each.parent].name for each in found} == {"reconcile"}
    plans, applied = ({each.trace for each in collector.named(name, **mine)} for name in ("plan", "apply"))
    assert plans & applied
    assert len(collector.named("session start", **mine)) == 1
    releases = collector.named("release", **mine)
    assert {each.attributes["flexlbf.object"] for each in releases} == objects
    assert {each.attributes["flexlbf.drive"] for each in releases} == set(LIBRARY.limits)
