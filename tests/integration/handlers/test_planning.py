"""A policy that is applied becomes a plan: a status that people can act on, and the CronJobs that run it."""

import re

import pytest

from flexlbf.api.quantities import parse_quantity
from integration.handlers.cluster import Cluster, eventually
from integration.handlers.operatorprocess import OperatorProcess
from integration.handlers.replay import A_DAY, DriveLimits, Stream, minutes, replay, starts_of
from support.resources import Raw, Set, a_config_map

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]

TIMESTAMP = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def conditions_of(policy: Raw) -> dict[str, tuple[str, str]]:
    """Status and reason of each condition."""
    return {each["type"]: (each["status"], each["reason"]) for each in policy["status"]["conditions"]}


def test_the_status_tells_what_to_use_what_it_costs_and_what_it_saves(cluster: Cluster):
    """Every figure of the contract, on a workload that is small enough to plan by hand.

    Two objects of an hour and one of half an hour, 40 MB/s each, on three drives of 80 MB/s: two objects fill
    a drive, so one drive needs 90 minutes and two drives need the 60 of the longest object.
    """
    cluster.apply(cluster.a_pool().with_drives(count=3))
    cluster.apply(cluster.a_class())
    cluster.apply(
        cluster.a_set()
        .with_object("fs:/a", "1h", "40M")
        .with_object("fs:/b", "1h", "40M")
        .with_object("fs:/c", "30m", "40M")
    )
    cluster.apply(cluster.a_policy().setting(window="2h"))
    policy = cluster.ready()
    status = policy["status"]
    assert status["observedGeneration"] == policy["metadata"]["generation"] == 1
    assert conditions_of(policy) == {
        "Ready": ("True", "Planned"),
        "Reconciling": ("False", "UpToDate"),
        "Stalled": ("False", "UpToDate"),
        "WindowFit": ("True", "Fits"),
        "Drifted": ("Unknown", "NoSessionYet"),
    }
    for each in status["conditions"]:
        assert each["observedGeneration"] == 1
        assert each["message"]
        assert TIMESTAMP.fullmatch(each["lastTransitionTime"])
    assert status["workload"] == {
        "objects": 3,
        "bytes": "360G",
        "longestObject": "fs:/a",
        "longestDuration": "1h",
        "unmeasured": 0,
    }
    recommendation = status["recommendation"]
    compared = recommendation.pop("comparedTo")
    stretch = recommendation.pop("restoreStretch")
    assert 1 <= stretch["median"] <= stretch["worst"]
    assert recommendation == {
        "drives": 2,
        "maxAgents": 2,
        "duration": "1h",
        "lowerBound": "1h",
        "boundBy": "LongestObject",
        "optimal": True,
        "peakThroughput": "120M",
        "freedDrives": ["lto-2"],
    }
    assert set(compared) == {"traditional", "lbf"}
    assert all(set(each) == {"duration", "savedPercent", "restoreStretch"} for each in compared.values())
    assert status["alternatives"] == [
        {
            "objective": "WithinPercent",
            "percent": 15,
            "drives": 2,
            "maxAgents": 2,
            "duration": "1h",
            "restoreStretch": stretch,
        }
    ]
    schedule = status["schedule"]
    assert (schedule["cronJobs"], schedule["duration"]) == (3, "1h")
    assert schedule["nextScheduleTime"].endswith("T22:00:00Z")
    assert "lastScheduleTime" not in schedule


@pytest.mark.parametrize(
    ("window", "want"),
    [("10m", ("False", "Overruns")), (None, ("Unknown", "NoWindow"))],
    ids=["too-short", "none-given"],
)
def test_the_window_is_reported_on(cluster: Cluster, window: str | None, want: tuple[str, str]):
    """A session that does not fit is planned all the same: it is the user's to judge."""
    policy = cluster.with_a_plain_setup(objects=0)
    cluster.apply(cluster.a_set().with_object("fs:/a", "1h"))
    cluster.apply(policy.setting(window=window))
    ready = cluster.ready()
    assert conditions_of(ready)["WindowFit"] == want
    assert conditions_of(ready)["Ready"] == ("True", "Planned")


def test_an_objective_changes_the_settings(cluster: Cluster):
    """With time to spare, a deadline needs fewer drives than the fastest session."""
    policy = cluster.with_a_plain_setup(objects=0)
    cluster.apply(cluster.a_set().with_object("fs:/a", "1h", "60M").with_object("fs:/b", "1h", "60M"))
    cluster.apply(policy)
    assert cluster.ready()["status"]["recommendation"]["drives"] == 2
    cluster.apply(policy.setting(objective="Deadline", window="3h"))
    recommendation = cluster.ready()["status"]["recommendation"]
    assert (recommendation["drives"], recommendation["duration"]) == (1, "2h")


def test_each_object_has_a_cron_job_with_all_that_it_needs(cluster: Cluster):
    """Every field that Kubernetes acts on, and all that a person looks for."""
    cluster.apply(cluster.a_pool().with_drives(count=1, max_agents=1, devices=["/dev/nst0"]))
    cluster.apply(
        cluster.a_class().setting(
            retries=4,
            startingDeadline="15m",
            activeDeadline="6h",
            ttlAfterFinished="2d",
            successfulJobsHistoryLimit=2,
            failedJobsHistoryLimit=5,
            serviceAccountName="agent",
        )
    )
    first = cluster.a_set().with_object("fs:/a", "1h", "40M", source={"claimName": "data"})
    cluster.apply(first.with_object("fs:/$(HOME)/b", "30m", "40M"))
    policy = cluster.apply(cluster.a_policy().at("30 23 * * 1-5", "Europe/Berlin"))
    cluster.ready()
    cron_jobs = cluster.await_objects("fs:/a", "fs:/$(HOME)/b")
    for each in cron_jobs.values():
        assert len(each["metadata"]["name"]) <= 52
        assert {key: each["spec"][key] for key in each["spec"] if key not in {"schedule", "jobTemplate"}} == {
            "timeZone": "Europe/Berlin",
            "suspend": False,
            "concurrencyPolicy": "Forbid",
            "startingDeadlineSeconds": 900,
            "successfulJobsHistoryLimit": 2,
            "failedJobsHistoryLimit": 5,
        }
        job = each["spec"]["jobTemplate"]["spec"]
        assert (job["backoffLimit"], job["activeDeadlineSeconds"], job["ttlSecondsAfterFinished"]) == (
            4,
            6 * 3600,
            2 * 86400,
        )
        labels = {
            "app.kubernetes.io/managed-by": "flexlbf-operator",
            "flexlbf.io/role": "object",
            "flexlbf.io/policy": "weekly",
            "flexlbf.io/backup-set": "fleet",
            "flexlbf.io/pool": cluster.namespace,
            "flexlbf.io/drive": "lto-0",
        }
        assert each["metadata"]["labels"] == labels
        assert each["spec"]["jobTemplate"]["metadata"]["labels"] == labels
        assert job["template"]["metadata"]["labels"] == labels
        assert each["metadata"]["ownerReferences"] == [
            {
                "apiVersion": "flexlbf.io/v1alpha1",
                "kind": "BackupPolicy",
                "name": "weekly",
                "uid": policy["metadata"]["uid"],
                "controller": True,
                "blockOwnerDeletion": False,
            }
        ]
        pod = job["template"]["spec"]
        assert (pod["serviceAccountName"], pod["restartPolicy"], pod["automountServiceAccountToken"]) == (
            "agent",
            "Never",
            False,
        )
    long, short = cron_jobs["fs:/a"], cron_jobs["fs:/$(HOME)/b"]
    assert (long["spec"]["schedule"], short["spec"]["schedule"]) == ("30 23 * * 1-5", "30 0 * * 2-6")
    offsets = [each["metadata"]["annotations"]["flexlbf.io/planned-offset"] for each in (long, short)]
    assert offsets == ["0m", "1h"]
    container = long["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]
    assert {each["name"]: each["value"] for each in container["env"]} == {
        "FLEXLBF_OBJECT": "fs:/a",
        "FLEXLBF_BACKUP_SET": "fleet",
        "FLEXLBF_POLICY": "weekly",
        "FLEXLBF_SOURCE": "data",
        "FLEXLBF_SOURCE_PATH": "/source",
        "FLEXLBF_DRIVE": "lto-0",
        "FLEXLBF_DEVICE": "/dev/nst0",
        "FLEXLBF_MAX_THROUGHPUT": "80000000",
    }
    assert container["args"] == ["agent", "$(FLEXLBF_OBJECT)"]
    assert container["volumeMounts"] == [{"name": "flexlbf-source", "mountPath": "/source", "readOnly": True}]
    container = short["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]
    values = {each["name"]: each["value"] for each in container["env"]}
    assert (values["FLEXLBF_OBJECT"], values["FLEXLBF_SOURCE"]) == ("fs:/$$(HOME)/b", "fs:/$$(HOME)/b")


UNEVEN = {
    f"srv{index % 7}:/data{index}": (60 * (3 + index * index % 61) + index % 60, 1 + index * 7 % 38)
    for index in range(40)
}
"""Seconds and MB/s of forty objects: minutes to an hour, slow ones and fast ones."""


def a_fleet(backup_set: Set) -> Set:
    """The set with the objects above, and one that is faster than any drive."""
    for name, (seconds, mbps) in UNEVEN.items():
        backup_set = backup_set.with_object(name, f"{seconds}s", f"{mbps}M")
    return backup_set.with_object("too:/fast", "10m", "160M")


@pytest.mark.parametrize(
    ("schedule", "crossing"),
    [
        pytest.param("0 22 * * 6", True, id="saturdays-into-sunday"),
        pytest.param("45 22 * * *", True, id="every-evening-past-midnight"),
        pytest.param("50 23 * * 1-5", True, id="weekdays-just-before-midnight"),
        pytest.param("0 4 1-7 * *", False, id="first-days-of-the-month"),
        pytest.param("0 1 * * 0,3", False, id="two-days-of-the-week"),
        pytest.param("30 10,22 * * *", True, id="twice-a-day"),
    ],
)
def test_no_minute_of_the_cron_jobs_exceeds_a_drive(cluster: Cluster, schedule: str, crossing: bool):
    """Replayed from their expressions alone they keep to every drive; each object runs once a session."""
    cluster.apply(
        cluster.a_pool()
        .with_drives("lto", 1, max_throughput="80M", max_agents=4)
        .with_drives("old", 2, max_throughput="40M", max_agents=3)
    )
    cluster.apply(cluster.a_class())
    cluster.apply(a_fleet(cluster.a_set()))
    cluster.apply(cluster.a_policy().at(schedule))
    status = cluster.ready()["status"]
    cron_jobs = cluster.await_objects(*UNEVEN, "too:/fast")
    assert status["workload"]["capped"] == ["too:/fast"]
    streams = {name: Stream(seconds, mbps * 10**6) for name, (seconds, mbps) in UNEVEN.items()}
    streams["too:/fast"] = Stream(1200, 80 * 10**6)
    seen = replay(cron_jobs.values(), streams)
    agents = status["recommendation"]["maxAgents"]
    seen.assert_within(
        {
            "lto-0": DriveLimits(min(4, agents), 80 * 10**6),
            "old-0": DriveLimits(min(3, agents), 40 * 10**6),
            "old-1": DriveLimits(min(3, agents), 40 * 10**6),
        }
    )
    offsets = {
        name: minutes(each["metadata"]["annotations"]["flexlbf.io/planned-offset"])
        for name, each in cron_jobs.items()
    }
    seen.assert_once_a_session(schedule, offsets)
    peak = max(sum(rates[minute] for rates in seen.rates.values()) for minute in range(7 * A_DAY))
    assert parse_quantity(status["recommendation"]["peakThroughput"]) == peak
    past_midnight = {
        name
        for name, offset in offsets.items()
        if any(start % A_DAY + offset >= A_DAY for start in starts_of(schedule, before=0))
    }
    assert bool(past_midnight) is crossing


def test_history_from_a_config_map_is_planned_with(cluster: Cluster):
    """The latest run's duration, the mean rate of the last runs; an object without any is assumed average."""
    policy = cluster.with_a_plain_setup(objects=0)
    cluster.apply(
        a_config_map(
            "catalog",
            history_csv="object,start,end,bytes\n"
            "fs:/a,2026-01-03T22:00:00Z,2026-01-03T23:00:00Z,36000000000\n"
            "fs:/a,2026-01-10T22:00:00Z,2026-01-11T00:00:00Z,72000000000\n",
        )
    )
    cluster.apply(
        cluster.a_set().with_unmeasured("fs:/a").with_unmeasured("fs:/new").with_history_from("catalog")
    )
    cluster.apply(policy)
    status = cluster.ready()["status"]
    assert status["workload"] == {
        "objects": 2,
        "bytes": "144G",
        "longestObject": "fs:/a",
        "longestDuration": "2h",
        "unmeasured": 1,
    }
    assert "1 object without history" in cluster.condition("Ready")["message"]


def test_sets_are_selected_by_their_labels(cluster: Cluster):
    """Also sets that get the label, or lose it, later on."""
    policy = cluster.with_a_plain_setup(objects=0)
    gold, plain = cluster.a_set("gold").with_object("gold:/a"), cluster.a_set("plain").with_object("plain:/a")
    cluster.apply(gold.labelled({"tier": "gold"}))
    cluster.apply(plain)
    cluster.apply(policy.selecting({"tier": "gold"}))
    cluster.await_objects("gold:/a")
    cluster.apply(plain.labelled({"tier": "gold"}))
    cluster.await_objects("gold:/a", "plain:/a")
    cluster.apply(gold.labelled({"tier": "silver"}))
    cluster.await_objects("plain:/a")


def test_a_verdict_is_told_once_as_an_event(cluster: Cluster):
    """`kubectl describe` shows it; another event comes only with another verdict."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy)
    cluster.ready()

    def told() -> list[tuple[str, str]]:
        events = [each for each in cluster.list("Event") if each["regarding"]["name"] == "weekly"]
        return sorted((each["type"], each["reason"]) for each in events)

    def check(want: list[tuple[str, str]]) -> None:
        assert told() == want

    eventually(lambda: check([("Normal", "Planned")]))
    cluster.apply(cluster.a_set().with_objects(4))
    cluster.await_objects(*(f"fs:/d{index}" for index in range(4)))
    cluster.apply(policy.backing_up("nowhere"))
    cluster.stalled("BackupSetNotFound")
    eventually(lambda: check([("Normal", "Planned"), ("Warning", "BackupSetNotFound")]))


def test_kubectl_waits_for_it_and_shows_it(cluster: Cluster, operator: OperatorProcess):
    """The commands of the documentation."""
    cluster.apply(cluster.with_a_plain_setup())
    in_namespace = f"--namespace={cluster.namespace}"
    cluster.plane.kubectl("wait", "--for=condition=Ready", "--timeout=120s", in_namespace, "bpol/weekly")
    head, row = cluster.plane.kubectl("get", "bpol", in_namespace).splitlines()
    assert dict(zip(head.split(), row.split(), strict=False))["READY"] == "True"
    assert "Traceback" not in operator.log
