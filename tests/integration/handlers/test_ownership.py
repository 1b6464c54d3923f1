"""What goes with what: Kubernetes collects what is emitted, and nothing waits for the operator."""

import json

import pytest

from integration.handlers.audit import AuditTrail
from integration.handlers.cluster import Cluster, eventually
from integration.handlers.operatorprocess import OperatorProcess

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]

ALL_OF_OURS = ("TapePool", "BackupClass", "BackupSet", "BackupPolicy")


@pytest.mark.parametrize("propagation", ["Background", "Foreground"])
def test_cron_jobs_go_with_their_policy(cluster: Cluster, audit: AuditTrail, propagation: str):
    """By garbage collection; the operator deletes nothing and puts nothing back."""
    cluster.apply(cluster.with_a_plain_setup())
    cluster.ready()
    audit.settle()
    audit.forget()
    cluster.delete("BackupPolicy", "weekly", propagation)

    def check() -> None:
        assert cluster.get("BackupPolicy", "weekly") is None
        assert cluster.list("CronJob") == []

    eventually(check)
    assert {each.resource for each in audit.writes()} <= {"tapepools/status"}


def test_a_policys_cron_jobs_stay_when_another_goes(cluster: Cluster):
    """Two policies on the same set have CronJobs of their own."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy)
    cluster.apply(cluster.a_policy("other").at("0 3 * * 1"))
    cluster.ready()
    cluster.ready("other")
    before = cluster.uids("other")
    cluster.delete("BackupPolicy", "weekly")

    def check() -> None:
        assert cluster.cron_jobs() == {}

    eventually(check)
    assert cluster.uids("other") == before


def test_nothing_of_ours_has_a_finalizer(cluster: Cluster):
    """Nor any note of the framework's in its annotations: the resources are the users' own."""
    cluster.apply(cluster.with_a_plain_setup())
    cluster.ready()
    found = [each for kind in ALL_OF_OURS for each in cluster.list(kind)] + cluster.list("CronJob")
    assert len(found) >= 7
    for each in found:
        assert "finalizers" not in each["metadata"]
        assert "kopf" not in json.dumps(each["metadata"])


def test_a_namespace_goes_while_the_operator_is_down(cluster: Cluster, operator: OperatorProcess):
    """Uninstalled first or not, the operator never keeps anything from being deleted."""
    cluster.apply(cluster.with_a_plain_setup())
    cluster.ready()
    operator.kill()
    cluster.delete("Namespace", cluster.namespace)

    def check() -> None:
        assert cluster.get("Namespace", cluster.namespace) is None

    eventually(check)
    # The fixture deletes the namespace once more.
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": cluster.namespace}})


def test_a_namespace_goes_while_the_operator_runs(cluster: Cluster, operator: OperatorProcess):
    """It does not put back what is being collected."""
    cluster.apply(cluster.with_a_plain_setup(objects=20))
    cluster.ready()
    cluster.delete("Namespace", cluster.namespace)

    def check() -> None:
        assert cluster.get("Namespace", cluster.namespace) is None

    eventually(check)
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": cluster.namespace}})
    assert "Traceback" not in operator.log
