"""A policy's limit on the streams of a host holds in its plan."""

from typing import Any

from flexlbf.planning.findings import Reason
from flexlbf.planning.offline import Fleet
from flexlbf.planning.whatif import policy_case
from flexlbf.scheduling import Host
from support.resources import a_class, a_config_map, a_policy, a_pool, a_set
from unit.planning.snapshots import Scene

TWO = a_set().with_object("a", "5h", "1M").with_object("b", "5h", "1M")


def limited(**settings: Any) -> Any:
    """A policy that lets the objects of a host come one after another."""
    return a_policy().setting(limits={"perHost": 1}, **settings)


def offsets(scene: Scene) -> dict[str, int]:
    """Minutes from the session's start, by object."""
    return {each.stream.obj: each.offset for each in scene.plan().starts}


def test_objects_of_one_host_start_one_after_another():
    """Those of another, and of none, do not wait for them."""
    objects = TWO.on_host("fs1").with_object("c", "4h", "1M").on_host("fs2").with_object("d", "1h", "1M")
    scene = Scene(sets=(objects,))
    assert offsets(scene.having(policy=limited())) == {"a": 0, "b": 300, "c": 0, "d": 240}
    assert offsets(scene)["b"] == 0


def test_a_host_that_only_the_history_names_is_limited_too():
    """What the set says goes first."""
    rows = "object,duration_s,throughput_mbps,host\na,3600,1,fs1\nb,3600,1,fs1\nc,3600,1,fs1\n"
    objects = a_set().setting(objects=[{"name": "a"}, {"name": "b"}, {"name": "c", "host": "other"}])
    scene = Scene(
        policy=limited(),
        sets=(objects.with_history_from("history"),),
        config_maps={"history": {"history.csv": rows}},
    )
    assert offsets(scene) == {"a": 0, "b": 60, "c": 0}


def test_an_overrun_names_the_host_that_it_is_bound_by():
    """More drives would not help."""
    plan = Scene(policy=limited(window="8h"), sets=(TWO.on_host("fs1"),)).plan()
    assert plan.window.reason is Reason.OVERRUNS
    assert "the objects of host fs1 wait for each other: allow more a host in spec.limits.perHost" in (
        plan.window.message
    )
    recommended = plan.figures["recommendation"]
    assert (recommended["boundBy"], recommended["boundHost"]) == ("Host", "fs1")
    assert "boundHost" not in Scene(sets=(TWO,)).plan().figures["recommendation"]


def test_a_limit_that_limits_nothing_is_told():
    """Nobody would find out else."""
    told, quiet = (
        Scene(policy=limited(), sets=(objects,)).plan().outcome for objects in (TWO, TWO.on_host("fs1"))
    )
    assert told
    assert told.message.endswith("; limits.perHost limits nothing, as no object has a host")
    assert quiet
    assert "perHost" not in quiet.message


def test_what_if_asks_with_the_same_limit_of_sets_that_are_added_too():
    """As the plan has it."""
    fleet = Fleet()
    for each in (a_pool().with_drives(), a_class(), TWO.on_host("fs1"), limited()):
        fleet.add(each.build())
    fleet.add(a_config_map("none"))
    added = a_set("more").with_object("x", "1h", "1M").on_host("fs2").build("default")
    case = policy_case(fleet, fleet.policies()[0], [added])
    assert {job.host for job in case.situation.jobs} == {Host("fs1", 1)}
    assert [job.host for job in case.added["more"]] == [Host("fs2", 1)]
