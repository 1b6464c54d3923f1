"""One kind cluster a test process with the operator under its own account in it; one namespace a test."""

import os
import uuid
from collections.abc import Callable, Iterator

import pytest

from demo.clusters import Cluster, kind_cluster
from demo.install import SYSTEM, operator_log
from e2e.node import Node
from e2e.release import Release
from e2e.site import Site
from localcluster.kind import can_run_kind

DENIALS = ("(403", "orbidden", "enough permissions")  # not 403 alone: that is a time of day, too


ACCOUNT = f"system:serviceaccount:{SYSTEM}:flexlbf-operator"
AUDITED = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [{"level": "Metadata", "users": [ACCOUNT]}],
}
LAST = "test_permissions.py"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What looks back at all the others comes last, however the tests are shuffled."""
    items.sort(key=lambda item: item.path.name == LAST)


@pytest.fixture(scope="session")
def kind() -> Iterator[Cluster]:
    """A cluster that is empty yet; where kind can't run the tests are left out, but never in CI."""
    if reason := can_run_kind():
        if os.environ.get("CI") == "true":
            pytest.fail(f"kind can't run here, and in CI no test may be left out: {reason}")
        pytest.skip(reason)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    with kind_cluster(f"flexlbf-e2e{worker}", audit_policy=AUDITED) as running:
        yield running


@pytest.fixture(scope="session")
def release(kind: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The chart, packaged and installed from the package."""
    made = Release.of(kind, tmp_path_factory.mktemp("helm"))
    made.install()
    return made


@pytest.fixture(scope="session")
def cluster(release: Release) -> Cluster:
    """The cluster with the operator."""
    return release.cluster


@pytest.fixture(scope="session")
def node(cluster: Cluster) -> Node:
    """The cluster's node, on which tests make and look at files."""
    return Node(cluster.kubectl("get", "nodes", "--output=name").strip().removeprefix("node/"))


@pytest.fixture
def namespace(cluster: Cluster) -> Iterator[str]:
    """A namespace of the test's own."""
    name = f"e2e-{uuid.uuid4().hex[:8]}"
    cluster.kubectl("create", "namespace", name)
    yield name
    cluster.kubectl("delete", "namespace", name, "--wait=false")


@pytest.fixture
def make_site(cluster: Cluster, node: Node, namespace: str) -> Iterator[Callable[..., Site]]:
    """Makes the test's site: `make_site(drives=1, agents=2)`."""
    made = []

    def make(**settings: int) -> Site:
        made.append(Site(cluster, node, namespace, **settings))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture(autouse=True)
def _nothing_was_denied(cluster: Cluster) -> Iterator[None]:
    """Whatever a test makes the operator do, its role is enough."""
    yield
    denied = [line for line in operator_log(cluster).splitlines() if any(word in line for word in DENIALS)]
    assert not denied
