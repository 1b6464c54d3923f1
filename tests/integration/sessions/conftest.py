"""A control plane whose nodes kwok plays, and an operator on it; one a test process."""

from collections.abc import Callable, Iterator

import pytest

from integration.conftest import plane_with_kinds
from integration.handlers.operatorprocess import OperatorProcess
from integration.sessions.theatre import Theatre
from localcluster.bare import BareControlPlane
from support.streamlog import AUDIT_POLICY

PLAYED_NODES = 4
QPS = 1000
"""With its default of 20 requests a second, the controller manager makes some four pods a second."""


@pytest.fixture(scope="session")
def control_plane() -> Iterator[BareControlPlane]:
    """A control plane on which pods play their parts."""
    plane = BareControlPlane(
        played_nodes=PLAYED_NODES,
        kube_api_qps=QPS,
        audit_policy=AUDIT_POLICY,
        controller_manager_args=["--concurrent-job-syncs=25"],
    )
    with plane_with_kinds(plane) as running:
        yield running


# Here as well as for the handlers' tests: pytest would hand a fixture that both share to the tests of both,
# with the control plane of those that came first.
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
    """The test's own part of the cluster; without its CronJobs, nothing of it runs on."""
    mine = Theatre(control_plane, namespace)
    yield mine
    mine.clean_up()


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Show a figure, whatever becomes of the test."""

    def show(text: str) -> None:
        with capsys.disabled():
            print(text)  # noqa: T201 - the figure

    return show
