"""The last good plan is its policy's own, and its backups grow no older than they are."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from flexlbf.cluster.state import Key
from flexlbf.handlers.lastplans import LastPlans
from flexlbf.history.ledger import RecordedRun
from flexlbf.planning.recency import Recency
from support.resources import a_policy, a_set
from unit.planning.snapshots import Scene

NIGHT = datetime(2026, 1, 3, 22, tzinfo=UTC)
MINUTES = timedelta(minutes=5)
SCENE = Scene(sets=(a_set().with_object("fs:/a").with_object("fs:/b"),))
POLICY = SCENE.snapshot().policy


def backed_up(scene: Scene, days: int) -> Scene:
    """With both objects backed up that many days later."""
    start = NIGHT + timedelta(days=days)
    run = RecordedRun(f"session-{days}", start, int(MINUTES.total_seconds()) * 10**9, 10**9)
    return scene.having(histories={"fleet": {"fs:/a": (run,), "fs:/b": (run,)}})


def test_backups_of_a_policy_that_is_stalled_go_on():
    """Its CronJobs do, and an alert on how old its backups are would tell of what is not so."""
    plans = LastPlans()
    good = backed_up(SCENE, 0).plan()
    plans.keep(POLICY, good)
    stalled = backed_up(SCENE.having(pool=None), 7)
    plans.refresh(stalled.snapshot())
    plans.keep(POLICY, stalled.plan())
    assert stalled.plan().stalled
    assert plans.of(POLICY) == replace(good, recency=Recency(NIGHT + timedelta(days=7) + MINUTES))


def test_what_is_known_stays_where_nothing_is_recorded():
    """As when the sets are gone for a moment, and their histories with them."""
    plans = LastPlans()
    good = backed_up(SCENE, 0).plan()
    plans.keep(POLICY, good)
    plans.refresh(SCENE.having(sets=()).snapshot())
    assert plans.of(POLICY) == good


def test_one_that_takes_the_name_of_another_begins_anew():
    """The figures of the other would be shown for it until it is planned, or for ever if it can't be."""
    plans = LastPlans()
    plans.keep(POLICY, SCENE.plan())
    other = {**POLICY, "metadata": {**POLICY["metadata"], "uid": "another"}}
    assert plans.of(other) is None
    plans.refresh(replace(backed_up(SCENE, 0).snapshot(), policy=other))
    assert plans.of(other) is None
    assert plans.of(None) is None


def test_the_plan_of_a_policy_that_is_gone_goes():
    plans = LastPlans()
    policy = a_policy("weekly").observed("backup")
    plans.keep(policy, SCENE.plan())
    assert plans.of(policy) is not None
    plans.forget(Key("backup", "weekly"))
    assert plans.of(policy) is None
