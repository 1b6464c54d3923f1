"""Planning from files gives what the operator would write."""

import pytest

from flexlbf.planning.offline import DuplicateResourceError, Fleet
from support.resources import Raw, a_class, a_config_map, a_policy, a_pool, a_set
from unit.planning.snapshots import NOW


def fleet(*resources: Raw) -> Fleet:
    """A fleet of resources as files hold them."""
    filled = Fleet()
    for each in resources:
        filled.add(each)
    return filled


def whole(*more: Raw) -> Fleet:
    """A policy and all that it needs, and more."""
    plain = (a_pool().with_drives().build(), a_class().build(), a_set().with_objects(3).build())
    return fleet(*plain, a_policy().build(), *more)


def test_a_policy_is_planned_with_its_status_and_its_cron_jobs():
    """In the default namespace, where a file names none."""
    filled = whole()
    (policy,) = filled.policies()
    planned = filled.plan(policy, NOW)
    assert planned.plan.stalled is None
    assert planned.policy["status"]["schedule"]["nextScheduleTime"] == "2026-01-10T22:00:00Z"
    assert {each["metadata"]["namespace"] for each in planned.cron_jobs} == {"default"}
    assert len(planned.cron_jobs) == planned.policy["status"]["schedule"]["cronJobs"] == 3


def test_what_is_missing_is_told_as_the_operator_would():
    """With the reason of the condition."""
    filled = fleet(a_policy().build())
    planned = filled.plan(filled.policies()[0], NOW)
    assert planned.plan.stalled
    assert planned.plan.stalled.reason == "BackupSetNotFound"
    assert planned.cron_jobs == ()


def test_history_comes_from_a_config_map_among_the_files():
    """Of the same namespace."""
    objects = a_set().with_unmeasured("fs:/a").with_history_from("catalog").build()
    csv = a_config_map("catalog", history_csv="object,duration_s,throughput_mbps\nfs:/a,3600,10\n")
    filled = fleet(a_pool().with_drives().build(), a_class().build(), objects, a_policy().build(), csv)
    planned = filled.plan(filled.policies()[0], NOW)
    assert planned.policy["status"]["recommendation"]["duration"] == "1h"


@pytest.mark.parametrize(
    ("labels", "stalled"), [({"backup": "yes"}, False), ({}, True)], ids=["allowed", "not"]
)
def test_a_namespace_among_the_files_has_its_labels(labels: dict[str, str], stalled: bool):
    """So that what a pool allows can be tried before."""
    namespace = {"kind": "Namespace", "metadata": {"name": "default", "labels": labels}}
    pool = a_pool().with_drives().for_namespaces({"backup": "yes"}).build()
    filled = fleet(pool, a_class().build(), a_set().with_objects(1).build(), a_policy().build(), namespace)
    assert (filled.plan(filled.policies()[0], NOW).plan.stalled is not None) is stalled


def test_namespaces_are_apart():
    """A set of another namespace is not there."""
    filled = fleet(a_pool().with_drives().build(), a_class().build(), a_policy().build("one"))
    filled.add(a_set().with_objects(1).build("two"))
    planned = filled.plan(filled.policies()[0], NOW)
    assert planned.plan.stalled
    assert planned.plan.stalled.reason == "BackupSetNotFound"


def test_a_resource_that_is_given_twice_is_refused():
    """One of the two would be dropped in silence."""
    with pytest.raises(DuplicateResourceError, match="BackupPolicy 'weekly' is given twice: keep one"):
        whole(a_policy().build("default"))


def test_policies_come_in_the_order_of_their_names():
    """Whatever the order of the files."""
    filled = fleet(*(a_policy(name).build("x") for name in "cab"), a_policy("z").build("a"))
    assert [each["metadata"]["name"] for each in filled.policies()] == ["z", "a", "b", "c"]
