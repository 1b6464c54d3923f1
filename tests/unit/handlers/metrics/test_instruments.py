"""What counts while the operator works."""

import asyncio

import pytest
from prometheus_client import CollectorRegistry

from flexlbf.handlers.metrics.instruments import Instruments, MeteredPlanner, MeteredQueue
from flexlbf.handlers.planner import PlanningError
from unit.planning.snapshots import Scene


class Counts:
    """What instruments say."""

    def __init__(self, instruments: Instruments) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(instruments)

    def __getitem__(self, name: str) -> float | None:
        return self._registry.get_sample_value(f"flexlbf_workqueue_{name}", {"name": "plans"})

    def plans(self, result: str) -> float | None:
        return self._registry.get_sample_value("flexlbf_plans_total", {"result": result})


async def test_a_key_counts_from_its_coming_to_its_end():
    """One that waits already is no other; one that fails comes again."""
    instruments = Instruments()
    queue, counts = MeteredQueue[str]("plans", instruments), Counts(instruments)
    for _ in range(3):
        queue.add("a", 0)
    assert counts["adds_total"] == 1
    assert await queue.take() == "a"
    assert len(queue.under_work()) == 1
    assert (counts["queue_duration_seconds_count"], counts["work_duration_seconds_count"]) == (1, 0)
    queue.failed("a")
    assert queue.under_work() == []
    assert (counts["retries_total"], counts["work_duration_seconds_count"]) == (1, 1)
    assert await queue.take() == "a"
    queue.done("a")
    assert (counts["adds_total"], counts["work_duration_seconds_count"]) == (2, 2)


async def test_a_key_that_changes_under_work_counts_when_it_comes_again():
    instruments = Instruments()
    queue, counts = MeteredQueue[str]("plans", instruments), Counts(instruments)
    queue.add("a", 0)
    await queue.take()
    queue.add("a", 0)
    assert counts["adds_total"] == 1
    queue.done("a")
    assert counts["adds_total"] == 2
    assert await queue.take() == "a"


async def test_plans_count_by_what_came_of_them():
    instruments = Instruments()
    planner, counts = MeteredPlanner(instruments), Counts(instruments)
    try:
        await planner.decide(Scene().snapshot())
        await planner.decide(Scene(pool=None).snapshot())
        planner.close()
        with pytest.raises(PlanningError):
            await planner.decide(Scene().snapshot())
    finally:
        planner.close()
    assert [counts.plans(each) for each in ("planned", "stalled", "failed")] == [1, 1, 1]


async def test_a_plan_that_is_cancelled_did_not_fail():
    """It is, whenever a replica leads no more."""
    instruments = Instruments()
    planner, counts = MeteredPlanner(instruments), Counts(instruments)
    try:
        task = asyncio.create_task(planner.decide(Scene().snapshot()))
        await asyncio.sleep(0)  # it waits for the other process
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    finally:
        planner.close()
    assert [counts.plans(each) for each in ("planned", "stalled", "failed")] == [0, 0, 0]


def test_two_operators_of_one_process_count_for_themselves():
    one, other = Instruments(), Instruments()
    one.planned("planned", 1.0)
    assert (Counts(one).plans("planned"), Counts(other).plans("planned")) == (1, 0)
