"""The operator in the cluster: what it may do, that it can be killed, and what kubectl tells of its kinds."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from demo.clusters import Cluster
from demo.install import SYSTEM, await_operator, operator_log
from e2e.site import POLICY, Site
from localcluster.kubectl import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("e2e"), pytest.mark.timeout(180, func_only=True)]

ACCOUNT = f"system:serviceaccount:{SYSTEM}:flexlbf-operator"
MUST_NOT = [
    ("get", "", "secrets"),
    ("list", "", "secrets"),
    ("create", "", "pods"),
    ("create", "", "pods/exec"),
    ("create", "", "serviceaccounts/token"),
    ("update", "", "configmaps"),
    ("update", "batch", "jobs"),
    ("update", "flexlbf.io", "backupsets"),
    ("update", "coordination.k8s.io", "leases"),
    ("update", "flexlbf.io", "backuppolicies"),
    ("patch", "flexlbf.io", "backuppolicies"),
    ("patch", "flexlbf.io", "backupclasses"),
    ("delete", "flexlbf.io", "tapepools"),
    ("patch", "apiextensions.k8s.io", "customresourcedefinitions"),
    ("create", "rbac.authorization.k8s.io", "clusterrolebindings"),
    ("escalate", "rbac.authorization.k8s.io", "clusterroles"),
    ("impersonate", "", "users"),
]


def may(cluster: Cluster, verb: str, group: str, resource: str) -> bool:
    """Whether the operator's account may do something in any namespace."""
    name, _, subresource = resource.partition("/")
    attributes = {"verb": verb, "group": group, "resource": name, "subresource": subresource}
    review = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {"user": ACCOUNT, "groups": ["system:serviceaccounts"], "resourceAttributes": attributes},
    }
    said = cluster.kubectl("create", "--filename=-", "--output=json", text=json.dumps(review))
    return bool(json.loads(said)["status"]["allowed"])


def state(site: Site) -> dict[str, Any]:
    """The identity and version of the policy and its CronJobs."""
    where = f"--namespace={site.namespace}"
    found = [*site.cluster.items("cronjobs", where), *site.cluster.items("backuppolicies", where)]
    return {
        each["metadata"]["name"]: (each["metadata"]["uid"], each["metadata"]["resourceVersion"])
        for each in found
    }


def some_objects(count: int) -> list[dict[str, Any]]:
    return [{"name": f"fs:/{index}", "source": {"value": f"/{index}"}} for index in range(count)]


@pytest.mark.parametrize(("verb", "group", "resource"), MUST_NOT)
def test_its_role_gives_it_nothing_to_spy_or_escalate_with(
    cluster: Cluster, verb: str, group: str, resource: str
) -> None:
    assert not may(cluster, verb, group, resource)


def test_its_role_is_enough_from_the_first_plan_to_the_last_cron_job(
    cluster: Cluster, make_site: Callable[..., Site]
) -> None:
    """Creates, changes and deletes CronJobs, and records events; the fixtures read its log after that."""
    site = make_site()
    site.offer()
    history = "object,start,end,bytes\nfs:/0,2026-01-02T00:00:00Z,2026-01-02T00:05:00Z,3000000000\n"
    where = f"--namespace={site.namespace}"
    cluster.kubectl("create", "configmap", "history", where, f"--from-literal=history.csv={history}")
    assert len(site.plan(some_objects(3))) == 3
    source = {"historyFrom": {"configMap": "history"}}
    site.apply("BackupSet", "all", {"objects": [{"name": "fs:/0"}], **source})
    wait_until(lambda: len(cluster.items("cronjobs", where)) == 1, 20, "the CronJobs of the smaller set")
    wait_until(lambda: site.policy()["status"]["workload"]["bytes"] == "3G", 20, "the history")
    reasons = {each["reason"] for each in cluster.items("events", where)}
    assert "Planned" in reasons
    cluster.kubectl("delete", "backuppolicy", POLICY, where)
    wait_until(lambda: not cluster.items("cronjobs", where), 30, "no CronJobs")


def test_killed_it_comes_back_changes_nothing_and_goes_on(
    cluster: Cluster, make_site: Callable[..., Site]
) -> None:
    site = make_site()
    site.offer()
    site.plan(some_objects(5))
    before = state(site)

    cluster.kubectl("delete", "pods", "--all", f"--namespace={SYSTEM}", "--force", "--grace-period=0")
    await_operator(cluster)
    wait_until(lambda: "Watching" in operator_log(cluster), 30, "the new operator")
    time.sleep(3)

    assert state(site) == before
    where = f"--namespace={site.namespace}"
    cluster.kubectl("patch", "bpol", POLICY, where, "--type=merge", '--patch={"spec":{"suspend":true}}')
    wait_until(
        lambda: all(each["spec"]["suspend"] for each in cluster.items("cronjobs", where)), 30, "suspension"
    )


def test_kubectl_shows_the_answer_in_one_line_and_explains_the_question(
    cluster: Cluster, make_site: Callable[..., Site]
) -> None:
    site = make_site()
    site.offer()
    site.plan(some_objects(2))
    header, line = cluster.kubectl("get", "bpol", f"--namespace={site.namespace}").splitlines()
    assert " ".join(header.split()) == "NAME READY DRIVES AGENTS DURATION WINDOW SAVED NEXT AGE"
    assert line.split()[:4] == [POLICY, "True", "1", "2"]
    assert POLICY in cluster.kubectl("get", "backup", f"--namespace={site.namespace}")
    assert "cron expression" in cluster.kubectl("explain", "bpol.spec.schedule")
    assert "how many disk agents" in cluster.kubectl("explain", "bpol.spec.limits.maxAgents").lower()
