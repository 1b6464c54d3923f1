"""The API server goes and comes back, and the operator goes on by itself."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.conftest import CRDS
from integration.handlers.audit import AuditTrail
from integration.handlers.cluster import Cluster, eventually
from integration.handlers.operatorprocess import OperatorProcess
from localcluster.bare import BareControlPlane

pytestmark = pytest.mark.integration

SECONDS_TO_SEE = 30.0


@pytest.fixture(scope="module")
def own_plane() -> Iterator[BareControlPlane]:
    """A control plane that nobody else needs."""
    with BareControlPlane() as plane:
        plane.kubectl("apply", "--server-side", "-f", str(CRDS))
        plane.kubectl("wait", "--for=condition=Established", "--timeout=60s", "-f", str(CRDS))
        yield plane


@pytest.fixture
def own_cluster(own_plane: BareControlPlane) -> Iterator[Cluster]:
    """A namespace of it."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    own_plane.kubectl("create", "namespace", name)
    mine = Cluster(own_plane, name)
    yield mine
    mine.clean_up()


@pytest.fixture
def own_operator(own_plane: BareControlPlane) -> Iterator[OperatorProcess]:
    """An operator on it."""
    with OperatorProcess(own_plane) as process:
        yield process


def test_it_writes_on_when_the_api_server_restarts(own_cluster: Cluster, own_operator: OperatorProcess):
    """In the middle of two hundred CronJobs, and nobody touches anything afterwards."""
    own_cluster.apply(own_cluster.with_a_plain_setup(objects=200))

    def begun() -> None:
        assert len(own_cluster.list("CronJob")) >= 10

    eventually(begun)
    own_cluster.plane.restart_api_server()
    own_cluster.ready()
    assert len(own_cluster.cron_jobs()) == 200
    assert own_operator.running


def test_it_sees_what_changes_after_an_outage(own_cluster: Cluster, own_operator: OperatorProcess):
    """Every kind that it watches is watched again."""
    policy = own_cluster.with_a_plain_setup(objects=0)
    fleet = own_cluster.a_set().with_object("fs:/a")
    own_cluster.apply(fleet)
    own_cluster.apply(policy)
    own_cluster.ready()
    own_cluster.plane.restart_api_server()
    own_cluster.apply(fleet.with_object("fs:/b"))
    found = own_cluster.await_objects("fs:/a", "fs:/b")
    own_cluster.delete("CronJob", found["fs:/a"]["metadata"]["name"])
    own_cluster.await_objects("fs:/a", "fs:/b")
    own_cluster.apply(own_cluster.a_pool().with_drives("other", 1))

    def moved() -> None:
        drives = {each["metadata"]["labels"]["flexlbf.io/drive"] for each in own_cluster.cron_jobs().values()}
        assert drives == {"other-0"}

    eventually(moved)
    own_cluster.apply(policy.at("1 2 * * *"))
    own_cluster.ready()
    assert own_operator.running


def test_it_sees_soon_what_changes_after_a_long_outage(own_cluster: Cluster, own_operator: OperatorProcess):
    """Its framework goes on asking every other second, where it would by itself wait longer each time."""
    policy = own_cluster.with_a_plain_setup(objects=0)
    fleet = own_cluster.a_set().with_object("fs:/a")
    own_cluster.apply(fleet)
    own_cluster.apply(policy)
    own_cluster.ready()
    own_cluster.plane.stop_api_server()
    said = len(own_operator.log)

    def asked_again_and_again() -> None:
        assert "Request attempt #10/" in own_operator.log[said:]

    try:
        eventually(asked_again_and_again)
    finally:
        own_cluster.plane.start_api_server()
    own_cluster.apply(fleet.with_object("fs:/b"))
    own_cluster.await_objects("fs:/a", "fs:/b")
    assert own_operator.running


def test_it_starts_before_the_api_server_does(own_cluster: Cluster, own_operator: OperatorProcess):
    """And waits, instead of being restarted again and again."""
    policy = own_cluster.with_a_plain_setup()
    own_operator.kill()
    own_cluster.plane.stop_api_server()
    try:
        own_operator.begin()
        said = len(own_operator.log)

        def tried() -> None:
            assert "reaching the API server" in own_operator.log[max(0, said - 200) :]

        eventually(tried)
    finally:
        own_cluster.plane.start_api_server()
    own_cluster.apply(policy)
    own_cluster.ready()


def test_it_is_silent_after_an_outage(own_cluster: Cluster, own_operator: OperatorProcess):
    """What it reads again is as it was."""
    own_cluster.apply(own_cluster.with_a_plain_setup())
    own_cluster.ready()
    audit = AuditTrail(own_cluster.plane, own_cluster.namespace)
    audit.settle()
    audit.forget()
    mark = audit.mark
    own_cluster.plane.restart_api_server()
    audit.settle(6)
    audit.mark = mark
    assert audit.writes() == []
    assert own_operator.running


def test_it_looks_again_for_credentials_that_could_not_be_read(own_cluster: Cluster, tmp_path: Path):
    """Who writes its kubeconfig anew may be half way through when the operator looks."""
    plane, kubeconfig = own_cluster.plane, tmp_path / "kubeconfig"
    credentials = plane.kubeconfig.read_text()
    kubeconfig.write_text(credentials)
    operator = OperatorProcess(plane, "half", alone=False, kubeconfig=kubeconfig)

    def said(what: str) -> None:
        assert what in operator.log

    def planned() -> None:
        assert len(own_cluster.list("CronJob")) == 3

    plane.stop_api_server()
    try:
        operator.begin()
        eventually(lambda: said("Following"))
        kubeconfig.write_text("")
    finally:
        plane.start_api_server()
    try:
        eventually(lambda: said("login' failed"))
        kubeconfig.write_text(credentials)
        eventually(lambda: said("Leading since"))
        own_cluster.apply(own_cluster.with_a_plain_setup())
        eventually(planned, within=SECONDS_TO_SEE)
    finally:
        operator.stop()
