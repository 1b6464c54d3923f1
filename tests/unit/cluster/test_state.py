"""Whatever changes, just the policies whose plan depends on it are looked at again."""

import pytest

from flexlbf.cluster.resources import BACKUP_CLASSES, BACKUP_POLICIES, BACKUP_SETS, TAPE_POOLS, Resource
from flexlbf.cluster.state import ClusterState, Key
from support.resources import Raw, a_class, a_policy, a_pool, a_set


@pytest.fixture
def state() -> ClusterState:
    """Policies of two namespaces, by name and by label."""
    filled = ClusterState()
    for namespace in ("one", "two"):
        filled.put(BACKUP_POLICIES, a_policy("named").backing_up("fleet").observed(namespace))
        filled.put(BACKUP_POLICIES, a_policy("picky").selecting({"tier": "gold"}).observed(namespace))
        filled.put(BACKUP_POLICIES, a_policy("all").setting(backupSets={"selector": {}}).observed(namespace))
    filled.put(BACKUP_POLICIES, a_policy("other").on("other").by("other").backing_up("x").observed("one"))
    filled.put(BACKUP_SETS, a_set("fleet").with_history_from("catalog").observed("one"))
    filled.put(BACKUP_SETS, a_set("gold").labelled({"tier": "gold"}).observed("one"))
    return filled


def names(keys: object) -> set[str]:
    """Keys as people write them."""
    return {str(key) for key in keys}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("resource", "raw", "want"),
    [
        (BACKUP_POLICIES, a_policy("named").observed("one"), {"one/named"}),
        (BACKUP_SETS, a_set("fleet").observed("one"), {"one/named", "one/all"}),
        (BACKUP_SETS, a_set("fleet").observed("three"), set()),
        (
            BACKUP_SETS,
            a_set("new").labelled({"tier": "gold"}).observed("two"),
            {"two/picky", "two/all"},
        ),
        (
            TAPE_POOLS,
            a_pool("library").observed(),
            {f"{namespace}/{name}" for namespace in ("one", "two") for name in ("named", "picky", "all")},
        ),
        (TAPE_POOLS, a_pool("other").observed(), {"one/other"}),
        (TAPE_POOLS, a_pool("unused").observed(), set()),
        (BACKUP_CLASSES, a_class("other").observed(), {"one/other"}),
    ],
    ids=["policy", "set", "set-elsewhere", "set-by-label", "pool", "other-pool", "unused-pool", "class"],
)
def test_a_change_affects_the_policies_that_refer_to_it(
    state: ClusterState, resource: Resource, raw: Raw, want: set[str]
):
    """By name or by label, within the namespace."""
    assert names(state.affected_by(resource, raw)) == want


@pytest.mark.parametrize(
    ("key", "want"),
    [
        pytest.param(Key("one", "catalog"), {"one/named", "one/all"}, id="of a set"),
        pytest.param(Key("two", "catalog"), set(), id="of no set of its namespace"),
        pytest.param(Key("one", "other"), set(), id="of no set"),
    ],
)
def test_a_config_map_affects_the_policies_whose_history_it_has(
    state: ClusterState, key: Key, want: set[str]
):
    """Most are nobody's history."""
    assert names(state.affected_by_config_map(key)) == want


def test_a_namespace_affects_its_policies(state: ClusterState):
    """A pool may allow it or not by its labels."""
    assert names(state.affected_by_namespace("two")) == {"two/named", "two/picky", "two/all"}


def test_an_older_version_is_not_taken_in():
    """Events and lists may come in any order."""
    state = ClusterState()
    assert state.put(BACKUP_SETS, a_set("fleet").observed("one", version=10))
    assert not state.put(BACKUP_SETS, a_set("fleet").observed("one", version=9))
    assert not state.put(BACKUP_SETS, a_set("fleet").observed("one", version=10))
    assert state.put(BACKUP_SETS, a_set("fleet").observed("one", version=11))


def test_the_deletion_of_an_older_one_of_the_name_leaves_the_newer():
    """The uid tells them apart."""
    state = ClusterState()
    old = a_set("fleet").observed("one")
    new = a_set("fleet").build("one", uid="another", resourceVersion="7", generation=1)
    state.put(BACKUP_SETS, new)
    state.drop(BACKUP_SETS, old)
    assert state.objects[BACKUP_SETS][Key("one", "fleet")] == new
    state.drop(BACKUP_SETS, new)
    assert state.objects[BACKUP_SETS] == {}


def test_what_is_gone_is_not_taken_in_again():
    """The answer to a write, or a page of a list, may come after the event that the object is gone."""
    state = ClusterState()
    state.drop(BACKUP_SETS, a_set("fleet").observed("one", version=7))
    assert not state.put(BACKUP_SETS, a_set("fleet").observed("one", version=8))
    assert state.objects[BACKUP_SETS] == {}
