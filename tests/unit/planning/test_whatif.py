"""What can be asked about a policy is what it plans with."""

import pytest

from flexlbf.planning.findings import Reason, Unplannable
from flexlbf.planning.offline import Fleet
from flexlbf.planning.whatif import policy_case
from flexlbf.scheduling.units import MINUTE, NANOSECONDS
from flexlbf.tuning import Questions, Variation, WithinPercent, what_if
from support.resources import Raw, a_class, a_config_map, a_policy, a_pool, a_set
from unit.planning.snapshots import NOW

ESTIMATES = "object,duration_s,throughput_mbps"


def fleet(policy: Raw, *more: Raw) -> Fleet:
    """A policy with two sets that it backs up, one that it does not, and more."""
    filled = Fleet()
    sets = (a_set().with_objects(9), a_set("second").with_objects(2, prefix="other:/d"))
    pool = a_pool().with_drives(count=3).build()
    for each in (pool, a_class().build(), *(one.build() for one in sets), policy, *more):
        filled.add(each)
    return filled


def test_a_situation_has_the_policys_objects_drives_limits_and_window():
    """And starts at whole minutes, as its plan has."""
    limited = (
        a_policy()
        .backing_up("fleet", "second")
        .setting(window="1h30m", objective="WithinPercent", percent=10, limits={"drives": 2, "maxAgents": 4})
    )
    filled = fleet(limited.build())
    case = policy_case(filled, filled.policies()[0])
    there = case.situation
    assert case.name == "default/weekly"
    assert {name: len(jobs) for name, jobs in case.sets.items()} == {"fleet": 9, "second": 2}
    assert len(there.jobs) == 11
    assert [drive.name for drive in there.pool] == ["lto-0", "lto-1", "lto-2"]
    assert (there.most_drives, there.most_agents, there.start_grid) == (2, 4, MINUTE)
    assert (there.objective, there.window) == (WithinPercent(10), 5400 * NANOSECONDS)


@pytest.mark.parametrize("limits", [None, {"drives": 1}, {"maxAgents": 2}], ids=["none", "drives", "agents"])
def test_the_plan_that_is_asked_about_is_the_one_in_the_status(limits: Raw | None):
    """To the same drives, agents and duration; and with no variation every session is as long."""
    filled = fleet(a_policy().setting(limits=limits).build())
    (policy,) = filled.policies()
    recommended = filled.plan(policy, NOW).policy["status"]["recommendation"]
    case = policy_case(filled, policy)
    found = what_if(case.situation, Questions(variation=Variation(0, 2)), case.sets)
    assert (len(found.base.drives), found.base.max_agents) == (
        recommended["drives"],
        recommended["maxAgents"],
    )
    assert set(found.spread.makespans) == {found.base.makespan}
    stretch = found.base.stretch
    assert stretch
    assert recommended["restoreStretch"] == {
        "median": round(stretch.median, 2),
        "worst": round(stretch.worst, 2),
        "worstObject": stretch.worst_object,
    }


def test_an_added_set_may_have_its_history_in_a_config_map_and_be_of_another_namespace():
    """It need not belong to the fleet, but the ConfigMap does."""
    history = a_config_map("past", history_csv=f"{ESTIMATES}\nlate:/a,3000,8\n")
    history["metadata"]["namespace"] = "elsewhere"
    late = a_set("late").with_unmeasured("late:/a").with_history_from("past").build("elsewhere")
    filled = fleet(a_policy().build(), history)
    case = policy_case(filled, filled.policies()[0], [late])
    ((name, (job,)),) = case.added.items()
    assert (name, job.name, job.duration) == ("late", "late:/a", 3000 * NANOSECONDS)
    assert len(case.situation.jobs) == 9


def test_what_can_not_be_planned_can_not_be_asked_about():
    """With the same reasons."""
    filled = fleet(a_policy().backing_up("missing").build())
    with pytest.raises(Unplannable) as verdict:
        policy_case(filled, filled.policies()[0])
    assert verdict.value.finding.reason is Reason.BACKUP_SET_NOT_FOUND
    empty = fleet(a_policy().backing_up("empty").build(), a_set("empty").setting(objects=[]).build())
    with pytest.raises(Unplannable) as verdict:
        policy_case(empty, empty.policies()[0])
    assert verdict.value.finding.reason is Reason.NOTHING_TO_BACK_UP
