"""CronJobs that somebody edits or deletes are put right; what is not the operator's is left alone."""

from collections.abc import Mapping
from typing import Any

import pytest

from integration.handlers.audit import AuditTrail
from integration.handlers.cluster import Cluster, eventually
from integration.handlers.operatorprocess import OperatorProcess
from support.resources import Raw

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]

CONTAINER = "/spec/jobTemplate/spec/template/spec/containers/0"


def one_cron_job(cluster: Cluster) -> Raw:
    """A policy with one object, planned; its CronJob."""
    policy = cluster.with_a_plain_setup(objects=0)
    cluster.apply(
        cluster.a_class()
        .setting(activeDeadline="6h")
        .with_container(resources={"requests": {"cpu": "1000m"}}, env=[{"name": "MODE", "value": "fast"}])
    )
    cluster.apply(cluster.a_set().with_object("fs:/a"))
    cluster.apply(policy)
    cluster.ready()
    (found,) = cluster.cron_jobs().values()
    return found


def owned(cron_job: Raw) -> Raw:
    """What the operator answers for."""
    metadata = cron_job["metadata"]
    return {
        "uid": metadata["uid"],
        "labels": metadata.get("labels"),
        "annotations": metadata.get("annotations"),
        "ownerReferences": metadata.get("ownerReferences"),
        "spec": cron_job["spec"],
    }


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param({"op": "replace", "path": "/spec/schedule", "value": "* * * * *"}, id="schedule"),
        pytest.param({"op": "replace", "path": "/spec/suspend", "value": True}, id="suspend"),
        pytest.param({"op": "replace", "path": "/spec/timeZone", "value": "Asia/Tokyo"}, id="time-zone"),
        pytest.param({"op": "remove", "path": "/spec/timeZone"}, id="time-zone-removed"),
        pytest.param(
            {"op": "replace", "path": "/spec/concurrencyPolicy", "value": "Allow"}, id="concurrency"
        ),
        pytest.param({"op": "remove", "path": "/spec/startingDeadlineSeconds"}, id="starting-deadline"),
        pytest.param(
            {"op": "replace", "path": "/spec/failedJobsHistoryLimit", "value": 0}, id="history-limit"
        ),
        pytest.param(
            {"op": "replace", "path": "/spec/jobTemplate/spec/backoffLimit", "value": 0}, id="back-off-limit"
        ),
        pytest.param(
            {"op": "remove", "path": "/spec/jobTemplate/spec/activeDeadlineSeconds"}, id="active-deadline"
        ),
        pytest.param({"op": "replace", "path": f"{CONTAINER}/image", "value": "evil"}, id="image"),
        pytest.param({"op": "replace", "path": f"{CONTAINER}/args", "value": ["sh"]}, id="args"),
        pytest.param({"op": "remove", "path": f"{CONTAINER}/args"}, id="args-removed"),
        pytest.param(
            {"op": "replace", "path": f"{CONTAINER}/resources/requests/cpu", "value": "2"}, id="resources"
        ),
        pytest.param({"op": "replace", "path": f"{CONTAINER}/env/0/value", "value": "fs:/b"}, id="env"),
        pytest.param({"op": "remove", "path": f"{CONTAINER}/env"}, id="env-removed"),
        pytest.param(
            {
                "op": "replace",
                "path": "/spec/jobTemplate/spec/template/spec/automountServiceAccountToken",
                "value": True,
            },
            id="token",
        ),
        pytest.param(
            {"op": "remove", "path": "/spec/jobTemplate/spec/template/spec/automountServiceAccountToken"},
            id="token-removed",
        ),
        pytest.param(
            {"op": "replace", "path": "/metadata/labels/flexlbf.io~1drive", "value": "other"},
            id="drive-label",
        ),
        pytest.param({"op": "remove", "path": "/metadata/labels/flexlbf.io~1policy"}, id="policy-label"),
        pytest.param(
            {"op": "remove", "path": "/metadata/labels/app.kubernetes.io~1managed-by"}, id="managed-by-label"
        ),
        pytest.param({"op": "remove", "path": "/metadata/labels"}, id="all-labels"),
        pytest.param({"op": "remove", "path": "/metadata/annotations"}, id="annotations"),
        pytest.param(
            {"op": "remove", "path": "/spec/jobTemplate/metadata/labels/flexlbf.io~1drive"}, id="job-label"
        ),
        pytest.param({"op": "remove", "path": "/metadata/ownerReferences"}, id="owner"),
    ],
)
def test_an_edited_cron_job_is_put_right(cluster: Cluster, operation: Mapping[str, Any]):
    """It is the same CronJob as before, in every field."""
    before = one_cron_job(cluster)
    name = before["metadata"]["name"]
    cluster.json_patch("CronJob", name, operation)

    def check() -> None:
        after = cluster.get("CronJob", name)
        assert after is not None
        assert owned(after) == owned(before)

    eventually(check)


def test_a_cron_job_edited_while_the_operator_is_down_is_put_right(
    cluster: Cluster, operator: OperatorProcess
):
    """It is looked at when the operator is back."""
    before = one_cron_job(cluster)
    name = before["metadata"]["name"]
    operator.kill()
    cluster.patch("CronJob", name, {"spec": {"schedule": "* * * * *", "suspend": True}})
    operator.start()

    def check() -> None:
        after = cluster.get("CronJob", name)
        assert after is not None
        assert owned(after) == owned(before)

    eventually(check)


def test_a_deleted_cron_job_comes_back(cluster: Cluster):
    """And only that one is written."""
    cluster.apply(cluster.with_a_plain_setup())
    cluster.ready()
    before = cluster.cron_jobs()
    first, *others = sorted(before)
    cluster.delete("CronJob", before[first]["metadata"]["name"])

    def check() -> None:
        after = cluster.cron_jobs()
        assert set(after) == set(before)
        assert after[first]["metadata"]["uid"] != before[first]["metadata"]["uid"]
        assert {**owned(after[first]), "uid": ""} == {**owned(before[first]), "uid": ""}
        for name in others:
            assert after[name]["metadata"]["resourceVersion"] == before[name]["metadata"]["resourceVersion"]

    eventually(check)


def test_all_deleted_cron_jobs_come_back(cluster: Cluster):
    """As after `kubectl delete cronjobs --all`."""
    cluster.apply(cluster.with_a_plain_setup(objects=30))
    cluster.ready()
    before = cluster.uids()
    for each in cluster.cron_jobs().values():
        cluster.delete("CronJob", each["metadata"]["name"])

    def check() -> None:
        after = cluster.uids()
        assert set(after) == set(before)
        assert not set(after.values()) & set(before.values())

    eventually(check)
    cluster.ready()


def test_what_others_add_stays(cluster: Cluster, audit: AuditTrail):
    """A label for the bill, an annotation of a tool: not ours, and no reason to write."""
    before = one_cron_job(cluster)
    name = before["metadata"]["name"]
    audit.settle()
    cluster.patch(
        "CronJob", name, {"metadata": {"labels": {"team": "storage"}, "annotations": {"tool/x": "1"}}}
    )
    audit.assert_silence()
    cluster.patch("CronJob", name, {"spec": {"schedule": "* * * * *"}})

    def check() -> None:
        after = cluster.get("CronJob", name)
        assert after is not None
        assert after["spec"] == before["spec"]
        assert after["metadata"]["labels"] == {**before["metadata"]["labels"], "team": "storage"}
        assert after["metadata"]["annotations"] == {**before["metadata"]["annotations"], "tool/x": "1"}

    eventually(check)


def test_other_peoples_cron_jobs_are_not_touched(cluster: Cluster, audit: AuditTrail):
    """Not even one that carries our labels, or whose name begins like one of ours."""
    ours = one_cron_job(cluster)
    plain = {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "theirs", "labels": ours["metadata"]["labels"]},
        "spec": {
            "schedule": "0 1 * * *",
            "jobTemplate": {
                "spec": {
                    "template": {
                        "spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "b"}]}
                    }
                }
            },
        },
    }
    theirs = cluster.create(plain)
    audit.settle()
    audit.forget()
    cluster.apply(cluster.a_set().with_object("fs:/b"))

    def check() -> None:
        assert {each["metadata"]["name"] for each in cluster.list("CronJob")} >= {"theirs"}
        assert ours["metadata"]["name"] not in {each["metadata"]["name"] for each in cluster.list("CronJob")}

    eventually(check)
    assert "theirs" not in {each.name for each in audit.writes()}
    assert cluster.get("CronJob", "theirs") == theirs


def test_a_status_that_somebody_writes_is_put_right(cluster: Cluster):
    """The status is the operator's alone."""
    cluster.apply(cluster.with_a_plain_setup())
    before = cluster.ready()["status"]
    cluster.patch("BackupPolicy", "weekly", {"status": {"recommendation": {"drives": 99}}}, "status")

    def check() -> None:
        assert cluster.policy()["status"] == before

    eventually(check)
    cluster.json_patch("BackupPolicy", "weekly/status", {"op": "remove", "path": "/status"})
    eventually(lambda: cluster.ready() and None)
    assert cluster.ready()["status"]["recommendation"] == before["recommendation"]
