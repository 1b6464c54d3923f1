"""The CronJob of a planned start, whole; and whose word counts in its pod."""

import json
from dataclasses import replace
from typing import Any

import pytest

from flexlbf.api.v1alpha1 import BackupClass, BackupPolicy, Source
from flexlbf.manifests.cronjob import PlannedStart, cron_job, format_offset
from flexlbf.manifests.pod import Stream
from support.resources import Class, Policy, Raw, a_class, a_policy

STREAM = Stream(
    obj="fs07:/data",
    backup_set="fleet",
    policy="weekly",
    source=Source(claim_name="data"),
    drive="lto-0",
    device="/dev/nst0",
    max_throughput=80_000_000,
    pool="lto",
    rate=2_666_666_666_667,
)


def emitted(
    backup_class: Class | None = None, policy: Policy | None = None, stream: Stream = STREAM, offset: int = 65
) -> Raw:
    """The CronJob for a stream."""
    read_policy = BackupPolicy.read((policy or a_policy()).observed("backup"))
    spec = BackupClass.read((backup_class or a_class()).observed()).spec
    return cron_job(read_policy, spec, PlannedStart(stream, offset, "5 23 * * 6"))


def pod_of(manifest: Raw) -> Raw:
    """The pod's spec."""
    pod: Raw = manifest["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    return pod


def variables(container: Raw) -> dict[str, Any]:
    """The environment, by name."""
    return {each["name"]: each.get("value", each.get("valueFrom")) for each in container["env"]}


def test_a_cron_job_has_all_that_runs_and_tells_of_its_backup():
    """Every field that is applied; what is not here, the API server decides."""
    labels = {
        "app.kubernetes.io/managed-by": "flexlbf-operator",
        "flexlbf.io/role": "object",
        "flexlbf.io/policy": "weekly",
        "flexlbf.io/backup-set": "fleet",
        "flexlbf.io/pool": "lto",
        "flexlbf.io/drive": "lto-0",
    }
    annotations = {
        "flexlbf.io/object": "fs07:/data",
        "flexlbf.io/backup-set": "fleet",
        "flexlbf.io/rate": "2666666.666667",
        "flexlbf.io/planned-offset": "1h5m",
    }
    backup_class = a_class().setting(
        activeDeadline="6h",
        ttlAfterFinished="2d",
        retries=1,
        startingDeadline="90s",
        successfulJobsHistoryLimit=2,
        failedJobsHistoryLimit=4,
    )
    manifest = emitted(backup_class, a_policy().at("0 22 * * 6", "Europe/Berlin").setting(suspend=True))
    assert manifest == {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {
            "name": "weekly-fs07-data-a51b26ca57",
            "namespace": "backup",
            "labels": labels,
            "annotations": annotations,
            "ownerReferences": [
                {
                    "apiVersion": "flexlbf.io/v1alpha1",
                    "kind": "BackupPolicy",
                    "name": "weekly",
                    "uid": "uid-of-BackupPolicy-weekly",
                    "controller": True,
                    "blockOwnerDeletion": False,
                }
            ],
        },
        "spec": {
            "schedule": "5 23 * * 6",
            "timeZone": "Europe/Berlin",
            "suspend": True,
            "concurrencyPolicy": "Forbid",
            "startingDeadlineSeconds": 90,
            "successfulJobsHistoryLimit": 2,
            "failedJobsHistoryLimit": 4,
            "jobTemplate": {
                "metadata": {"labels": labels, "annotations": annotations},
                "spec": {
                    "backoffLimit": 1,
                    "activeDeadlineSeconds": 21600,
                    "ttlSecondsAfterFinished": 172800,
                    "template": {
                        "metadata": {"labels": labels, "annotations": annotations},
                        "spec": {
                            "restartPolicy": "Never",
                            "automountServiceAccountToken": False,
                            "serviceAccountName": "default",
                            "containers": [
                                {
                                    "name": "agent",
                                    "image": "example.test/agent:1",
                                    "args": ["agent", "$(FLEXLBF_OBJECT)"],
                                    "env": [
                                        {"name": "FLEXLBF_OBJECT", "value": "fs07:/data"},
                                        {"name": "FLEXLBF_BACKUP_SET", "value": "fleet"},
                                        {"name": "FLEXLBF_POLICY", "value": "weekly"},
                                        {"name": "FLEXLBF_SOURCE", "value": "data"},
                                        {"name": "FLEXLBF_SOURCE_PATH", "value": "/source"},
                                        {"name": "FLEXLBF_DRIVE", "value": "lto-0"},
                                        {"name": "FLEXLBF_DEVICE", "value": "/dev/nst0"},
                                        {"name": "FLEXLBF_MAX_THROUGHPUT", "value": "80000000"},
                                    ],
                                    "volumeMounts": [
                                        {"name": "flexlbf-source", "mountPath": "/source", "readOnly": True}
                                    ],
                                }
                            ],
                            "volumes": [
                                {
                                    "name": "flexlbf-source",
                                    "persistentVolumeClaim": {"claimName": "data", "readOnly": True},
                                }
                            ],
                        },
                    },
                },
            },
        },
    }


def test_a_plan_from_files_has_no_owner():
    """There is no policy in a cluster that could own anything."""
    policy = BackupPolicy.read(a_policy().build("backup"))
    manifest = cron_job(
        policy, BackupClass.read(a_class().build()).spec, PlannedStart(STREAM, 0, "0 22 * * 6")
    )
    assert "ownerReferences" not in manifest["metadata"]


def test_a_folder_of_the_node_is_mounted_read_only():
    """As a directory that must be there."""
    pod = pod_of(emitted(stream=replace(STREAM, source=Source(host_path="/srv/data"))))
    assert pod["volumes"] == [
        {"name": "flexlbf-source", "hostPath": {"path": "/srv/data", "type": "Directory"}}
    ]
    assert pod["containers"][0]["volumeMounts"][0]["readOnly"] is True
    assert variables(pod["containers"][0])["FLEXLBF_SOURCE"] == "/srv/data"


def test_a_source_that_is_a_text_is_handed_over_and_nothing_is_mounted():
    """And no path or device is spoken of where there is none."""
    pod = pod_of(emitted(stream=replace(STREAM, source=Source(value="tape://x"), device=None)))
    assert "volumes" not in pod
    given = variables(pod["containers"][0])
    assert given["FLEXLBF_SOURCE"] == "tape://x"
    assert not {"FLEXLBF_SOURCE_PATH", "FLEXLBF_DEVICE", "FLEXLBF_RATE_LIMIT"} & set(given)


@pytest.mark.parametrize(
    "name", ["$(SECRET)", "$$(SECRET)", "a$(FLEXLBF_DRIVE)b", "$", "$$", "$(", "a$b(c)", "$($(X))"]
)
def test_nothing_that_a_tenant_writes_is_expanded(name: str):
    """Kubernetes reads `$(NAME)` in values, and `$$` as a plain `$`."""
    given = variables(
        pod_of(emitted(stream=replace(STREAM, obj=name, source=Source(value=name))))["containers"][0]
    )
    for variable in ("FLEXLBF_OBJECT", "FLEXLBF_SOURCE"):
        assert as_kubernetes_expands(given[variable]) == name


def as_kubernetes_expands(text: str) -> str:
    """Kubernetes' expansion (third_party/forked/golang/expansion), with every variable set to EXPANDED."""
    done, at = "", 0
    while at < len(text):
        following = text[at + 1 : at + 2]
        if text[at] == "$" and following == "$":
            done, at = f"{done}$", at + 2
        elif text[at] == "$" and following == "(" and ")" in text[at:]:
            done, at = f"{done}EXPANDED", text.index(")", at) + 1
        else:
            done, at = done + text[at], at + 1
    return done


def test_the_administrators_fields_win():
    """A policy adds to what the class has, and changes nothing of it."""
    backup_class = a_class().with_pod(
        nodeSelector={"tape": "yes"},
        tolerations=[{"key": "tape", "operator": "Exists"}],
        priorityClassName="backup",
    )
    backup_class = backup_class.with_container(resources={"limits": {"cpu": "2"}, "requests": {"cpu": "1"}})
    policy = a_policy().overriding(
        nodeSelector={"tape": "no", "zone": "a"},
        tolerations=[{"key": "mine", "operator": "Exists"}],
        priorityClassName="always-first",
        resources={"limits": {"cpu": "64", "memory": "1Gi"}},
        rateLimit="20M",
    )
    pod = pod_of(emitted(backup_class, policy))
    assert pod["nodeSelector"] == {"tape": "yes", "zone": "a"}
    assert [each["key"] for each in pod["tolerations"]] == ["tape", "mine"]
    assert pod["priorityClassName"] == "backup"
    assert pod["containers"][0]["resources"] == {
        "limits": {"cpu": "2", "memory": "1Gi"},
        "requests": {"cpu": "1"},
    }
    assert variables(pod["containers"][0])["FLEXLBF_RATE_LIMIT"] == "20000000"


def test_a_policy_sets_nothing_but_what_overrides_name():
    """Fields of a pod that are no overrides do not reach it, however they are written."""
    hostile = a_policy().overriding(
        hostNetwork=True,
        serviceAccountName="admin",
        containers=[{"name": "agent", "image": "evil"}],
        securityContext={"runAsUser": 0},
        volumes=[{"name": "root", "hostPath": {"path": "/"}}],
    )
    assert emitted(policy=hostile) == emitted()


def test_the_operators_variables_win_over_the_classs():
    """A class can't lie about the drive by accident; its own variables follow and may refer to ours."""
    env = [
        {"name": "FLEXLBF_DRIVE", "value": "another"},
        {"name": "TARGET", "value": "/tape/$(FLEXLBF_DRIVE)"},
        {"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
    ]
    container = pod_of(emitted(a_class().with_container(env=env)))["containers"][0]
    names = [each["name"] for each in container["env"]]
    assert len(names) == len(set(names))
    assert names[-2:] == ["TARGET", "KEY"]
    assert variables(container)["FLEXLBF_DRIVE"] == "lto-0"
    assert variables(container)["TARGET"] == "/tape/$(FLEXLBF_DRIVE)"


def test_the_named_container_gets_the_object():
    """And the others are as the class has them."""
    containers = [{"name": "proxy", "image": "p"}, {"name": "agent", "image": "a"}]
    backup_class = a_class().with_pod(containers=containers).setting(container="agent")
    proxy, agent = pod_of(emitted(backup_class))["containers"]
    assert proxy == {"name": "proxy", "image": "p"}
    assert "FLEXLBF_OBJECT" in variables(agent)
    assert agent["volumeMounts"]


@pytest.mark.parametrize(
    ("template", "of_class", "want"),
    [
        ({}, None, "default"),
        ({"serviceAccountName": "a"}, None, "a"),
        ({"serviceAccount": "old"}, None, "old"),
        ({"serviceAccountName": "a", "serviceAccount": "old"}, None, "a"),
        ({"serviceAccountName": "a", "serviceAccount": "old"}, "b", "b"),
    ],
)
def test_the_service_account_is_the_classs(template: Raw, of_class: str | None, want: str):
    """Said once, and by the field's present name."""
    pod = pod_of(emitted(a_class().with_pod(**template).setting(serviceAccountName=of_class)))
    assert pod["serviceAccountName"] == want
    assert "serviceAccount" not in pod


def test_the_classs_own_labels_and_annotations_are_kept_under_the_operators():
    """A class may label its pods, but not as another policy's."""
    backup_class = a_class()
    template = {
        **backup_class.spec["podTemplate"],
        "metadata": {
            "labels": {"team": "storage", "flexlbf.io/policy": "other"},
            "annotations": {"note": "x", "flexlbf.io/object": "other"},
        },
    }
    metadata = emitted(backup_class.setting(podTemplate=template))["spec"]["jobTemplate"]["spec"]["template"][
        "metadata"
    ]
    assert (metadata["labels"]["team"], metadata["labels"]["flexlbf.io/policy"]) == ("storage", "weekly")
    assert (metadata["annotations"]["note"], metadata["annotations"]["flexlbf.io/object"]) == (
        "x",
        "fs07:/data",
    )


def test_a_class_is_left_as_it_is():
    """Many manifests are made of one class, in any order."""
    backup_class = (
        a_class()
        .with_container(env=[{"name": "A", "value": "b"}])
        .with_pod(volumes=[{"name": "v", "emptyDir": {}}], nodeSelector={"a": "b"})
    )
    policy = BackupPolicy.read(a_policy().overriding(nodeSelector={"c": "d"}).observed("backup"))
    spec = BackupClass.read(backup_class.observed()).spec
    before = spec.model_dump_json()
    first = json.dumps(cron_job(policy, spec, PlannedStart(STREAM, 0, "0 22 * * 6")))
    cron_job(policy, spec, PlannedStart(replace(STREAM, obj="other"), 0, "0 22 * * 6"))
    assert json.dumps(cron_job(policy, spec, PlannedStart(STREAM, 0, "0 22 * * 6"))) == first
    assert spec.model_dump_json() == before


@pytest.mark.parametrize(
    ("minutes", "want"), [(0, "0m"), (45, "45m"), (60, "1h"), (65, "1h5m"), (1500, "25h")]
)
def test_an_offset_reads_as_people_say_it(minutes: int, want: str):
    """From the session's start."""
    assert format_offset(minutes) == want
