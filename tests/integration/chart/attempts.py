"""What people try who may write policies, or run Jobs, in one namespace: and what they are told."""

from typing import Any

from integration.chart.site import DEVELOPER, TENANT, the_class, the_policy, the_pool, the_set
from support.resources import Raw

MARK = {"flexlbf.io/drive": "lto-0"}
OURS = {"app.kubernetes.io/managed-by": "flexlbf-operator"}
POD_SPEC: Raw = {"restartPolicy": "Never", "containers": [{"name": "own", "image": "own"}]}


def a_job(**metadata: Any) -> Raw:
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "own", "namespace": "team", **metadata},
        "spec": {"template": {"spec": POD_SPEC}},
    }


def a_cron_job(job_metadata: Raw | None = None, job_spec: Raw | None = None, **metadata: Any) -> Raw:
    template = {"metadata": job_metadata or {}, "spec": job_spec or a_job()["spec"]}
    return {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "own", "namespace": "team", **metadata},
        "spec": {"schedule": "0 0 1 1 *", "jobTemplate": template},
    }


def a_pod(**metadata: Any) -> Raw:
    placed = {"name": "own", "namespace": "team", **metadata}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": placed, "spec": POD_SPEC}


def making_pods(job: Raw, **metadata: Any) -> Raw:
    """A Job whose pods have this metadata."""
    return {**job, "spec": {"template": {"metadata": metadata, "spec": POD_SPEC}}}


def a_session() -> Raw:
    job = a_job()
    return {**job, "spec": {**job["spec"], "managedBy": "flexlbf.io/session"}}


def overriding(**fields: Any) -> Raw:
    raw: Raw = the_policy("own").setting(podOverrides=fields).build("team")
    return raw


def reading(**source: Any) -> Raw:
    raw: Raw = the_set("own").with_object("fs:/b", source=source).build("team")
    return raw


def a_history() -> Raw:
    return {
        "apiVersion": "flexlbf.io/v1alpha1",
        "kind": "BackupHistory",
        "metadata": {"name": "own", "namespace": "team"},
        "spec": {"backupSet": "fleet"},
    }


FORBIDDEN = "is forbidden: User"
UNKNOWN = "field not declared in schema|unknown field"
ATTEMPTS: dict[str, tuple[tuple[str, ...], Raw, str]] = {
    "a pod": (TENANT, a_pod(), FORBIDDEN),
    "a Job": (TENANT, a_job(), FORBIDDEN),
    "a CronJob": (TENANT, a_cron_job(), FORBIDDEN),
    "a class of his own": (TENANT, the_class("own").build(), FORBIDDEN),
    "a wider class": (TENANT, the_class().with_sources(hostPaths=["/"]).build(), FORBIDDEN),
    "a pool of his own": (TENANT, the_pool("own").build(), FORBIDDEN),
    "a policy elsewhere": (TENANT, the_policy("own").build("other"), FORBIDDEN),
    "a set elsewhere": (TENANT, the_set("own").build("other"), FORBIDDEN),
    "a wider class, as a developer": (DEVELOPER, the_class("own").build(), FORBIDDEN),
    "another service account": (TENANT, overriding(serviceAccountName="default"), UNKNOWN),
    "a token": (TENANT, overriding(automountServiceAccountToken=True), UNKNOWN),
    "another container": (TENANT, overriding(containers=POD_SPEC["containers"]), UNKNOWN),
    "another image": (TENANT, overriding(image="own"), UNKNOWN),
    "another command": (TENANT, overriding(command=["sh"]), UNKNOWN),
    "a variable": (TENANT, overriding(env=[{"name": "LD_PRELOAD", "value": "/x"}]), UNKNOWN),
    "a privilege": (TENANT, overriding(securityContext={"privileged": True}), UNKNOWN),
    "the node's network": (TENANT, overriding(hostNetwork=True), UNKNOWN),
    "a volume": (TENANT, overriding(volumes=[{"name": "a", "hostPath": {"path": "/"}}]), UNKNOWN),
    "a patch of the pod": (TENANT, overriding(podSpecPatch="{hostPID: true}"), UNKNOWN),
    "resources": (
        TENANT,
        overriding(resources={"limits": {"cpu": "64"}}),
        "does not let a policy set Resources",
    ),
    "another node": (TENANT, overriding(nodeSelector={"a": "b"}), "does not let a policy set NodeSelector"),
    "a tainted node": (TENANT, overriding(tolerations=[{"operator": "Exists"}]), "a policy set Tolerations"),
    "a priority": (TENANT, overriding(priorityClassName="high"), "a policy set PriorityClassName"),
    "the cluster's priority": (
        TENANT,
        overriding(priorityClassName="system-node-critical"),
        "Kubernetes' own",
    ),
    "two things": (
        TENANT,
        overriding(nodeSelector={}, priorityClassName="a"),
        "NodeSelector, PriorityClassName",
    ),
    "a closed class": (
        TENANT,
        the_policy("own").setting(backupClass="closed").build("team"),
        "BackupClass 'closed' does not allow namespace 'team': ask its administrator",
    ),
    "a closed pool": (
        TENANT,
        the_policy("own").setting(tapePool="closed").build("team"),
        "TapePool 'closed' does not allow namespace 'team': ask its administrator",
    ),
    "another namespace's claim": (
        TENANT,
        reading(claimName="other/mail"),
        "write the name of a Kubernetes object",
    ),
    "a claim with its namespace": (TENANT, reading(claimName="mail", namespace="other"), UNKNOWN),
    "a way out of a folder": (TENANT, reading(hostPath="/srv/../etc"), "write the path without '..'"),
    "no absolute path": (TENANT, reading(hostPath="etc"), "write an absolute path"),
    "a secret": (TENANT, reading(secretName="token"), UNKNOWN),
    "a history": (TENANT, a_history(), FORBIDDEN),
    "a history, as a developer": (DEVELOPER, a_history(), "only the operator writes BackupHistories"),
    "a Job that poses as a stream": (DEVELOPER, a_job(labels=MARK), "only the operator marks Jobs"),
    "a Job that poses as planned": (DEVELOPER, a_job(annotations=MARK), "only the operator marks Jobs"),
    "a Job that poses as the operator's": (DEVELOPER, a_job(labels=OURS), "only the operator marks Jobs"),
    "a pod that poses as a stream": (
        DEVELOPER,
        a_pod(labels={**OURS, **MARK}),
        "only pods of the operator's",
    ),
    "a Job of posing pods": (DEVELOPER, making_pods(a_job(), labels=OURS), "only the operator marks Jobs"),
    "a Job of planned pods": (
        DEVELOPER,
        making_pods(a_job(), annotations=MARK),
        "only the operator marks Jobs",
    ),
    "a session": (DEVELOPER, a_session(), "only the operator begins sessions"),
    "a CronJob of the operator's": (DEVELOPER, a_cron_job(labels=OURS), "only the operator marks CronJobs"),
    "a CronJob of streams": (DEVELOPER, a_cron_job({"labels": MARK}), "only the operator marks CronJobs"),
    "a CronJob of posing pods": (
        DEVELOPER,
        a_cron_job(job_spec=making_pods(a_job(), labels=OURS)["spec"]),
        "only the operator marks CronJobs",
    ),
    "a CronJob of planned ones": (
        DEVELOPER,
        a_cron_job({"annotations": MARK}),
        "only the operator marks CronJobs",
    ),
}
