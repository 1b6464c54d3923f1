"""A control plane whose pods are played, with an operator on it; what is in git is applied by the tests."""

from collections.abc import Iterator

import pytest

from integration.conftest import plane_with_kinds
from integration.handlers.operatorprocess import OperatorProcess
from integration.sessions.theatre import Theatre
from localcluster.bare import BareControlPlane
from support.streamlog import AUDIT_POLICY


@pytest.fixture(scope="session")
def control_plane() -> Iterator[BareControlPlane]:
    """A control plane of these tests' own."""
    with plane_with_kinds(BareControlPlane(played_nodes=2, audit_policy=AUDIT_POLICY)) as plane:
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
def theatre(control_plane: BareControlPlane, namespace: str) -> Iterator[Theatre]:
    """The test's own part of the cluster."""
    mine = Theatre(control_plane, namespace)
    yield mine
    mine.clean_up()
