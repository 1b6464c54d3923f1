"""What policies ask of a pool at the same time."""

from typing import Any

import pytest

from flexlbf.api.v1alpha1 import TapePoolStatus
from flexlbf.planning.pool import pool_status
from support.resources import Policy, Raw, a_policy, a_pool
from unit.planning.snapshots import NOW

POOL = a_pool().with_drives("lto", 2).with_drives("old", 1, max_throughput="40M").observed()


def planned(policy: Policy, drives: int = 1, throughput: str = "80M", duration: str = "2h") -> Raw:
    """A policy with the status that its plan gave it."""
    recommendation: dict[str, Any] = {
        "drives": drives,
        "maxAgents": 1,
        "duration": duration,
        "lowerBound": duration,
        "boundBy": "LongestObject",
        "peakThroughput": throughput,
    }
    return {**policy.observed("backup"), "status": {"recommendation": recommendation}}


def peaks(*policies: Raw) -> tuple[int, str, str]:
    """Drives and rate asked for at most, and whether that is too much."""
    status = pool_status(POOL, policies, NOW)
    assert TapePoolStatus.read(status).to_api() == status
    over = next(each["status"] for each in status["conditions"] if each["type"] == "Oversubscribed")
    return status["peakDrives"], status["peakThroughput"], over


def test_an_unused_pool_has_all_of_its_drives():
    """And is ready."""
    status = pool_status(POOL, [], NOW)
    assert (status["drives"], status["policies"], status["peakDrives"], status["peakThroughput"]) == (
        3,
        [],
        0,
        "0",
    )
    assert {each["type"]: each["status"] for each in status["conditions"]} == {
        "Ready": "True",
        "Oversubscribed": "False",
    }


@pytest.mark.parametrize(
    ("other", "want"),
    [
        (("0 22 * * 6", None), (4, "160M", "True")),
        (("59 23 * * 6", None), (4, "160M", "True")),
        (("0 0 * * 0", None), (2, "80M", "False")),
        (("0 20 * * 6", None), (2, "80M", "False")),
        (("1 20 * * 6", None), (4, "160M", "True")),
        (("0 22 * * 5", None), (2, "80M", "False")),
        (("0 22 * * *", None), (4, "160M", "True")),
        (("0 22 13 * *", None), (4, "160M", "True")),
        (("0 22 * * 6", "America/New_York"), (2, "80M", "False")),
        (("0 18 * * 6", "America/New_York"), (4, "160M", "True")),
    ],
)
def test_sessions_count_together_when_they_run_together(
    other: tuple[str, str | None], want: tuple[int, str, str]
):
    """Ends before starts, zones by the day's own offset, a day of the month that may be a Saturday."""
    one = planned(a_policy("one").at("0 22 * * 6"), drives=2)
    two = planned(a_policy("two").at(*other), drives=2)
    assert peaks(one, two) == want


def test_a_rate_may_be_too_much_where_the_drives_are_enough():
    """Drives are not alike."""
    policies = [planned(a_policy(str(index)), throughput="70M") for index in range(3)]
    assert peaks(*policies) == (3, "210M", "True")


@pytest.mark.parametrize(
    "policy",
    [
        planned(a_policy().setting(suspend=True)),
        planned(a_policy().setting(mode="Recommend")),
        planned(a_policy().on("another")),
        a_policy().observed("backup"),
        {**planned(a_policy()), "spec": {"schedule": 1}},
    ],
    ids=["suspended", "recommended", "elsewhere", "not-planned", "broken"],
)
def test_a_policy_that_does_not_run_on_it_asks_nothing(policy: Raw):
    """Nor does it break the status of the pool."""
    status = pool_status(POOL, [policy], NOW)
    assert (status["policies"], status["peakDrives"]) == ([], 0)


def test_the_same_policies_are_the_same_status_in_any_order_and_at_any_time():
    """So nothing is written."""
    one, two = planned(a_policy("one")), planned(a_policy("two"))
    first = pool_status(POOL, [one, two], NOW)
    assert [each["name"] for each in first["policies"]] == ["one", "two"]
    assert pool_status({**POOL, "status": first}, [two, one], NOW.replace(year=2031)) == first


def test_a_flip_has_its_time_and_all_else_keeps_it():
    """As conditions do."""
    first = pool_status(POOL, [], NOW)
    later = NOW.replace(hour=13)
    second = pool_status({**POOL, "status": first}, [planned(a_policy(), drives=9)], later)
    assert {each["type"]: each["lastTransitionTime"] for each in second["conditions"]} == {
        "Ready": "2026-01-05T12:00:00Z",
        "Oversubscribed": "2026-01-05T13:00:00Z",
    }


def test_very_many_policies_are_counted_and_the_first_are_shown():
    """The status has a bound."""
    policies = [planned(a_policy(f"policy-{index:04}").at("0 22 1 1 *")) for index in range(600)]
    status = pool_status(POOL, policies, NOW)
    assert (len(status["policies"]), status["peakDrives"]) == (512, 600)
