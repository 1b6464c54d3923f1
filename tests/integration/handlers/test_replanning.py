"""Whatever a plan depends on may change at any time, and the CronJobs follow."""

import pytest

from integration.handlers.cluster import Cluster, eventually
from integration.handlers.operatorprocess import OperatorProcess
from support.resources import Raw, a_config_map

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]


def pod_of(cron_job: Raw) -> Raw:
    """The pod's spec of a CronJob."""
    pod: Raw = cron_job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    return pod


def agent_of(cron_job: Raw) -> Raw:
    """The first container of a CronJob's pod."""
    container: Raw = pod_of(cron_job)["containers"][0]
    return container


def test_another_schedule_moves_all_cron_jobs_and_keeps_them(cluster: Cluster):
    """They are changed in place: what ran before is still theirs."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy)
    cluster.ready()
    before = cluster.uids()
    cluster.apply(policy.at("30 4 * * 0", "Europe/Berlin"))
    cluster.ready()
    after = cluster.cron_jobs()
    assert {each["spec"]["timeZone"] for each in after.values()} == {"Europe/Berlin"}
    assert all(each["spec"]["schedule"].endswith("4 * * 0") for each in after.values())
    assert cluster.uids() == before


def test_an_object_that_comes_gets_a_cron_job_and_one_that_goes_loses_it(cluster: Cluster):
    """The others stay the same CronJobs."""
    policy = cluster.with_a_plain_setup(objects=0)
    both = cluster.a_set().with_object("fs:/a").with_object("fs:/b")
    cluster.apply(both)
    cluster.apply(policy)
    cluster.ready()
    before = cluster.uids()
    cluster.apply(both.without_object("fs:/b").with_object("fs:/c", "20m"))
    after = cluster.await_objects("fs:/a", "fs:/c")
    assert after["fs:/a"]["metadata"]["uid"] == before["fs:/a"]


def test_a_set_without_objects_is_nothing_to_back_up(cluster: Cluster):
    """That is no mistake, and the plan says so."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy)
    cluster.ready()
    cluster.patch("BackupSet", "fleet", {"spec": {"objects": []}})
    cluster.await_objects()

    def check() -> None:
        status = cluster.policy()["status"]
        assert cluster.condition("Ready")["reason"] == "NothingToBackUp"
        assert status["schedule"] == {"cronJobs": 0}
        assert "recommendation" not in status

    eventually(check)


def test_another_pool_is_another_plan(cluster: Cluster):
    """Both when the pool's drives change and when the policy goes to another pool."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy)
    cluster.ready()
    cluster.apply(cluster.a_pool().with_drives("lto9", 1, devices=["/dev/nst9"]))

    def check(drive: str, device: str | None) -> None:
        for each in cluster.cron_jobs().values():
            assert each["metadata"]["labels"]["flexlbf.io/drive"] == drive
            values = {variable["name"]: variable["value"] for variable in agent_of(each)["env"]}
            assert values["FLEXLBF_DRIVE"] == drive
            assert values.get("FLEXLBF_DEVICE") == device

    eventually(lambda: check("lto9-0", "/dev/nst9"))
    cluster.apply(cluster.a_pool().with_drives("lto9", 1))
    eventually(lambda: check("lto9-0", None))


def test_what_a_class_adds_and_takes_out_is_added_and_taken_out(cluster: Cluster):
    """Fields that the class no longer has must go from the CronJobs, or an old command would run for ever."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy)
    cluster.ready()
    before = cluster.uids()
    rich = cluster.a_class().setting(activeDeadline="6h", ttlAfterFinished="1d", serviceAccountName="agent")
    rich = rich.with_pod(nodeSelector={"tape": "yes"}, tolerations=[{"key": "tape", "operator": "Exists"}])
    rich = rich.with_container(
        image="example.test/agent:2", command=["/agent"], env=[{"name": "MODE", "value": "fast"}]
    )
    cluster.apply(rich)

    def check_rich() -> None:
        for each in cluster.cron_jobs().values():
            job, pod, agent = each["spec"]["jobTemplate"]["spec"], pod_of(each), agent_of(each)
            assert (job["activeDeadlineSeconds"], job["ttlSecondsAfterFinished"]) == (21600, 86400)
            assert (pod["nodeSelector"], pod["serviceAccountName"]) == ({"tape": "yes"}, "agent")
            assert pod["tolerations"]
            assert (agent["image"], agent["command"]) == ("example.test/agent:2", ["/agent"])
            assert "MODE" in {variable["name"] for variable in agent["env"]}

    eventually(check_rich)
    cluster.apply(cluster.a_class())

    def check_plain() -> None:
        for each in cluster.cron_jobs().values():
            job, pod, agent = each["spec"]["jobTemplate"]["spec"], pod_of(each), agent_of(each)
            assert not {"activeDeadlineSeconds", "ttlSecondsAfterFinished"} & set(job)
            assert not {"nodeSelector", "tolerations"} & set(pod)
            assert pod["serviceAccountName"] == pod["serviceAccount"] == "default"
            assert agent["image"] == "example.test/agent:1"
            assert "command" not in agent
            assert "MODE" not in {variable["name"] for variable in agent["env"]}

    eventually(check_plain)
    assert cluster.uids() == before


def test_what_a_class_takes_out_while_the_operator_is_down_is_taken_out(
    cluster: Cluster, operator: OperatorProcess
):
    """Nothing that decides this lives in the operator's memory only."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(cluster.a_class().setting(activeDeadline="6h").with_container(command=["/agent"]))
    cluster.apply(policy)
    cluster.ready()
    operator.kill()
    cluster.apply(cluster.a_class())
    operator.start()

    def check() -> None:
        for each in cluster.cron_jobs().values():
            assert "activeDeadlineSeconds" not in each["spec"]["jobTemplate"]["spec"]
            assert "command" not in agent_of(each)

    eventually(check)


def test_overrides_are_taken_in_and_taken_back(cluster: Cluster):
    """As far as the class allows them, and under the class's own fields."""
    policy = cluster.with_a_plain_setup()
    allowing = cluster.a_class().allowing("NodeSelector", "Resources", "RateLimit")
    cluster.apply(allowing.with_pod(nodeSelector={"tape": "yes"}))
    overriding = policy.overriding(
        nodeSelector={"tape": "no", "zone": "a"},
        resources={"requests": {"cpu": "1500m"}},
        rateLimit="20M",
    )
    cluster.apply(overriding)
    cluster.ready()
    for each in cluster.cron_jobs().values():
        assert pod_of(each)["nodeSelector"] == {"tape": "yes", "zone": "a"}
        assert agent_of(each)["resources"] == {"requests": {"cpu": "1500m"}}
        assert {"name": "FLEXLBF_RATE_LIMIT", "value": "20000000"} in agent_of(each)["env"]
    cluster.apply(policy)

    def check() -> None:
        for each in cluster.cron_jobs().values():
            assert pod_of(each)["nodeSelector"] == {"tape": "yes"}
            assert agent_of(each)["resources"] == {}
            assert "FLEXLBF_RATE_LIMIT" not in {variable["name"] for variable in agent_of(each)["env"]}

    eventually(check)


def test_newer_history_is_a_newer_plan(cluster: Cluster):
    """The ConfigMap is watched, though it is not ours."""
    policy = cluster.with_a_plain_setup(objects=0)

    def history(seconds: int) -> Raw:
        return a_config_map("catalog", history_csv=f"object,duration_s,throughput_mbps\nfs:/a,{seconds},10\n")

    cluster.apply(history(3600))
    cluster.apply(cluster.a_set().with_unmeasured("fs:/a").with_history_from("catalog"))
    cluster.apply(policy)
    assert cluster.ready()["status"]["recommendation"]["duration"] == "1h"
    cluster.apply(history(7200))

    def check() -> None:
        assert cluster.policy()["status"]["recommendation"]["duration"] == "2h"

    eventually(check)


def test_history_that_kubectl_keeps_twice_is_followed_too(cluster: Cluster, operator: OperatorProcess):
    """Client-side apply keeps the whole of it in an annotation, which makes for long lines in a watch."""
    policy = cluster.with_a_plain_setup(objects=0)
    rows = "".join(f"other:/object-with-a-long-name-{index:06},60,10\n" for index in range(4000))

    def history(seconds: int) -> Raw:
        text = f"object,duration_s,throughput_mbps\nfs:/a,{seconds},10\n{rows}"
        raw = a_config_map("catalog", history_csv=text)
        raw["metadata"]["annotations"] = {"kubectl.kubernetes.io/last-applied-configuration": text}
        return raw

    cluster.apply(history(3600))
    cluster.apply(cluster.a_set().with_unmeasured("fs:/a").with_history_from("catalog"))
    cluster.apply(policy)
    cluster.ready()
    cluster.apply(history(7200))

    def check() -> None:
        assert cluster.policy()["status"]["recommendation"]["duration"] == "2h"

    eventually(check)
    assert "Following configmaps" not in operator.log


def test_a_namespace_gains_and_loses_a_pool_by_its_labels(cluster: Cluster):
    """The administrator's selector counts as it is now."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(cluster.a_pool().with_drives().for_namespaces({"backup": "yes"}))
    cluster.apply(policy)
    assert "allowedNamespaces" in cluster.stalled("NamespaceNotAllowed")
    cluster.patch("Namespace", cluster.namespace, {"metadata": {"labels": {"backup": "yes"}}})
    cluster.ready()
    before = cluster.uids()
    cluster.patch("Namespace", cluster.namespace, {"metadata": {"labels": {"backup": None}}})
    assert "stay" in cluster.stalled("NamespaceNotAllowed")
    assert cluster.uids() == before


def test_suspending_a_policy_suspends_its_cron_jobs(cluster: Cluster):
    """They stay, and so does the plan; nothing starts."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy)
    cluster.ready()
    before = cluster.uids()
    cluster.apply(policy.setting(suspend=True))
    suspended = cluster.ready()
    assert cluster.condition("Ready")["reason"] == "Suspended"
    assert "nextScheduleTime" not in suspended["status"]["schedule"]
    assert {each["spec"]["suspend"] for each in cluster.cron_jobs().values()} == {True}
    cluster.apply(policy)
    assert "nextScheduleTime" in cluster.ready()["status"]["schedule"]
    assert {each["spec"]["suspend"] for each in cluster.cron_jobs().values()} == {False}
    assert cluster.uids() == before


def test_a_recommendation_emits_no_cron_jobs_and_takes_back_those_there_are(cluster: Cluster):
    """The status tells as much as when it is applied."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy.setting(mode="Recommend"))
    recommended = cluster.ready()["status"]
    assert cluster.cron_jobs() == {}
    assert cluster.condition("Ready")["reason"] == "Recommended"
    cluster.apply(policy)
    applied = cluster.ready()["status"]
    assert len(cluster.cron_jobs()) == applied["schedule"]["cronJobs"] == 3
    for figure in ("workload", "recommendation", "alternatives"):
        assert recommended[figure] == applied[figure]
    cluster.apply(policy.setting(mode="Recommend"))
    cluster.ready()
    cluster.await_objects()


def test_a_policy_of_the_same_name_is_another_policy(cluster: Cluster):
    """Deleted and made anew at once, it ends with its own CronJobs."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy)
    cluster.ready()
    cluster.delete("BackupPolicy", "weekly")
    made = cluster.apply(policy.at("0 3 * * *"))
    cluster.ready()

    def check() -> None:
        found = cluster.cron_jobs()
        assert len(found) == 3
        for each in found.values():
            assert [owner["uid"] for owner in each["metadata"]["ownerReferences"]] == [
                made["metadata"]["uid"]
            ]
            assert each["spec"]["schedule"].endswith("3 * * *")

    eventually(check)
