"""Sessions that can't go on: what runs is seen to its end, and what can't start is said by name."""

from typing import Any

import pytest

from flexlbf.cluster.resources import BACKUP_POLICIES
from flexlbf.cluster.state import Key
from integration.dispatching.stage import Stage, until
from support.resources import Raw

pytestmark = pytest.mark.integration


async def begun(stage: Stage, **fields: str) -> str:
    """A session of two sets: of the one agent there is the longest object has it, the others wait."""
    cluster = stage.cluster
    cluster.apply(cluster.a_pool().with_drives(count=1, max_agents=1))
    cluster.apply(cluster.a_class())
    cluster.apply(cluster.a_set().with_object("long", "1h").with_object("short", "10m"))
    cluster.apply(cluster.a_set("more").with_object("other", "5m"))
    policy = cluster.a_policy().backing_up("fleet", "more").setting(execution="Adaptive", **fields)
    cluster.apply(policy)
    await stage.look()
    session = await stage.begin()
    await stage.dispatch()
    assert set(stage.streams()) == {"long"}
    return session


async def after_a_restart(stage: Stage) -> None:
    """As a new operator sees it."""
    stage.restart()
    await stage.look()
    await stage.see()
    await stage.dispatch()


def events(stage: Stage) -> list[Raw]:
    """What was told of the policy's session."""
    return [each for each in stage.cluster.list("Event") if each.get("action") == "Session"]


async def test_without_a_plan_what_runs_ends_and_the_session_is_given_up_in_time(stage: Stage):
    """One set is deleted while no operator is there: nobody knows any more what was in it."""
    session = await begun(stage)
    stage.cluster.delete("BackupSet", "more")
    await after_a_restart(stage)
    await stage.settle(session)
    told = stage.session()
    assert (told["state"], told["objects"], told["running"]) == ("Running", 3, 1)
    assert (told["waiting"]["objects"], told["waiting"]["head"]) == (2, "short")
    assert told["waiting"]["reason"].startswith("its policy gives no plan to run: ")
    assert "more" in told["waiting"]["reason"]

    await stage.end("long", size=4000)
    await stage.see()
    await stage.dispatch(seconds=6)
    await stage.settle(session)
    assert (stage.session()["done"], stage.session()["bytes"]) == (1, "4k")
    assert stage.outcome(session) == {}
    assert set(stage.streams()) == {"long"}

    await stage.dispatch(minutes=16)
    await stage.settle(session)
    outcome = stage.outcome(session)
    assert (outcome["type"], outcome["reason"]) == ("Failed", "SessionAbandoned")
    assert (
        "1 of 3 objects backed up; not started since the policy gives no plan to run (" in outcome["message"]
    )
    assert outcome["message"].endswith(": short and 1 more")
    told = stage.session()
    assert (told["state"], told["skipped"], told["skippedObjects"]) == ("Failed", 2, ["short"])
    (event,) = events(stage)
    assert (event["type"], event["reason"]) == ("Warning", "SessionAbandoned")
    assert "short" in event["note"]


async def test_a_policy_that_is_mended_in_time_lets_its_session_go_on(stage: Stage):
    """As if nothing had been."""
    session = await begun(stage)
    stage.cluster.delete("BackupSet", "more")
    await after_a_restart(stage)
    stage.cluster.apply(stage.cluster.a_set("more").with_object("other", "5m"))
    for obj in ("long", "short", "other"):
        await stage.look()
        await stage.see()
        await stage.dispatch(seconds=6)
        assert obj in stage.streams()
        await stage.end(obj)
        await stage.see()
        await stage.settle(session, seconds=6)
    assert stage.outcome(session)["type"] == "Complete"
    assert stage.session()["done"] == 3


async def test_what_ran_while_a_set_was_missing_does_not_run_again(stage: Stage):
    """Though its own set went, its history with it, and its Job was one too many."""
    session = await begun(stage)
    stage.cluster.apply(stage.cluster.a_class().setting(successfulJobsHistoryLimit=0))
    stage.cluster.delete("BackupSet", "more")
    await after_a_restart(stage)
    await stage.end("long", size=4000)
    await stage.see()
    await stage.dispatch(seconds=6)
    await stage.settle(session)
    stage.cluster.delete("BackupSet", "fleet")
    (shard,) = stage.cluster.list("BackupHistory")
    stage.cluster.delete(
        "BackupHistory", shard["metadata"]["name"]
    )  # Kubernetes does so, half a minute later

    def nothing_left() -> None:
        assert stage.streams() == {}

    await until(nothing_left)
    await stage.look()
    await stage.see()
    await stage.dispatch(seconds=6)
    stage.cluster.apply(stage.cluster.a_set().with_object("long", "1h").with_object("short", "10m"))
    stage.cluster.apply(stage.cluster.a_set("more").with_object("other", "5m"))
    await stage.look()
    await stage.dispatch(seconds=6)
    assert set(stage.streams()) == {"short"}
    await stage.settle(session)
    told = stage.session()
    assert (told["done"], told["bytes"], told["objects"]) == (1, "4k", 3)


async def test_a_session_that_is_mended_just_as_it_ends_starts_nothing_more(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
):
    """What is told of it by then holds."""
    session = await begun(stage)
    stage.cluster.delete("BackupSet", "more")
    await after_a_restart(stage)
    await stage.end("long")
    await stage.see()
    await stage.dispatch(minutes=16)
    patch = stage.client.patch

    async def mended_first(*arguments: Any, **fields: Any) -> Any:
        monkeypatch.undo()
        stage.cluster.apply(stage.cluster.a_set("more").with_object("other", "5m"))
        await stage.look()
        await stage.dispatch()
        assert stage.reason(session) == "the session ends"
        return await patch(*arguments, **fields)

    monkeypatch.setattr(stage.client, "patch", mended_first)  # the Job's status
    await stage.settle(session)
    assert stage.outcome(session)["reason"] == "SessionAbandoned"
    await stage.dispatch()
    assert set(stage.streams()) == {"long"}


async def test_a_session_with_a_window_is_not_given_up_before_that_ends(stage: Stage):
    """It would have gone on until then."""
    session = await begun(stage, window="8h")
    stage.cluster.delete("BackupSet", "more")
    await after_a_restart(stage)
    await stage.end("long")
    await stage.see()
    await stage.dispatch(hours=7)
    await stage.settle(session)
    assert stage.outcome(session) == {}
    await stage.dispatch(hours=1, minutes=1)
    await stage.settle(session)
    assert stage.outcome(session)["reason"] == "SessionAbandoned"


async def test_without_its_pool_a_session_waits_and_is_given_up(stage: Stage):
    """Though its last plan is known, there are no drives; what runs is seen to its end."""
    session = await begun(stage)
    stage.cluster.delete("TapePool", stage.cluster.namespace)
    await stage.look()
    await stage.dispatch()
    assert stage.reason(session) == f"TapePool {stage.cluster.namespace!r} is not there, or can't be read"
    await stage.end("long")
    await stage.see()
    await stage.dispatch(minutes=16)
    await stage.settle(session)
    assert stage.outcome(session)["reason"] == "SessionAbandoned"
    assert stage.outcome(session)["message"].endswith(": other, short")


async def test_a_session_goes_on_where_it_was_planned_when_its_policy_names_a_pool_that_is_not_there(
    stage: Stage,
):
    """The last good plan holds while the policy can't be planned."""
    session = await begun(stage)
    stage.cluster.patch("BackupPolicy", "weekly", {"spec": {"tapePool": "nowhere"}})
    await stage.look()
    await stage.end("long")
    await stage.see()
    await stage.dispatch()
    assert set(stage.streams()) == {"long", "short"}
    assert stage.outcome(session) == {}


@pytest.mark.parametrize("restarted", [False, True])
async def test_the_session_of_a_policy_that_left_it_behind_ends_when_nothing_runs(
    stage: Stage, *, restarted: bool
):
    """With `--cascade=orphan` nothing is deleted with the policy, and nothing of it starts any more."""
    session = await begun(stage, window="8h")
    stage.cluster.delete("BackupPolicy", "weekly", propagation="Orphan")

    def gone() -> None:
        assert stage.cluster.get("BackupPolicy", "weekly") is None

    await until(gone)
    if restarted:
        await after_a_restart(stage)
    await stage.look()
    await stage.see()
    await stage.dispatch(seconds=6)
    await stage.settle(session)
    assert stage.outcome(session) == {}
    await stage.end("long")
    await stage.see()
    await stage.settle(session, seconds=6)
    outcome = stage.outcome(session)
    assert (outcome["type"], outcome["reason"]) == ("Failed", "PolicyDeleted")
    left = "2 whose names nobody knows any more" if restarted else "other, short"
    assert outcome["message"].endswith(
        f"1 of 3 objects backed up; not started since the policy was deleted: {left}"
    )
    assert set(stage.streams()) == {"long"}
    (shard,) = stage.cluster.list("BackupHistory")
    assert [each["name"] for each in shard["spec"]["objects"]] == ["long"]


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_policy_that_lives_is_not_said_to_be_deleted(stage: Stage, *, restarted: bool):
    """Its session lost what ties it to the policy, as after `kubectl delete cronjob --cascade=orphan`."""
    session = await begun(stage, window="8h")
    stage.cluster.patch("Job", session, {"metadata": {"ownerReferences": None}})
    if restarted:
        await after_a_restart(stage)
    await stage.end("long")
    await stage.see()
    await stage.settle(session, seconds=6)
    outcome = stage.outcome(session)
    assert (outcome["type"], outcome["reason"]) == ("Failed", "SessionAbandoned")
    assert "not started since nothing says any more that it is its policy's" in outcome["message"]
    assert set(stage.streams()) == {"long"}


async def test_nothing_starts_of_a_policy_that_is_being_deleted(stage: Stage):
    """Something may keep it for long: its session does not wait for that."""
    session = await begun(stage, window="8h")
    stage.cluster.patch("BackupPolicy", "weekly", {"metadata": {"finalizers": ["example.test/kept"]}})
    stage.cluster.delete("BackupPolicy", "weekly")
    await stage.end("long")
    await stage.see()
    await stage.look()
    await stage.dispatch(seconds=6)
    await stage.settle(session)
    stage.cluster.patch("BackupPolicy", "weekly", {"metadata": {"finalizers": None}})
    assert stage.outcome(session)["reason"] == "PolicyDeleted"
    assert set(stage.streams()) == {"long"}


async def test_a_policy_that_is_there_but_not_seen_yet_is_not_taken_for_gone(stage: Stage):
    """Its own watch may lag behind that of the Jobs."""
    session = await begun(stage)
    key = Key(stage.cluster.namespace, "weekly")
    stage.state.objects[BACKUP_POLICIES].pop(key)
    await stage.settle(session, minutes=30)
    await stage.end("long")
    await stage.see()
    await stage.settle(session, seconds=6)
    assert stage.outcome(session) == {}
