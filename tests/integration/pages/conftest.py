"""Two operators with pages, on a control plane whose nodes kwok plays; one pair a test process."""

import uuid
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from integration.conftest import CRDS, plane_with_kinds
from integration.handlers.cluster import eventually
from integration.handlers.lease import Lease
from integration.handlers.operatorprocess import OperatorProcess
from integration.pages.reader import Reader
from integration.sessions.theatre import Theatre
from localcluster.bare import BareControlPlane
from support.streamlog import AUDIT_POLICY

SYSTEM = "flexlbf-system"
ACCOUNT = f"system:serviceaccount:{SYSTEM}:flexlbf-operator"
ROLES = CRDS.parent / "config" / "rbac"
READS = {"level": "Metadata", "verbs": ["get", "list", "watch"]}
ALL_REQUESTS = {**AUDIT_POLICY, "rules": [*AUDIT_POLICY["rules"][:-1], READS]}
ANY_PORT = {"FLEXLBF_PAGES": "127.0.0.1:0"}


@pytest.fixture(scope="session")
def control_plane() -> Iterator[BareControlPlane]:
    """A control plane on which pods play their parts, with the operator's own role in it."""
    groups = ["system:serviceaccounts", "system:authenticated"]
    wanted = BareControlPlane(played_nodes=2, audit_policy=ALL_REQUESTS, users={ACCOUNT: groups})
    with plane_with_kinds(wanted) as plane:
        plane.kubectl("create", "namespace", SYSTEM)
        plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", str(ROLES))
        yield plane


@pytest.fixture(scope="session")
def readers(control_plane: BareControlPlane) -> Iterator[tuple[Reader, Reader]]:
    """Readers of the operator that leads, and of the one that waits; neither may do more than it needs."""
    with ExitStack() as stack:
        pair = []
        for name in ("leader", "waiting"):
            account = control_plane.kubeconfig_for(ACCOUNT)
            operator = OperatorProcess(
                control_plane,
                name,
                alone=False,
                kubeconfig=account,
                lease_namespace=SYSTEM,
                variables=ANY_PORT,
            )
            pair.append(stack.enter_context(operator))
            eventually(lambda: _assert_led(Lease(control_plane, SYSTEM)))
        eventually(lambda: _assert_waits(pair[1]))
        yield Reader.of(pair[0]), Reader.of(pair[1])


def _assert_led(lease: Lease) -> None:
    assert lease.holder()


def _assert_waits(operator: OperatorProcess) -> None:
    assert "Waiting: " in operator.log


@pytest.fixture
def reader(readers: tuple[Reader, Reader]) -> Reader:
    """A reader of the operator that leads."""
    return readers[0]


@pytest.fixture
def theatre(control_plane: BareControlPlane) -> Iterator[Theatre]:
    """The test's own part of the cluster; without its CronJobs, nothing of it runs on."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    control_plane.kubectl("create", "namespace", name)
    mine = Theatre(control_plane, name)
    yield mine
    mine.clean_up()
    control_plane.kubectl("delete", "namespace", name, "--wait=false")
