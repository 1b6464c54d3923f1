"""What a change of manifests does to policies, before and after."""

from flexlbf.planning.difference import Difference, differences
from flexlbf.planning.offline import Fleet, PlannedPolicy
from support.reports import NOW, a_fleet
from support.resources import a_class, a_policy, a_pool, a_set

SET = a_set().with_object("long", "2h", "10M").with_objects(11, minutes=30)


def planned(fleet: Fleet) -> dict[str, PlannedPolicy]:
    """The policies of a fleet by name."""
    return {each.name: each for each in (fleet.plan(policy, NOW) for policy in fleet.policies())}


def only(before: Fleet, after: Fleet) -> Difference:
    """The difference of the one policy that there is."""
    (found,) = differences(planned(before), planned(after))
    return found


def test_the_same_manifests_differ_in_nothing():
    """Read twice."""
    found = only(a_fleet(sets=[SET]), a_fleet(sets=[SET]))
    assert (found.change, found.changed, bool(found.starts), bool(found.cron_jobs)) == (
        "same",
        {},
        False,
        False,
    )


def test_settings_are_held_against_each_other():
    """In the words of the plan."""
    slow = a_pool().with_drives(count=3, max_throughput="20M")
    found = only(a_fleet(sets=[SET]), a_fleet(sets=[SET], pool=slow))
    assert found.change == "changed"
    before, after = found.changed["drives"]
    assert before
    assert after
    assert (before.value, after.value) == (1, 3)
    assert "schedule" not in found.changed
    assert found.starts.moved
    assert set(found.starts.changed_drive) <= {"long", *(f"fs:/d{number}" for number in range(11))}
    assert found.cron_jobs.rewritten > 0


def test_objects_that_come_and_go_are_named():
    """With the CronJobs that are theirs."""
    other = SET.without_object("fs:/d0").with_object("new", "10m", "1M").with_object("newer", "10m", "1M")
    found = only(a_fleet(sets=[SET]), a_fleet(sets=[other]))
    assert (found.starts.added, found.starts.removed) == (("new", "newer"), ("fs:/d0",))
    assert (found.cron_jobs.created, found.cron_jobs.deleted) == (2, 1)
    assert found.starts.objects == 11


def test_policies_that_come_and_go_have_one_side():
    """By name."""
    found = differences(planned(a_fleet(a_policy("a"))), planned(a_fleet(a_policy("b"))))
    assert [(each.name, each.change) for each in found] == [("default/a", "removed"), ("default/b", "added")]
    assert found[0].after == {}
    assert found[1].before == {}


def test_a_window_that_is_no_longer_met_is_a_change():
    """Though the settings stay."""
    roomy, tight = (a_policy().setting(window=window) for window in ("3h", "1h"))
    found = only(a_fleet(roomy, sets=[SET]), a_fleet(tight, sets=[SET]))
    before, after = found.changed["window"]
    assert before
    assert after
    assert (before.words, after.words) == ("3h, fits", "1h, overrun")


def test_a_change_of_the_pods_rewrites_the_cron_jobs_and_nothing_else():
    """It is told, though neither settings nor starts differ."""
    before, after = a_fleet(sets=[SET]), a_fleet(sets=[SET])
    place = ("BackupClass", "", "directories")
    after.resources[place] = a_class().with_container(image="example.test/agent:2").build()
    found = only(before, after)
    assert (found.change, found.changed, bool(found.starts)) == ("changed", {}, False)
    assert found.cron_jobs.rewritten == 12


def test_a_plan_that_breaks_says_why():
    """As the operator would."""
    found = only(a_fleet(), a_fleet(a_policy().backing_up("nowhere")))
    _, after = found.changed["verdict"]
    assert after
    assert after.value == "BackupSetNotFound"
    assert "there is no BackupSet 'nowhere'" in after.words
    assert (bool(found.starts), bool(found.cron_jobs)) == (False, False), "the last good plan goes on"


def test_a_plan_that_breaks_goes_on_but_where_it_is_only_recommended():
    """Then its CronJobs go, with or without a plan."""
    broken = a_policy().backing_up("nowhere").setting(mode="Recommend")
    assert only(a_fleet(sets=[SET]), a_fleet(broken)).cron_jobs.deleted == 12


def test_how_a_plan_is_carried_out_is_compared():
    """Mode, execution and suspension."""
    words = [
        only(a_fleet(), a_fleet(a_policy().setting(**setting))).changed["runs"][1]
        for setting in ({"mode": "Recommend"}, {"execution": "Adaptive"}, {"suspend": True})
    ]
    assert [each and each.words for each in words] == [
        "not at all (mode Recommend)",
        "Adaptive",
        "Planned, suspended",
    ]
