"""One operator a test process, on the process's control plane; a test may kill it, the next has it again."""

from collections.abc import Iterator

import pytest

from integration.conftest import plane_with_kinds
from integration.handlers.audit import AuditTrail
from integration.handlers.cluster import Cluster
from integration.handlers.operatorprocess import OperatorProcess
from localcluster.bare import BareControlPlane


@pytest.fixture(scope="session")
def control_plane() -> Iterator[BareControlPlane]:
    """A control plane of the operator's own: it would write the statuses that other tests write."""
    with plane_with_kinds() as plane:
        yield plane


@pytest.fixture(scope="session")
def operator_process(control_plane: BareControlPlane) -> Iterator[OperatorProcess]:
    """The process that all tests share, since it serves the whole cluster."""
    with OperatorProcess(control_plane) as process:
        yield process


@pytest.fixture
def operator(operator_process: OperatorProcess) -> OperatorProcess:
    """The operator, running, whatever the test before did to it."""
    operator_process.start()
    return operator_process


@pytest.fixture
def cluster(control_plane: BareControlPlane, namespace: str) -> Iterator[Cluster]:
    """The test's own part of the cluster."""
    mine = Cluster(control_plane, namespace)
    yield mine
    mine.clean_up()


@pytest.fixture
def audit(control_plane: BareControlPlane, namespace: str) -> AuditTrail:
    """What the operator writes for the test's namespace, pool and class."""
    return AuditTrail(control_plane, namespace)
