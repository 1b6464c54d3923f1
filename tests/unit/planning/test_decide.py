"""From a snapshot to a plan: every verdict with its reason and with what to write, and never an exception."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.api.v1alpha1 import BackupPolicyStatus
from flexlbf.planning.decide import decide
from flexlbf.planning.findings import Reason, Unplannable
from flexlbf.planning.plan import Plan
from flexlbf.planning.snapshot import PolicySnapshot
from flexlbf.planning.status import ScheduleTimes, planned_status
from support.resources import Raw, a_class, a_policy, a_pool, a_set
from support.strategies import examples
from unit.planning.snapshots import NOW, Scene

HISTORY = a_set().with_unmeasured("fs:/a").with_history_from("catalog")
CSV = "object,duration_s,throughput_mbps\n"


@pytest.mark.parametrize(
    ("scene", "reason", "says"),
    [
        pytest.param(
            Scene().having(sets=()),
            Reason.BACKUP_SET_NOT_FOUND,
            "there is no BackupSet 'fleet' in namespace 'backup': create it or take it out of",
            id="set",
        ),
        pytest.param(
            Scene(policy=a_policy().selecting({"a": "b"}), sets=()),
            Reason.BACKUP_SET_NOT_FOUND,
            "label one or change the selector",
            id="selector",
        ),
        pytest.param(
            Scene(pool=None),
            Reason.TAPE_POOL_NOT_FOUND,
            "there is no TapePool 'library': create it",
            id="pool",
        ),
        pytest.param(
            Scene(backup_class=None),
            Reason.BACKUP_CLASS_NOT_FOUND,
            "there is no BackupClass 'directories': create it",
            id="class",
        ),
        pytest.param(
            Scene(pool=a_pool().with_drives().for_namespaces({"a": "b"})),
            Reason.NAMESPACE_NOT_ALLOWED,
            "TapePool 'library' does not allow namespace 'backup': ask its administrator",
            id="namespace",
        ),
        pytest.param(
            Scene(backup_class=a_class().for_namespaces({"a": "b"})),
            Reason.NAMESPACE_NOT_ALLOWED,
            "BackupClass 'directories' does not allow namespace 'backup': ask its administrator",
            id="namespace-of-the-class",
        ),
        pytest.param(
            Scene(pool=a_pool().setting(drives=[])),
            Reason.INVALID_RESOURCE,
            "TapePool 'library': spec.drives: a pool needs a group of drives",
            id="stored-before-a-rule",
        ),
        pytest.param(
            Scene(policy=a_policy().at("0 22 31 2 *")),
            Reason.INVALID_SCHEDULE,
            "spec.schedule '0 22 31 2 *' names a date that no year has",
            id="schedule",
        ),
        pytest.param(
            Scene(policy=a_policy().at("0 22 * * 6", "Mars/Olympus")),
            Reason.INVALID_RESOURCE,
            "spec.timeZone: write the name of a time zone, such as Europe/Berlin",
            id="zone",
        ),
        pytest.param(
            Scene(
                policy=a_policy().at("55 23 1 * *"), pool=a_pool().with_drives(max_agents=1, count=1)
            ).having(sets=(a_set().with_object("a").with_object("b"),)),
            Reason.SCHEDULE_NOT_SHIFTABLE,
            "object 'b' can't start when planned",
            id="not-shiftable",
        ),
        pytest.param(
            Scene(policy=a_policy().at("*/5 * * * *")),
            Reason.SESSIONS_OVERLAP,
            " starts one every 5m: start it less often, allow more drives or split the sets",
            id="overlap",
        ),
        pytest.param(
            Scene(sets=(HISTORY,)),
            Reason.HISTORY_NOT_FOUND,
            "there is no ConfigMap 'catalog', from which BackupSet 'fleet' has its history",
            id="config-map",
        ),
        pytest.param(
            Scene(sets=(HISTORY,), config_maps={"catalog": {"other": CSV}}),
            Reason.HISTORY_NOT_FOUND,
            "has no key 'history.csv'",
            id="config-map-key",
        ),
        pytest.param(
            Scene(sets=(HISTORY,), config_maps={"catalog": {"history.csv": CSV + "fs:/a,-1,2\n"}}),
            Reason.INVALID_HISTORY,
            "catalog/history.csv:2",
            id="csv",
        ),
        pytest.param(
            Scene(
                policy=a_policy().backing_up("one", "two"),
                sets=(a_set("two").with_object("fs:/a"), a_set("one").with_object("fs:/a")),
            ),
            Reason.DUPLICATE_OBJECT,
            "object 'fs:/a' is in BackupSet 'one' and again in 'two'",
            id="duplicate",
        ),
        pytest.param(
            Scene(sets=(a_set().with_unmeasured("fs:/a"),)),
            Reason.NO_HISTORY,
            "none of the 1 objects has history or an estimate: give spec.objects[].estimate",
            id="no-history",
        ),
        pytest.param(
            Scene(sets=(a_set().with_object("fs:/a", source={"hostPath": "/etc"}),)),
            Reason.SOURCE_NOT_ALLOWED,
            "does not allow hostPath '/etc': it takes paths below none",
            id="host-path",
        ),
        pytest.param(
            Scene(
                sets=(a_set().with_object("fs:/a", source={"claimName": "data"}),),
                backup_class=a_class().with_sources(claims=False),
            ),
            Reason.SOURCE_NOT_ALLOWED,
            "allows no PersistentVolumeClaims",
            id="claim",
        ),
        pytest.param(
            Scene(policy=a_policy().overriding(nodeSelector={"a": "b"}, rateLimit="1M")),
            Reason.OVERRIDE_NOT_ALLOWED,
            "does not let a policy set NodeSelector, RateLimit",
            id="override",
        ),
    ],
)
def test_what_can_not_be_planned_is_told_with_what_to_write(scene: Scene, reason: Reason, says: str):
    """A plan that says why, and that asks for nothing."""
    plan = scene.plan()
    assert plan.stalled is not None
    assert plan.stalled.reason is reason
    assert says in plan.stalled.message
    assert (plan.starts, plan.figures, plan.outcome, plan.window_fit) == ((), {}, None, None)


@pytest.mark.parametrize("folder", ["/srv/data", "/srv/data/", "/srv"])
@pytest.mark.parametrize("path", ["/srv/data", "/srv/data/x", "/srv/data/x/y"])
def test_a_folder_below_an_allowed_one_is_allowed(folder: str, path: str):
    """And the folder itself."""
    sets = (a_set().with_object("fs:/a", source={"hostPath": path}),)
    assert Scene(sets=sets, backup_class=a_class().with_sources(hostPaths=[folder])).plan().stalled is None


@pytest.mark.parametrize("path", ["/srv/database", "/srv", "/", "/srv/data.old/x", "/x/srv/data"])
def test_a_folder_beside_or_above_an_allowed_one_is_not(path: str):
    """However alike they begin."""
    sets = (a_set().with_object("fs:/a", source={"hostPath": path}),)
    plan = Scene(sets=sets, backup_class=a_class().with_sources(hostPaths=["/srv/data"])).plan()
    assert plan.stalled
    assert plan.stalled.reason is Reason.SOURCE_NOT_ALLOWED


@pytest.mark.parametrize("path", ["/srv/data/../../etc", "/srv/data/..", "//etc", "/srv//data"])
def test_a_path_with_tricks_in_it_is_never_planned(path: str):
    """Also where it is stored already, before there was a rule against it."""
    sets = (a_set().with_object("fs:/a", source={"hostPath": path}),)
    plan = Scene(sets=sets, backup_class=a_class().with_sources(hostPaths=["/srv/data"])).plan()
    assert plan.stalled
    assert plan.stalled.reason is Reason.INVALID_RESOURCE


@pytest.mark.parametrize(
    ("policy", "reason", "starts"),
    [
        (a_policy(), Reason.PLANNED, 1),
        (a_policy().setting(mode="Recommend"), Reason.RECOMMENDED, 0),
        (a_policy().setting(suspend=True), Reason.SUSPENDED, 1),
    ],
    ids=["planned", "recommended", "suspended"],
)
def test_what_can_be_planned_is_ready(policy: Any, reason: Reason, starts: int):
    """With the settings in words."""
    plan = Scene(policy=policy).plan()
    assert plan.stalled is None
    assert plan.outcome
    assert plan.outcome.reason is reason
    assert plan.outcome.message.startswith("1 object in 10m on 1 drive with at most 1 agent each")
    assert len(plan.starts) == starts


def test_no_objects_are_nothing_to_back_up():
    """That is no mistake."""
    plan = Scene(sets=(a_set(),)).plan()
    assert plan.stalled is None
    assert plan.outcome
    assert plan.outcome.reason is Reason.NOTHING_TO_BACK_UP
    assert plan.figures == {"workload": {"objects": 0, "bytes": "0", "unmeasured": 0}}


@pytest.mark.parametrize(
    ("objects", "pool", "helps"),
    [
        (a_set().with_object("a", "9h", "1M"), a_pool().with_drives(), "longest object 'a' (9h)"),
        (
            a_set().with_object("a", "5h", "80M").with_object("b", "5h", "80M"),
            a_pool().with_drives(count=1),
            "allow more or faster drives",
        ),
        (
            a_set().with_object("a", "5h", "1M").with_object("b", "5h", "1M"),
            a_pool().with_drives(count=1, max_agents=1),
            "allow more agents a drive, or more drives",
        ),
    ],
    ids=["longest-object", "throughput", "agents"],
)
def test_an_overrun_tells_what_would_help(objects: Any, pool: Any, helps: str):
    """By what the session is bound by; it is planned all the same."""
    plan = Scene(policy=a_policy().setting(window="8h"), sets=(objects,), pool=pool).plan()
    assert plan.window_fit is False
    assert plan.window.reason is Reason.OVERRUNS
    assert helps in plan.window.message
    assert plan.starts


def test_assumptions_are_told():
    """An object without history, and one that is faster than every drive."""
    objects = a_set().with_object("a", "1h", "10M").with_unmeasured("b").with_object("c", "1m", "800M")
    plan = Scene(sets=(objects,)).plan()
    assert plan.outcome
    assert "1 object without history is assumed as long and as fast as the median" in plan.outcome.message
    assert "1 object faster than every drive at the fastest drive's 80 MB/s" in plan.outcome.message
    assert plan.figures["workload"]["capped"] == ["c"]


def test_the_order_of_what_is_read_decides_nothing():
    """Sets and objects come in any order from a watch."""
    one, two = a_set("one").with_objects(20), a_set("two").with_objects(20, prefix="other:/")
    policy = a_policy().backing_up("one", "two")
    turned = one.setting(objects=one.spec["objects"][::-1])
    first = Scene(policy=policy, sets=(one, two)).plan()
    assert Scene(policy=policy, sets=(two, turned)).plan() == first


def test_a_plan_and_a_verdict_survive_the_way_between_processes():
    """Plans are made in another process."""
    plan = Scene().plan()
    assert pickle.loads(pickle.dumps(plan)) == plan  # noqa: S301 - our own
    verdict = Unplannable(Reason.NO_HISTORY, "why")
    assert pickle.loads(pickle.dumps(verdict)).finding == verdict.finding  # noqa: S301


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(allow_nan=True),
    st.text(max_size=5),
    st.sampled_from(
        ["0 22 31 2 *", "* * * * *", "1s", "99999d", "1k", "9P", "../..", "$(X)", "TZ=UTC", "@every 1s"]
    ),
    st.just([]),
    st.just({}),
    st.just([{}]),
)


def _paths(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *(found for key, each in inner for found in _paths(each, (*path, key)))]


def _whole() -> dict[str, Any]:
    policy = a_policy().setting(
        window="8h",
        limits={"drives": 1, "maxAgents": 2},
        objective="WithinPercent",
        percent=15,
        podOverrides={"nodeSelector": {"a": "b"}, "rateLimit": "1M"},
        timeZone="Europe/Berlin",
        suspend=False,
        mode="Apply",
        execution="Planned",
    )
    history = [{"start": "2026-01-01T00:00:00Z", "duration": "1h", "bytes": "1G"}]
    objects = a_set().with_object("a", source={"hostPath": "/srv/a"}, history=history).with_unmeasured("b")
    return {
        "policy": policy.observed("backup"),
        "set": objects.setting(estimator={"window": 2}, historyFrom={"configMap": "c"}).observed("backup"),
        "pool": a_pool().with_drives(devices=["x", "y"]).observed(),
        "class": a_class().allowing("NodeSelector", "RateLimit").with_sources(hostPaths=["/srv"]).observed(),
        "csv": f"{CSV}b,10,1\n",
    }


WHOLE = _whole()
PLACES = [path for path in _paths(WHOLE) if "spec" in path or path == ("csv",)]


def decided(whole: dict[str, Any]) -> tuple[Raw, Plan]:
    """The policy, and the plan for resources that may be anything."""
    text = whole.get("csv")
    snapshot = PolicySnapshot(
        policy=whole["policy"],
        backup_sets=(whole["set"],),
        tape_pool=whole["pool"],
        backup_class=whole["class"],
        config_maps={"c": {"history.csv": text}} if isinstance(text, str) else {},
    )
    return whole["policy"], decide(snapshot)


def test_the_whole_that_is_broken_below_is_good_as_it_is():
    """Or the property would hold for the wrong reason."""
    assert decided(copy.deepcopy(WHOLE))[1].stalled is None


@given(st.lists(st.tuples(st.sampled_from(PLACES), JUNK | st.just(...)), min_size=1, max_size=3))
@examples(250)
def test_whatever_is_stored_there_is_a_verdict_and_a_status(changes: list[tuple[tuple[Any, ...], Any]]):
    """Fields that are missing or of any other kind: never an exception, and a status that the API takes."""
    whole = copy.deepcopy(WHOLE)
    for path, value in changes:
        _put(whole, path, value)
    policy, plan = decided(whole)
    status = planned_status(policy, plan, ScheduleTimes(), cron_jobs=plan.cron_jobs, now=NOW)
    assert BackupPolicyStatus.read(status).to_api() == status
    assert (plan.stalled is None) != (not plan.figures)


def _put(node: Any, path: tuple[Any, ...], value: Any) -> None:
    *way, last = path
    try:
        for key in way:
            node = node[key]
        if value is ...:
            del node[last]
        else:
            node[last] = value
    except (KeyError, IndexError, TypeError):
        return  # another change has taken the place away
