"""Who may run what: somebody who may write policies gets no pod of his own making, whatever he tries.

Admission refuses what can be seen in one object; what takes the class and the set together, and what changes
after it was let in, the operator refuses. Users are impersonated on a real API server, and the operator runs
under the account and role that the chart gives it.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.chart.attempts import (
    ATTEMPTS,
    MARK,
    OURS,
    POD_SPEC,
    a_cron_job,
    a_job,
    a_pod,
    making_pods,
    overriding,
)
from integration.chart.conftest import install, selftest
from integration.chart.site import (
    DEVELOPER,
    TAPE_ADMIN,
    TENANT,
    Site,
    the_class,
    the_policy,
    the_pool,
    the_set,
)
from integration.handlers.operatorprocess import OperatorProcess
from localcluster import kubeconfig
from localcluster.bare import BareControlPlane
from localcluster.errors import LocalClusterError
from localcluster.kubectl import wait_until
from support.charttools import NAMESPACE, Helm
from support.permissions import usage
from support.resources import Raw

pytestmark = pytest.mark.integration

ACCOUNT = f"system:serviceaccount:{NAMESPACE}:flexlbf-operator"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A cluster with the chart in it, set up by an administrator, with the operator under its own account."""
    accounts = ["--use-service-account-credentials"]
    with BareControlPlane(users={"alice": ["tenants"]}, controller_manager_args=accounts) as plane:
        install(Helm("helm", tmp_path_factory.mktemp("home"), plane.kubeconfig), plane)
        made = Site(plane)
        made.set_up()
        with OperatorProcess(plane, kubeconfig=_account(plane), lease_namespace=NAMESPACE):
            yield made


def _account(plane: BareControlPlane) -> Path:
    token = plane.kubectl("create", "token", "flexlbf-operator", f"--namespace={NAMESPACE}").strip()
    path = plane.directory / "operator.kubeconfig"
    return kubeconfig.write(
        path, server=plane.url, certificate=plane.certificate, user="operator", token=token
    )


@pytest.mark.parametrize(("who", "raw", "says"), ATTEMPTS.values(), ids=ATTEMPTS)
def test_an_attempt_is_refused_with_a_word_that_helps(
    site: Site, who: tuple[str, ...], raw: Raw, says: str
) -> None:
    said = site.await_refusal(raw, *who)
    assert any(each in said for each in says.split("|")), said


def test_what_is_not_in_the_schema_does_not_get_past_a_client_that_does_not_ask(site: Site) -> None:
    """Without strict validation the API server takes the policy, and drops the field."""
    policy = json.dumps(overriding(serviceAccountName="default", rateLimit="5M"))
    site.plane.kubectl("create", "--validate=ignore", *TENANT, "-f", "-", input=policy)
    assert site.get("bpol", "own")["spec"]["podOverrides"] == {"rateLimit": "5M"}
    site.plane.kubectl("delete", "bpol", "own", "--namespace=team")


def test_what_a_tenant_may_write_becomes_the_classs_pod_and_nothing_else(site: Site) -> None:
    """With everything that he may choose: an object's name and source, and the rate."""
    name, value = "$(KUBERNETES_SERVICE_HOST)", "/x; $(HOME)"
    site.apply(the_set("chosen").with_object(name, source={"value": value}).build("team"), *TENANT)
    rate = {"rateLimit": "5M"}
    policy = the_policy("chosen", "chosen").setting(podOverrides=rate)
    site.apply(policy.build("team"), *TENANT)
    site.await_condition("chosen", "Ready", lambda each: each.get("status") == "True")
    pods = [each["spec"]["jobTemplate"]["spec"]["template"]["spec"] for each in site.cron_jobs("chosen")]
    assert len(pods) == 2
    template = the_class().build()["spec"]["podTemplate"]["spec"]["containers"]
    for pod in pods:
        assert pod["serviceAccountName"] == "agent"
        assert pod["automountServiceAccountToken"] is False
        assert [each["image"] for each in pod["containers"]] == [each["image"] for each in template]
        assert not {"hostNetwork", "hostPID", "hostIPC", "initContainers"} & pod.keys()
        assert pod["containers"][0].get("securityContext") == template[0].get("securityContext")
        volumes = [each for each in pod.get("volumes", ()) if "hostPath" in each]
        assert all(each["hostPath"]["path"].startswith("/srv/") for each in volumes)
    told = {each["value"] for pod in pods for each in pod["containers"][0]["env"]}
    assert {name.replace("$", "$$"), value.replace("$", "$$")} <= told


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ({"hostPath": "/etc"}, "does not allow hostPath '/etc': it takes paths below /srv"),
        ({"hostPath": "/srvant"}, "does not allow hostPath '/srvant'"),
        ({"hostPath": "/"}, "does not allow hostPath '/'"),
    ],
    ids=["outside", "beside", "all"],
)
def test_a_folder_that_the_class_does_not_allow_is_not_mounted(site: Site, source: Raw, says: str) -> None:
    """A set names no class, so it is let in; the operator holds the two against each other."""
    site.apply(the_set("outside").with_object("fs:/b", source=source).build("team"), *TENANT)
    site.apply(the_policy("outside", "outside").build("team"), *TENANT)
    wait_until(lambda: says in site.condition("outside", "Stalled").get("message", ""), 60, says)
    assert site.stalled("outside")[0] == "SourceNotAllowed"
    assert site.cron_jobs("outside") == []
    site.plane.kubectl("delete", "bpol,bset", "outside", "--namespace=team")


@pytest.mark.parametrize("what", ["overrides", "class", "pool"])
def test_the_operator_holds_it_alone_as_well(site: Site, what: str) -> None:
    """A policy was within its class when it was let in, and then the administrator took something back."""
    offered = {"class": the_class(f"narrow-{what}"), "pool": the_pool(f"narrow-{what}")}
    for each in offered.values():
        site.apply(each.build())
    policy = the_policy(f"narrow-{what}").setting(
        backupClass=f"narrow-{what}", tapePool=f"narrow-{what}", podOverrides={"rateLimit": "5M"}
    )
    site.apply(policy.build("team"), *TENANT)
    site.await_condition(policy.name, "Ready", lambda each: each.get("status") == "True")
    if what == "overrides":
        narrowed, reason = offered["class"].allowing(), "OverrideNotAllowed"
    else:
        narrowed, reason = offered[what].for_namespaces({"team": "other"}), "NamespaceNotAllowed"

    site.apply(narrowed.build())

    assert site.stalled(policy.name)[0] == reason
    # What is stored already can still be stopped by its owner, though he could not write it anew.
    site.await_refusal(policy.build("team") | {"metadata": {"name": "anew", "namespace": "team"}}, *TENANT)
    stop = (
        "patch",
        "bpol",
        policy.name,
        "--namespace=team",
        "--type=merge",
        '--patch={"spec":{"suspend":true}}',
    )
    site.plane.kubectl(*stop, *TENANT)
    wait_until(lambda: all(each["spec"]["suspend"] for each in site.cron_jobs(policy.name)), 60, "suspension")


def test_a_developers_own_jobs_stay_his_own(site: Site) -> None:
    """They get no mark later, nor from a CronJob, and are otherwise as free as ever."""
    where = "--namespace=team"
    site.apply(a_job(labels={"mine": "yes"}), *DEVELOPER)
    site.apply(a_cron_job(), *DEVELOPER)
    for kind in ("job", "cronjob"):
        site.plane.kubectl("label", kind, "own", "more=yes", where, *DEVELOPER)
        site.plane.kubectl("annotate", kind, "own", "more=yes", where, *DEVELOPER)
        for verb in ("label", "annotate"):
            with pytest.raises(LocalClusterError, match="only the operator marks"):
                site.plane.kubectl(verb, kind, "own", "flexlbf.io/rate=1", where, *DEVELOPER)
        site.plane.kubectl("delete", kind, "own", where, *DEVELOPER)


def test_the_operators_own_jobs_get_their_pods(site: Site) -> None:
    """From Kubernetes' Job controller, which no policy is in the way of."""
    marked = {**OURS, **MARK}
    job = making_pods(a_job(labels=marked, name="stream"), labels=marked, annotations=MARK)
    site.plane.kubectl("create", f"--as={ACCOUNT}", "-f", "-", input=json.dumps(job))
    pods = ("get", "pods", "--namespace=team", "--selector=job-name=stream", "--output=name")
    wait_until(lambda: bool(site.plane.kubectl(*pods)), 60, "the pod")
    site.plane.kubectl("delete", "job", "stream", "--namespace=team", f"--as={ACCOUNT}")


def test_a_pod_does_not_become_a_stream(site: Site) -> None:
    """By a label that comes later, or by a controller that makes pods."""
    site.apply(a_pod(labels={"mine": "yes"}), *DEVELOPER)
    where = "--namespace=team"
    with pytest.raises(LocalClusterError, match="only pods of the operator's Jobs"):
        site.plane.kubectl(
            "label", "pod", "own", *(f"{key}={each}" for key, each in OURS.items()), where, *DEVELOPER
        )
    site.plane.kubectl("delete", "pod", "own", where, "--now", *DEVELOPER)
    labels = {**OURS, **MARK}
    spec = {
        "selector": {"matchLabels": MARK},
        "template": {"metadata": {"labels": labels}, "spec": {**POD_SPEC, "restartPolicy": "Always"}},
    }
    replicas = {**a_pod(), "apiVersion": "apps/v1", "kind": "ReplicaSet", "spec": spec}
    site.apply(replicas, *DEVELOPER)

    def told() -> bool:
        conditions = site.get("replicaset", "own").get("status", {}).get("conditions", ())
        return any("only pods of the operator's Jobs" in each.get("message", "") for each in conditions)

    wait_until(told, 60, "the refusal of the ReplicaSet's pod")
    site.plane.kubectl("delete", "replicaset", "own", where, *DEVELOPER)


def test_marks_of_the_operators_jobs_stay(site: Site) -> None:
    """Whoever may edit CronJobs still can't make one count for another drive, or for none."""
    site.apply(the_policy("marked").build("team"), *TENANT)
    site.await_condition("marked", "Ready", lambda each: each.get("status") == "True")
    (cron_job,) = site.cron_jobs("marked")
    name, where = cron_job["metadata"]["name"], "--namespace=team"
    for change in ("flexlbf.io/drive=lto-1", "flexlbf.io/drive-", "app.kubernetes.io/managed-by-"):
        with pytest.raises(LocalClusterError, match="only the operator marks CronJobs"):
            site.plane.kubectl("label", "--overwrite", "cronjob", name, change, where, *DEVELOPER)
    site.plane.kubectl("label", "cronjob", name, "kueue.x-k8s.io/queue-name=night", where, *DEVELOPER)
    with pytest.raises(LocalClusterError, match="only the operator marks Jobs"):
        site.plane.kubectl("create", "job", "by-hand", f"--from=cronjob/{name}", where, *DEVELOPER)


def test_who_administers_pools_may_run_a_job_by_hand(site: Site) -> None:
    """And may write classes and pools; with leave to create Jobs, also such as count towards drives."""
    site.plane.kubectl(
        "create", "rolebinding", "carol", "--clusterrole=edit", "--user=carol", "--namespace=team"
    )
    wait_until(lambda: not site.refusal(a_job(labels=MARK), *TAPE_ADMIN), 30, "carol's Job")
    assert site.refusal(the_class("more").build(), *TAPE_ADMIN) == ""
    assert site.refusal(the_pool("more").build(), *TAPE_ADMIN) == ""


def test_kubernetes_own_roles_have_ours_as_parts(site: Site) -> None:
    """`view` sees, `edit` writes policies; neither writes classes."""
    for role, verb, resource, want in (
        ("view", "get", "backuppolicies", True),
        ("view", "create", "backuppolicies", False),
        ("edit", "create", "backuppolicies", True),
        ("edit", "create", "backupclasses", False),
        ("admin", "create", "backupclasses", True),
    ):
        rules = json.loads(site.plane.kubectl("get", "clusterrole", role, "--output=json"))["rules"]
        ours = [each for each in rules if "flexlbf.io" in each["apiGroups"]]
        assert any(resource in each["resources"] and verb in each["verbs"] for each in ours) is want, (
            role,
            verb,
        )


def test_the_self_test_gets_its_answer_and_takes_its_question_back(site: Site) -> None:
    """With leave to write policies in one namespace."""
    done = selftest(site.plane.kubeconfig_for("alice"), "team")
    assert (done.returncode, done.stderr) == (0, "")
    assert "answered BackupSetNotFound" in done.stdout
    assert "flexlbf-selftest" not in site.plane.kubectl("get", "bpol", "--namespace=team")


def test_the_self_test_says_who_refused_it(site: Site) -> None:
    done = selftest(site.plane.kubeconfig_for("alice"), "other")
    assert done.returncode == 1
    assert "the API server refused the question" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_its_own_role_is_enough_for_all_of_this(site: Site) -> None:
    """Also for what the other tests here made the operator do."""
    site.apply(the_policy("role").build("team"), *TENANT)
    site.await_condition("role", "Ready", lambda each: each.get("status") == "True")
    seen = usage(site.plane.audit_events(), ACCOUNT)
    assert seen.denied == []
    assert "patch cronjobs.batch" in {str(each) for each in seen.used}
