"""Nothing is written when nothing changes: the API server has others to serve.

But for the Lease, which the leader renews; `test_leader.py` counts that.
"""

import json

import pytest

from integration.handlers.audit import AuditTrail
from integration.handlers.cluster import Cluster
from integration.handlers.operatorprocess import OperatorProcess
from support.resources import Resource, a_config_map

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]


def settled_setup(cluster: Cluster, audit: AuditTrail) -> list[Resource]:
    """Everything that a policy may refer to, planned and at rest.

    The class has what the API server writes in another way than people do: amounts, empty values, defaults.
    """
    container = {
        "resources": {"requests": {"cpu": "1000m", "memory": "1024Mi"}, "limits": {"memory": "1.5Gi"}},
        "env": [{"name": "EMPTY", "value": ""}, {"name": "FULL", "value": "$(FLEXLBF_DRIVE)"}],
        "ports": [{"containerPort": 8080}],
        "securityContext": {"privileged": False, "capabilities": {"drop": ["ALL"]}},
    }
    pod = {
        "hostNetwork": False,
        "nodeSelector": {},
        "securityContext": {},
        "tolerations": [{"key": "tape", "operator": "Exists"}],
        "volumes": [{"name": "scratch", "emptyDir": {}}],
    }
    resources: list[Resource] = [
        cluster.a_pool().with_drives(devices=["/dev/nst0", "/dev/nst1"]),
        cluster.a_class().with_container(**container).with_pod(**pod).allowing("Resources"),
        cluster.a_set()
        .with_objects(5)
        .with_object("fs:/claim", source={"claimName": "data"})
        .with_unmeasured("fs:/measured")
        .with_history_from("catalog"),
        cluster.a_policy().overriding(resources={"requests": {"ephemeral-storage": "1024Ki"}}),
    ]
    cluster.apply(
        a_config_map("catalog", history_csv="object,duration_s,throughput_mbps\nfs:/measured,60.5,1.5\n")
    )
    for each in resources:
        cluster.apply(each)
    cluster.ready()
    assert len(cluster.cron_jobs()) == 7
    audit.settle()
    return resources


def test_nothing_is_written_once_all_is_as_planned(cluster: Cluster, audit: AuditTrail):
    """Whatever the API server makes of what was written."""
    settled_setup(cluster, audit)
    audit.assert_silence(8)


def test_nothing_is_written_for_what_no_plan_depends_on(cluster: Cluster, audit: AuditTrail):
    """Annotations and labels that nobody selects by, and changes of other ConfigMaps and namespaces."""
    settled_setup(cluster, audit)
    mark = {"metadata": {"annotations": {"note": "seen"}, "labels": {"note": "seen"}}}
    for kind, name in (
        ("BackupSet", "fleet"),
        ("BackupPolicy", "weekly"),
        ("TapePool", cluster.namespace),
        ("BackupClass", cluster.namespace),
        ("ConfigMap", "catalog"),
        ("Namespace", cluster.namespace),
    ):
        cluster.patch(kind, name, mark)
    cluster.apply(a_config_map("other", history_csv="x"))
    audit.assert_silence()


def test_nothing_is_written_when_the_same_files_are_applied_again(cluster: Cluster, audit: AuditTrail):
    """As a pipeline does every few minutes, by server-side and by client-side apply."""
    resources = settled_setup(cluster, audit)
    for each in resources:
        cluster.apply(each)
    documents = json.dumps(
        {"apiVersion": "v1", "kind": "List", "items": [each.build() for each in resources]}
    )
    cluster.plane.kubectl("apply", "--namespace", cluster.namespace, "-f", "-", input=documents)
    audit.assert_silence()


def test_nothing_is_written_after_a_restart(cluster: Cluster, audit: AuditTrail, operator: OperatorProcess):
    """What was accepted once is known to be so by what is in the cluster, not by the operator's memory."""
    settled_setup(cluster, audit)
    audit.forget()
    operator.restart()
    audit.settle(4)
    operator.kill()
    operator.start()
    audit.assert_silence()
    assert audit.counts() == {}


def test_nothing_is_written_for_a_policy_that_can_not_be_planned(
    cluster: Cluster, audit: AuditTrail, operator: OperatorProcess
):
    """It waits for a change of its input, and is not tried again and again."""
    cluster.with_a_plain_setup()
    cluster.apply(cluster.a_policy().backing_up("nowhere"))
    cluster.stalled("BackupSetNotFound")
    audit.settle()
    audit.assert_silence(6)
    operator.restart()
    audit.assert_silence()


def test_a_change_of_one_object_writes_what_it_moves_and_no_more(cluster: Cluster, audit: AuditTrail):
    """One CronJob for a source that changed, and no status, because no figure of it is another."""
    policy = cluster.with_a_plain_setup(objects=0)
    objects = cluster.a_set().with_object("fs:/a", "20m").with_object("fs:/b", "10m")
    cluster.apply(objects)
    cluster.apply(policy)
    cluster.ready()
    audit.settle()
    audit.forget()
    mark = audit.mark
    cluster.apply(
        cluster.a_set().with_object("fs:/a", "20m", source={"value": "elsewhere"}).with_object("fs:/b", "10m")
    )
    audit.settle()
    audit.mark = mark
    assert audit.counts() == {("patch", "cronjobs"): 1}
