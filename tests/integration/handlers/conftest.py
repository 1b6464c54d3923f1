"""A control plane for the operator, one a test process, and a test's own part of it."""

from collections.abc import Iterator

import pytest

from integration.conftest import plane_with_kinds
from integration.handlers.audit import AuditTrail
from integration.handlers.cluster import Cluster
from localcluster.bare import BareControlPlane


@pytest.fixture(scope="session")
def control_plane() -> Iterator[BareControlPlane]:
    """A control plane of the operator's own: it would write the statuses that other tests write."""
    with plane_with_kinds() as plane:
        yield plane


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
