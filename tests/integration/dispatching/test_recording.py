"""What a run came to is recorded in full, whatever is seen first."""

import pytest

from integration.dispatching.stage import Stage
from support.resources import Raw

pytestmark = pytest.mark.integration


def recorded(stage: Stage) -> dict[str, list[Raw]]:
    """The runs that are stored, by object."""
    shards = stage.cluster.list("BackupHistory")
    return {each["name"]: each["runs"] for shard in shards for each in shard["spec"]["objects"]}


async def a_session(stage: Stage, objects: int = 2) -> str:
    """A session that has begun."""
    stage.cluster.apply(stage.cluster.with_a_plain_setup(objects).setting(execution="Adaptive"))
    await stage.look()
    session = await stage.begin()
    await stage.dispatch()
    return session


async def test_a_run_whose_pod_is_seen_late_is_recorded_with_its_bytes(stage: Stage):
    """Jobs and pods are watched apart, and the Job's end may be seen first."""
    session = await a_session(stage)
    await stage.see()
    await stage.end("fs:/d0", size=4711)
    await stage.see(pods=False)
    await stage.settle(session, seconds=2)
    ((run,),) = recorded(stage).values()
    assert (run["bytes"], run["duration"]) == ("4711", "1m")


async def test_what_was_recorded_counts_after_a_restart(stage: Stage):
    """Its Job is gone by then."""
    session = await a_session(stage)
    for obj, size in (("fs:/d0", 1000), ("fs:/d1", 500)):
        await stage.see()
        await stage.settle(session, seconds=6)
        await stage.end(obj, size=size)
        await stage.see()
        await stage.settle(session, seconds=6)
        name = stage.streams()[obj]
        stage.cluster.delete("Job", name)
        stage.restart()
        await stage.look()
        await stage.see()
        await stage.dispatch()
    await stage.settle(session, seconds=6)
    told = stage.session()
    assert (told["done"], told["released"], told["bytes"]) == (2, 2, "1.5k")
    assert stage.outcome(session)["type"] == "Complete"
