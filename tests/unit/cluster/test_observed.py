"""A CronJob is as wanted if it has all that is wanted, and if we own no more of it than that."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from flexlbf.cluster.client import FIELD_MANAGER
from flexlbf.cluster.index import CronJobIndex
from flexlbf.cluster.observed import ObservedCronJob, contains, same_fields
from flexlbf.planning.times import session_of
from support.resources import Raw

WANTED: Raw = {
    "apiVersion": "batch/v1",
    "kind": "CronJob",
    "metadata": {"name": "a", "namespace": "backup", "labels": {"x": "1"}, "annotations": {"y": "2"}},
    "spec": {
        "schedule": "0 22 * * 6",
        "suspend": False,
        "jobTemplate": {
            "spec": {
                "template": {
                    "spec": {
                        "hostNetwork": False,
                        "automountServiceAccountToken": False,
                        "containers": [
                            {
                                "name": "agent",
                                "args": ["agent"],
                                "env": [{"name": "A", "value": "1"}, {"name": "EMPTY", "value": ""}],
                                "ports": [{"containerPort": 80}],
                                "resources": {"requests": {"cpu": "1000m"}},
                            }
                        ],
                    }
                }
            }
        },
    },
}


def field_set(value: Any) -> Raw:
    """What `managedFields` has for a value that was applied."""
    if isinstance(value, dict):
        return {f"f:{key}": field_set(each) for key, each in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        keys = [
            {"name": each["name"]}
            if "name" in each
            else {"containerPort": each["containerPort"], "protocol": "TCP"}
            for each in value
        ]
        return {
            f"k:{json.dumps(key, separators=(',', ':'))}": {".": {}, **field_set(each)}
            for key, each in zip(keys, value, strict=True)
        }
    return {}


def container_of(raw: Raw) -> Raw:
    """The first container."""
    container: Raw = raw["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]
    return container


def stored(wanted: Raw = WANTED, version: int = 1, uid: str = "u") -> Raw:
    """What the API server makes of it: defaults, its own way with amounts, nothing for what is empty."""
    raw = copy.deepcopy(wanted)
    fields = {
        "f:metadata": field_set({key: raw["metadata"][key] for key in ("labels", "annotations")}),
        "f:spec": field_set(raw["spec"]),
    }
    raw["metadata"] |= {
        "uid": uid,
        "resourceVersion": str(version),
        "managedFields": [
            {"manager": "kube-controller-manager", "operation": "Update", "subresource": "status"},
            {"manager": FIELD_MANAGER, "operation": "Apply", "fieldsV1": fields},
        ],
    }
    raw["spec"]["concurrencyPolicy"] = "Allow"
    pod = raw["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    del pod["hostNetwork"]
    pod["dnsPolicy"] = "ClusterFirst"
    container = container_of(raw)
    container["resources"]["requests"]["cpu"] = "1"
    container["ports"][0]["protocol"] = "TCP"
    del container["env"][1]["value"]
    return raw


def test_what_the_api_server_made_of_it_is_as_wanted():
    """Whatever it adds, leaves out, or writes in another way."""
    assert ObservedCronJob.of(stored()).satisfies(WANTED)


def _set(path: str, value: Any) -> Callable[[Raw], None]:
    def change(raw: Raw) -> None:
        *way, last = path.split(".")
        node: Any = raw
        for step in way:
            node = node[int(step) if step.isdigit() else step]
        node[last] = value

    return change


POD = "spec.jobTemplate.spec.template.spec"


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(_set("spec.schedule", "* * * * *"), id="schedule"),
        pytest.param(_set("spec.suspend", True), id="suspended"),
        pytest.param(_set("metadata.labels", {}), id="label-gone"),
        pytest.param(_set("metadata.labels.x", "2"), id="label"),
        pytest.param(_set("metadata.annotations", {}), id="annotation-gone"),
        pytest.param(_set(f"{POD}.hostNetwork", True), id="host-network"),
        pytest.param(_set(f"{POD}.automountServiceAccountToken", True), id="token"),
        pytest.param(_set(f"{POD}.containers.0.args", ["agent", "more"]), id="argument-added"),
        pytest.param(_set(f"{POD}.containers.0.args", []), id="arguments-gone"),
        pytest.param(_set(f"{POD}.containers.0.env.0.value", "2"), id="variable"),
        pytest.param(_set(f"{POD}.containers.0.env", []), id="variables-gone"),
        pytest.param(_set(f"{POD}.containers", []), id="container-gone"),
        pytest.param(_set(f"{POD}.containers.0.resources", {"requests": {"cpu": "1001m"}}), id="amount"),
    ],
)
def test_a_hand_edit_is_seen(edit: Callable[[Raw], None]):
    """By the values alone."""
    raw = stored()
    edit(raw)
    observed = ObservedCronJob.of(raw)
    assert not observed.satisfies(WANTED)
    assert observed.digest != ObservedCronJob.of(stored()).digest


def test_what_others_add_is_theirs():
    """Labels, and items of lists that are told apart by a name."""
    raw = stored()
    raw["metadata"]["labels"]["team"] = "storage"
    raw["metadata"]["annotations"]["tool"] = "x"
    container_of(raw)["env"].append({"name": "INJECTED", "value": "1"})
    raw["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"].append({"name": "sidecar"})
    assert ObservedCronJob.of(raw).satisfies(WANTED)


def _without(wanted: Raw, *path: str) -> Raw:
    fewer = copy.deepcopy(wanted)
    node: Any = container_of(fewer) if path[0] == "container" else fewer
    for step in path[1:-1]:
        node = node[step]
    if path[-1].isdigit():
        node.pop(int(path[-1]))
    else:
        del node[path[-1]]
    return fewer


@pytest.mark.parametrize(
    "fewer",
    [
        pytest.param(_without(WANTED, "container", "args"), id="arguments"),
        pytest.param(_without(WANTED, "container", "env", "0"), id="a-variable"),
        pytest.param(_without(WANTED, "container", "resources"), id="resources"),
        pytest.param(_without(WANTED, "", "metadata", "labels", "x"), id="a-label"),
        pytest.param(_without(WANTED, "", "spec", "suspend"), id="a-setting"),
    ],
)
def test_what_is_not_wanted_any_more_is_seen(fewer: Raw):
    """Though the CronJob has all that is still wanted."""
    assert not ObservedCronJob.of(stored()).satisfies(fewer)


@pytest.mark.parametrize(
    "managed", [None, [], [{"manager": "kubectl", "operation": "Apply", "fieldsV1": {}}]]
)
def test_what_the_operator_never_applied_is_not_its_own_yet(managed: Any):
    """A CronJob restored from a backup, for instance: equal, but nobody's."""
    raw = stored()
    raw["metadata"]["managedFields"] = managed
    assert not ObservedCronJob.of(raw).satisfies(WANTED)


def test_a_field_removed_by_hand_is_seen_where_absent_means_something_else():
    """A token is mounted where nothing is said: removed, the field is no longer the operator's."""
    raw = stored()
    del raw["spec"]["jobTemplate"]["spec"]["template"]["spec"]["automountServiceAccountToken"]
    fields = raw["metadata"]["managedFields"][1]["fieldsV1"]
    pod = fields["f:spec"]["f:jobTemplate"]["f:spec"]["f:template"]["f:spec"]
    del pod["f:automountServiceAccountToken"]
    assert not ObservedCronJob.of(raw).satisfies(WANTED)


@pytest.mark.parametrize(
    ("here", "wanted", "want"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1}, {"a": 1, "b": None}, True),
        ({}, {"a": {}, "b": [], "c": "", "d": 0, "e": False}, True),
        ({}, {"a": {"b": 1}}, False),
        (None, {}, True),
        ([1, 2], [1], False),
        ([2, 1], [1, 2], False),
        ([{"name": "b"}, {"name": "a", "v": 1}], [{"name": "a"}], True),
        ([{"name": "b"}], [{"name": "a"}], False),
        ({"limits": {"memory": "1Gi", "cpu": "1"}}, {"limits": {"memory": "1024Mi", "cpu": "1000m"}}, True),
        ({"limits": {"memory": "1G"}}, {"limits": {"memory": "1Gi"}}, False),
        ({"limits": {"memory": "1500M"}}, {"limits": {"memory": "1.5G"}}, True),
        ({"requests": {}}, {"requests": {"cpu": 1}}, False),
        ({"requests": {"cpu": "1"}}, {"requests": {"cpu": 1}}, True),
    ],
)
def test_all_that_is_wanted_is_looked_for(here: Any, wanted: Any, want: bool):
    """Amounts by what they amount to, named items by their name, all else as it stands."""
    assert contains(here, wanted) is want


@pytest.mark.parametrize(
    ("applied", "wanted", "want"),
    [
        ({"f:a": {}}, {"a": 1}, True),
        ({"f:a": {}}, {"a": {"atomic": 1}}, True),
        ({"f:a": {}, "f:b": {}}, {"a": 1}, False),
        ({"f:a": {}}, {"a": 1, "b": 2}, False),
        ({"f:a": {".": {}, "f:b": {}}}, {"a": {"b": 1}}, True),
        ({"f:a": {"f:b": {}}}, {"a": None}, False),
        ({"f:a": {'k:{"name":"x"}': {".": {}, "f:name": {}}}}, {"a": [{"name": "x"}]}, True),
        ({"f:a": {'k:{"name":"x"}': {".": {}, "f:name": {}}}}, {"a": [{"name": "y"}]}, False),
        ({"f:a": {'v:"x"': {}}}, {"a": ["x"]}, False),
    ],
)
def test_the_fields_applied_are_held_against_the_fields_wanted(applied: Raw, wanted: Raw, want: bool):
    """No more of them, and no fewer."""
    assert same_fields(applied, wanted) is want


def owned(version: int, owner: str = "p", uid: str = "u") -> ObservedCronJob:
    """A CronJob that a policy controls."""
    raw = stored(version=version, uid=uid)
    raw["metadata"]["ownerReferences"] = [
        {"uid": "someone", "name": "s"},
        {"uid": owner, "name": f"policy-{owner}", "controller": True},
    ]
    return ObservedCronJob.of(raw)


def test_the_index_finds_the_cron_jobs_of_a_policy():
    """By the owner that controls them; one that changes hands is found with the new owner only."""
    index = CronJobIndex()
    index.put(owned(1))
    assert set(index.of("p")) == {"a"}
    assert index.of("someone") == {}
    index.put(owned(2, owner="q"))
    assert (index.of("p"), set(index.of("q")), len(index)) == ({}, {"a"}, 1)
    index.drop("backup", "a", "u")
    assert (index.of("q"), len(index), index.get("backup", "a")) == ({}, 0, None)


def test_the_index_never_goes_back_in_time():
    """A late event of an older version changes nothing; another CronJob of the name does."""
    index = CronJobIndex()
    index.put(owned(5))
    index.put(owned(4, owner="q"))
    assert set(index.of("p")) == {"a"}
    index.put(owned(3, owner="r", uid="another"))
    assert set(index.of("r")) == {"a"}


def test_a_late_answer_does_not_bring_a_deleted_cron_job_back():
    """Nothing would ever tell that it is not there, and its backups would be missing."""
    index = CronJobIndex()
    assert not index.drop("backup", "a", "u")
    index.put(owned(5))
    assert (len(index), index.get("backup", "a")) == (0, None)
    index.put(owned(6, uid="another"))
    assert not index.drop("backup", "a", "u")
    assert set(index.of("p")) == {"a"}


@pytest.mark.parametrize(
    "text", ["0000-01-01T00:00:00Z", "9999-12-31T23:59:30Z", "yesterday", "2026-01-01T00:00:00", 7, None]
)
def test_a_time_that_is_none_keeps_nobody_from_reading_on(text: object):
    """Whoever may write a status may write anything."""
    raw = stored()
    raw["status"] = {"lastScheduleTime": text}
    last = ObservedCronJob.of(raw).last_schedule_time
    assert last is None or session_of("0 22 * * 6", "Asia/Tokyo", last) is None


def test_when_it_last_ran_is_no_change_of_what_is_wanted():
    """Or every run of every object would be a reason to look at everything."""
    raw = stored()
    raw["status"] = {"lastScheduleTime": "2026-01-03T22:00:00Z"}
    ran = ObservedCronJob.of(raw)
    assert ran.digest == ObservedCronJob.of(stored()).digest
    assert ran.last_schedule_time is not None
