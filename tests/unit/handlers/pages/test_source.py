"""What pages are made of is what this operator holds, whether it leads or waits for its turn."""

from datetime import timedelta

from flexlbf.cluster.historyindex import ObservedHistory
from flexlbf.cluster.runs import ObservedJob
from flexlbf.cluster.state import Key
from flexlbf.history.ledger import Entry, RecordedRun, Shard
from flexlbf.manifests.backuphistory import backup_history
from flexlbf.manifests.names import managed_session_name
from flexlbf.scheduling.units import MINUTE
from support.pagestage import PageStage
from support.reports import NOW, a_fleet
from support.resources import Raw, a_policy

UID = "0123456789abcdef"
OWNER = {"kind": "BackupPolicy", "name": "weekly", "uid": "uid-of-BackupPolicy-weekly", "controller": True}


def a_session(version: int, **status: object) -> ObservedJob:
    """The Job of a session of the policy `weekly`."""
    metadata: Raw = {
        "name": "weekly-1",
        "namespace": "default",
        "uid": UID,
        "resourceVersion": str(version),
        "creationTimestamp": "2026-01-05T10:00:00Z",
        "labels": {"flexlbf.io/role": "session"},
        "ownerReferences": [OWNER],
    }
    return ObservedJob.of(
        {"metadata": metadata, "spec": {"managedBy": "flexlbf.io/session"}, "status": status}
    )


def measured_in(session: str) -> ObservedHistory:
    """What was recorded of an object in a session."""
    run = RecordedRun(session, NOW - timedelta(hours=1), 30 * MINUTE, 36_000_000_000)
    raw = backup_history("default", "fleet", None, Shard(0, {"fs:/d0": Entry((run,))}))
    raw["metadata"] |= {"uid": "uid-of-history", "resourceVersion": "7"}
    return ObservedHistory.of(raw)


async def test_measurements_of_a_session_that_runs_do_not_count_yet():
    """An operator that waits is not told which run, and sees them among the Jobs."""
    stage = PageStage()
    stage.put_fleet(a_fleet())
    stage.state.histories.put(measured_in(managed_session_name("weekly", UID)))
    stage.runs.put_job(a_session(1))
    source = stage.source()
    policy = source.policy(Key("default", "weekly"))
    assert policy
    snapshot, running = await source.snapshot(policy)
    assert snapshot.histories == {}
    stage.runs.put_job(a_session(2, conditions=[{"type": "Complete", "status": "True"}]))
    snapshot, over = await source.snapshot(policy)
    assert set(snapshot.histories["fleet"]) == {"fs:/d0"}
    assert over != running


def test_a_window_ends_counted_from_when_the_session_was_due():
    """Which is when its CronJob says, and for one that was asked for when its Job was made."""
    stage = PageStage()
    stage.runs.put_job(a_session(1))
    session = {"name": "weekly-1", "state": "Running", "expectedEnd": "2026-01-05T13:00:00Z", "objects": 1}
    policy = a_policy().setting(window="4h").build("default")
    for job, verdict in ((a_session(1), "1h before its window ends"), (None, "began")):
        if job is None:
            stage.runs.drop_job(a_session(2))
        stage.put({**policy, "status": {"session": {**session, "started": "2026-01-05T10:05:00Z"}}})
        (shown,) = stage.source().policies("default")
        progress = stage.source().standing(shown, NOW).progress
        assert progress
        assert verdict in progress.headlines[-1].note


def test_policies_are_those_of_a_namespace_or_all():
    stage = PageStage()
    for namespace, name in (("a", "one"), ("a", "two"), ("b", "three")):
        stage.put(a_policy(name).build(namespace))
    source = stage.source()
    assert [each["metadata"]["name"] for each in source.policies("a")] == ["one", "two"]
    assert len(source.policies()) == 3
    assert source.policies("c") == []
    assert source.policy(Key("b", "one")) is None
