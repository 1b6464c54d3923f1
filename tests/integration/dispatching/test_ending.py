"""How a session ends: first it is told, then its Job says so, and until then it can be taken back."""

from typing import Any

import pytest

from flexlbf.cluster.client import ApiError
from integration.dispatching.stage import Stage

pytestmark = pytest.mark.integration


async def refused(*_: Any, **__: Any) -> Any:
    """No answer but this one."""
    raise ApiError(500, "InternalError", "not now")


async def ran(stage: Stage) -> str:
    """A session whose only object is backed up, and that has yet to end."""
    stage.cluster.apply(stage.cluster.with_a_plain_setup(1).setting(execution="Adaptive"))
    await stage.look()
    session = await stage.begin()
    await stage.dispatch()
    await stage.end("fs:/d0")
    await stage.see()
    return session


async def test_a_session_that_could_not_be_told_has_not_ended(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    """Nothing starts meanwhile; it ends when it can."""
    session = await ran(stage)
    monkeypatch.setattr(stage.client, "apply", refused)  # the policy's status
    with pytest.raises(ApiError, match="not now"):
        await stage.settle(session, seconds=6)
    monkeypatch.undo()
    assert stage.outcome(session) == {}
    await stage.dispatch()
    assert stage.reason(session) == "the session ends"
    await stage.settle(session, seconds=6)
    assert stage.outcome(session)["type"] == "Complete"
    assert stage.session()["state"] == "Succeeded"


async def test_an_end_that_failed_is_taken_back_when_something_waits_by_then(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
):
    """An object that was added meanwhile starts after all, and the status says that the session runs."""
    session = await ran(stage)
    monkeypatch.setattr(stage.client, "patch", refused)  # the Job's status
    with pytest.raises(ApiError, match="not now"):
        await stage.settle(session, seconds=6)
    monkeypatch.undo()
    assert stage.session()["state"] == "Succeeded"
    stage.cluster.apply(stage.cluster.a_set().with_objects(1).with_object("late"))
    await stage.look()
    await stage.dispatch()
    assert "late" not in stage.streams()
    await stage.settle(session, seconds=6)
    await stage.dispatch()
    assert "late" in stage.streams()
    await stage.settle(session, seconds=6)
    told = stage.session()
    assert (told["state"], told["objects"], told["done"], told["running"]) == ("Running", 2, 1, 1)
    await stage.end("late")
    await stage.see()
    await stage.settle(session, seconds=6)
    assert stage.outcome(session)["type"] == "Complete"
    assert stage.session()["done"] == 2


async def test_an_ended_session_starts_nothing_more(stage: Stage):
    """Whatever is added to its sets."""
    session = await ran(stage)
    await stage.settle(session, seconds=6)
    stage.cluster.apply(stage.cluster.a_set().with_objects(1).with_object("late"))
    await stage.look()
    await stage.dispatch(seconds=6)
    assert "late" not in stage.streams()
    assert stage.outcome(session)["type"] == "Complete"
