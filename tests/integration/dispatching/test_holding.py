"""What holds a session up holds up no other, and nothing starts twice for it."""

import asyncio
from typing import Any

import pytest

from flexlbf.cluster.client import ApiError
from integration.dispatching.stage import Stage, until

pytestmark = pytest.mark.integration

ALL = {"fs:/d0", "fs:/d1", "fs:/d2"}


async def begun(stage: Stage, max_agents: int = 10) -> str:
    """A session of three objects that has begun, on one drive; nothing was started yet."""
    cluster = stage.cluster
    cluster.apply(cluster.a_pool().with_drives(count=1, max_agents=max_agents))
    cluster.apply(cluster.a_class())
    cluster.apply(cluster.a_set().with_objects(3))
    cluster.apply(cluster.a_policy().setting(execution="Adaptive"))
    await stage.look()
    return await stage.begin()


async def test_a_suspended_session_starts_nothing_and_keeps_no_drive_from_others(stage: Stage):
    """Though it is of higher priority."""
    session = await begun(stage, max_agents=1)
    policy = stage.cluster.a_policy().setting(execution="Adaptive", priority=5, suspend=True)
    stage.cluster.apply(policy)
    stage.cluster.apply(stage.cluster.a_set("more").with_object("more"))
    stage.cluster.apply(stage.cluster.a_policy("other").backing_up("more").setting(execution="Adaptive"))
    await stage.look()
    await stage.begin("other")
    await stage.dispatch()
    assert set(stage.streams()) == {"more"}
    assert stage.reason(session) == "the policy is suspended"
    await stage.end("more")
    await stage.see()
    stage.cluster.apply(policy.setting(suspend=False))
    await stage.look()
    await stage.dispatch()
    assert len(stage.streams().keys() & ALL) == 1


async def test_a_session_whose_jobs_are_refused_rests_a_while_and_goes_on(stage: Stage):
    """As where a quota is full; the status has the API server's words."""
    session = await begun(stage)
    quotas = f"/api/v1/namespaces/{stage.cluster.namespace}/resourcequotas"
    quota = {"metadata": {"name": "few"}, "spec": {"hard": {"count/jobs.batch": "1"}}}
    assert stage.cluster.request("POST", quotas, quota).status == 201

    def full() -> None:
        used = stage.cluster.request("GET", f"{quotas}/few").body["status"]["used"]
        assert used == {"count/jobs.batch": "1"}

    await until(full)
    await stage.dispatch()
    assert stage.streams() == {}
    assert stage.cluster.request("DELETE", f"{quotas}/few").status == 200
    await stage.dispatch(seconds=1)
    assert stage.reason(session).startswith("the API server refuses its Jobs: ")
    assert "exceeded quota: few" in stage.reason(session)
    assert stage.streams() == {}
    await stage.dispatch(seconds=5)
    assert set(stage.streams()) == ALL


async def test_a_creation_without_an_answer_counts_until_it_is_known(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
):
    """It holds its drive, and is tried again by its name: so the object runs once."""
    await begun(stage, max_agents=1)
    create = stage.client.create

    async def unanswered(*arguments: Any) -> None:
        await create(*arguments)
        raise ApiError(0, "Unreachable", "no answer came")

    monkeypatch.setattr(stage.client, "create", unanswered)
    await stage.dispatch()
    monkeypatch.undo()
    first = stage.streams()
    assert len(first) == 1
    await stage.dispatch(seconds=1)  # it rests
    await stage.dispatch(seconds=5)  # it tries again, and finds the Job there
    assert stage.streams() == first
    (live,) = stage.roster.live.values()
    assert live.creating == {}


async def test_two_looks_at_a_time_start_nothing_twice(stage: Stage):
    """What is being created is seen by the other."""
    await begun(stage, max_agents=2)
    await asyncio.gather(stage.dispatch(), stage.dispatch())
    assert len(stage.streams()) == 2
