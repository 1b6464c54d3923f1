"""What can't be planned is told with what to write, others go on, and the last good CronJobs stay."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from integration.handlers.audit import AuditTrail
from integration.handlers.cluster import Cluster, eventually
from integration.handlers.operatorprocess import OperatorProcess
from support.resources import a_config_map

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]

CSV = "object,duration_s,throughput_mbps\n"


@dataclass(frozen=True)
class Mistake:
    """Something that breaks a policy that was good.

    Attributes:
        reason: of the condition Stalled.
        says: what its message must have: what is wrong, and what to write.
        breaks: does it.
    """

    reason: str
    says: tuple[str, ...]
    breaks: Callable[[Cluster], object]


def good(cluster: Cluster) -> None:
    """A policy that can be planned, and everything that it needs, as it was before anything was broken."""
    cluster.patch("Namespace", cluster.namespace, {"metadata": {"labels": {"backup": "yes"}}})
    cluster.apply(cluster.a_pool().with_drives().for_namespaces({"backup": "yes"}))
    cluster.apply(cluster.a_class().with_sources(hostPaths=["/srv/data"]))
    cluster.apply(a_config_map("catalog", history_csv=f"{CSV}fs:/b,600,10\n"))
    cluster.apply(
        cluster.a_set()
        .with_object("fs:/a", "30m", "60M", source={"hostPath": "/srv/data/a"})
        .with_unmeasured("fs:/b")
        .with_history_from("catalog")
    )
    cluster.apply(cluster.a_set("other").with_object("other:/a"))
    cluster.apply(cluster.a_policy())


MISTAKES = {
    "set-missing": Mistake(
        "BackupSetNotFound",
        ("'fleet'", "create it or take it out of spec.backupSets.names"),
        lambda cluster: cluster.delete("BackupSet", "fleet"),
    ),
    "set-named-wrongly": Mistake(
        "BackupSetNotFound",
        ("'nowhere'",),
        lambda cluster: cluster.apply(cluster.a_policy().backing_up("fleet", "nowhere")),
    ),
    "no-set-selected": Mistake(
        "BackupSetNotFound",
        ("selects no BackupSet", "label one or change the selector"),
        lambda cluster: cluster.apply(cluster.a_policy().selecting({"tier": "gold"})),
    ),
    "pool-missing": Mistake(
        "TapePoolNotFound",
        ("create it or name another in spec.tapePool",),
        lambda cluster: cluster.delete("TapePool", cluster.namespace),
    ),
    "class-missing": Mistake(
        "BackupClassNotFound",
        ("create it or name another in spec.backupClass",),
        lambda cluster: cluster.delete("BackupClass", cluster.namespace),
    ),
    "namespace-not-allowed": Mistake(
        "NamespaceNotAllowed",
        ("ask its administrator", "spec.allowedNamespaces"),
        lambda cluster: cluster.patch(
            "Namespace", cluster.namespace, {"metadata": {"labels": {"backup": None}}}
        ),
    ),
    "object-in-two-sets": Mistake(
        "DuplicateObject",
        ("'fs:/a'", "'fleet'", "'more'", "keep it in one of them"),
        lambda cluster: (
            cluster.apply(cluster.a_set("more").with_object("fs:/a")),
            cluster.apply(cluster.a_policy().backing_up("fleet", "more")),
        ),
    ),
    "no-history": Mistake(
        "NoHistory",
        ("estimate", "{duration: 1h, throughput: 20M}"),
        lambda cluster: cluster.apply(
            cluster.a_set().with_unmeasured("fs:/a", source={"value": "x"}).with_unmeasured("fs:/b")
        ),
    ),
    "broken-csv": Mistake(
        "InvalidHistory",
        ("ConfigMap 'catalog'", "history.csv:2", "duration_s is 'long'"),
        lambda cluster: cluster.apply(a_config_map("catalog", history_csv=f"{CSV}fs:/b,long,10\n")),
    ),
    "wrong-columns": Mistake(
        "InvalidHistory",
        ("history.csv:1", "object,start,end,bytes"),
        lambda cluster: cluster.apply(a_config_map("catalog", history_csv="name,seconds\nfs:/b,10\n")),
    ),
    "config-map-missing": Mistake(
        "HistoryNotFound",
        ("there is no ConfigMap 'catalog'", "create it or change spec.historyFrom"),
        lambda cluster: cluster.delete("ConfigMap", "catalog"),
    ),
    "config-map-key-missing": Mistake(
        "HistoryNotFound",
        ("has no key 'history.csv'", "spec.historyFrom.key"),
        lambda cluster: cluster.apply(a_config_map("catalog", other_csv=CSV)),
    ),
    "host-path-outside": Mistake(
        "SourceNotAllowed",
        ("'/etc'", "below /srv/data"),
        lambda cluster: cluster.apply(cluster.a_set().with_object("fs:/a", source={"hostPath": "/etc"})),
    ),
    "host-path-beside": Mistake(
        "SourceNotAllowed",
        ("'/srv/database'",),
        lambda cluster: cluster.apply(
            cluster.a_set().with_object("fs:/a", source={"hostPath": "/srv/database"})
        ),
    ),
    "claims-not-allowed": Mistake(
        "SourceNotAllowed",
        ("source.claims",),
        lambda cluster: (
            cluster.apply(cluster.a_class().with_sources(claims=False, hostPaths=["/srv/data"])),
            cluster.apply(cluster.a_set().with_object("fs:/a", source={"claimName": "data"})),
        ),
    ),
    "override-not-allowed": Mistake(
        "OverrideNotAllowed",
        ("NodeSelector", "allowedOverrides"),
        lambda cluster: cluster.apply(cluster.a_policy().overriding(nodeSelector={"a": "b"})),
    ),
    "day-of-month-past-midnight": Mistake(
        "ScheduleNotShiftable",
        ("past midnight", "start the session earlier in the day, or name days of the week"),
        lambda cluster: (
            cluster.apply(cluster.a_pool().with_drives(count=1, max_agents=1)),
            cluster.apply(cluster.a_policy().at("59 23 1 * *")),
        ),
    ),
    "sessions-overlap": Mistake(
        "SessionsOverlap",
        ("takes 30m", "every 20m", "start it less often"),
        lambda cluster: cluster.apply(cluster.a_policy().at("*/20 * * * *")),
    ),
    "no-such-date": Mistake(
        "InvalidSchedule",
        ("names a date that no year has",),
        lambda cluster: cluster.apply(cluster.a_policy().at("0 22 31 2 *")),
    ),
    "no-drive": Mistake(
        "NoDriveAvailable",
        ("all drives", "take one out of spec.drives[].unavailable"),
        lambda cluster: cluster.apply(cluster.a_pool().with_drives(unavailable=["lto-0", "lto-1"])),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES.keys())
def test_a_policy_that_breaks_keeps_its_cron_jobs_and_recovers_with_them(cluster: Cluster, mistake: Mistake):
    """Told why, with what to write; and back where it was when the mistake is taken back."""
    good(cluster)
    before_status = cluster.ready()["status"]
    before = cluster.uids()
    schedules = {name: each["spec"]["schedule"] for name, each in cluster.cron_jobs().items()}
    mistake.breaks(cluster)
    message = cluster.stalled(mistake.reason)
    assert {
        part for part in (*mistake.says, "the CronJobs of the last good plan stay") if part not in message
    } == (set())
    status = cluster.policy()["status"]
    for figure in ("workload", "recommendation", "alternatives"):
        assert status[figure] == before_status[figure]
    assert cluster.condition("Reconciling")["status"] == "False"
    assert cluster.condition("WindowFit")["status"] == "Unknown"
    assert cluster.uids() == before
    cluster.apply(cluster.a_policy("healthy").backing_up("other"))
    if mistake.reason not in {
        "TapePoolNotFound",
        "BackupClassNotFound",
        "NamespaceNotAllowed",
        "NoDriveAvailable",
    }:
        cluster.ready("healthy")
    good(cluster)
    cluster.ready()
    assert cluster.uids() == before
    assert {name: each["spec"]["schedule"] for name, each in cluster.cron_jobs().items()} == schedules


def test_a_policy_that_never_was_good_has_no_cron_jobs(cluster: Cluster):
    """And does not speak of any that stay."""
    cluster.with_a_plain_setup()
    cluster.apply(cluster.a_policy().at("0 22 31 2 *"))
    assert "stay" not in cluster.stalled("InvalidSchedule")
    assert cluster.cron_jobs() == {}
    status = cluster.policy()["status"]
    assert set(status) == {"observedGeneration", "conditions"}


def test_resources_may_come_in_any_order(cluster: Cluster):
    """As `kubectl apply -f` of a folder sends them."""
    cluster.apply(cluster.a_policy())
    cluster.stalled("BackupSetNotFound")
    cluster.apply(cluster.a_set().with_object("fs:/a"))
    cluster.stalled("TapePoolNotFound")
    cluster.apply(cluster.a_pool().with_drives())
    cluster.stalled("BackupClassNotFound")
    cluster.apply(cluster.a_class())
    cluster.ready()
    cluster.await_objects("fs:/a")


def test_a_parent_folder_never_gets_past_admission(cluster: Cluster):
    """`/srv/data/..` is refused before there is anything to plan."""
    good(cluster)
    climbing = cluster.a_set().with_object("fs:/a", source={"hostPath": "/srv/data/../../etc"}).build()
    answer = cluster.request(
        "PATCH",
        f"{cluster.path('BackupSet', 'fleet')}?fieldManager=kubectl&force=true",
        climbing,
        "application/apply-patch+yaml",
    )
    assert answer.status == 422
    assert "without '..'" in answer.message


def test_a_pod_that_the_api_server_refuses_is_told_and_not_tried_for_ever(
    cluster: Cluster, audit: AuditTrail, operator: OperatorProcess
):
    """A class whose container has no image: only another class helps, and then it recovers."""
    policy = cluster.with_a_plain_setup()
    cluster.apply(policy)
    cluster.ready()
    before = cluster.uids()
    cluster.apply(cluster.a_class().without_container_field("image"))
    message = cluster.stalled("ApplyRefused")
    assert "image: Required value" in message
    assert cluster.uids() == before
    audit.settle()
    audit.assert_silence(6)
    operator.restart()
    audit.settle()
    cluster.apply(cluster.a_class())
    cluster.ready()
    assert cluster.uids() == before


def test_the_operator_never_stumbled(cluster: Cluster, operator: OperatorProcess):
    """No mistake of a user is a traceback in the log."""
    good(cluster)
    cluster.ready()
    cluster.delete("BackupSet", "fleet")
    cluster.stalled("BackupSetNotFound")

    def check() -> None:
        assert "Traceback" not in operator.log

    eventually(check)
