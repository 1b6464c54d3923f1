"""A pool tells who uses it, and whether there is enough of it."""

import pytest

from integration.handlers.cluster import Cluster, eventually
from support.resources import Raw

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]


def setup_of(cluster: Cluster) -> None:
    """Two drives; three sets of one object, each of which fills a drive for an hour."""
    cluster.apply(cluster.a_pool().with_drives(count=2))
    cluster.apply(cluster.a_class())
    for name in ("one", "two", "three"):
        cluster.apply(cluster.a_set(name).with_object(f"{name}:/a", "1h", "80M"))


def await_pool(cluster: Cluster, policies: list[str], drives: int, throughput: str, *, over: bool) -> Raw:
    """The pool's status, once it says so."""

    def check() -> Raw:
        pool = cluster.get("TapePool", cluster.namespace)
        assert pool is not None
        status: Raw = pool.get("status") or {}
        assert [each["name"] for each in status.get("policies", ())] == policies
        assert (status["drives"], status["peakDrives"], status["peakThroughput"]) == (2, drives, throughput)
        condition = cluster.condition("Oversubscribed", cluster.namespace, of="TapePool")
        assert (condition["status"], condition["reason"]) == (
            ("True", "Overlapping") if over else ("False", "Enough")
        )
        assert condition["observedGeneration"] == pool["metadata"]["generation"]
        return status

    return eventually(check)


def test_a_pool_that_nobody_uses_says_so(cluster: Cluster):
    """It is ready, and nothing is asked of it."""
    setup_of(cluster)
    await_pool(cluster, [], 0, "0", over=False)
    assert cluster.condition("Ready", cluster.namespace, of="TapePool")["status"] == "True"


def test_a_pool_tells_what_its_policies_ask_of_it(cluster: Cluster):
    """Policies that come, change, are suspended and go."""
    setup_of(cluster)
    one, two = (cluster.a_policy(name).backing_up(name) for name in ("one", "two"))
    cluster.apply(one)
    status = await_pool(cluster, ["one"], 1, "80M", over=False)
    assert status["policies"] == [
        {"namespace": cluster.namespace, "name": "one", "drives": 1, "throughput": "80M"}
    ]
    cluster.apply(two)
    await_pool(cluster, ["one", "two"], 2, "160M", over=False)
    cluster.apply(two.setting(suspend=True))
    await_pool(cluster, ["one"], 1, "80M", over=False)
    cluster.apply(two.setting(mode="Recommend"))
    await_pool(cluster, ["one"], 1, "80M", over=False)
    cluster.apply(one.backing_up("one", "three"))
    await_pool(cluster, ["one"], 2, "160M", over=False)
    cluster.delete("BackupPolicy", "one")
    await_pool(cluster, [], 0, "0", over=False)


def test_a_pool_is_oversubscribed_when_sessions_overlap(cluster: Cluster):
    """And no more once one of them moves to another night."""
    setup_of(cluster)
    for name in ("one", "two", "three"):
        cluster.apply(cluster.a_policy(name).backing_up(name).at("0 22 * * 6"))
    await_pool(cluster, ["one", "three", "two"], 3, "240M", over=True)
    message = cluster.condition("Oversubscribed", cluster.namespace, of="TapePool")["message"]
    assert "3 of 2 drives" in message
    assert "move a schedule" in message
    cluster.apply(cluster.a_policy("two").backing_up("two").at("0 22 * * 5"))
    await_pool(cluster, ["one", "three", "two"], 2, "160M", over=False)
    cluster.apply(cluster.a_pool().with_drives(count=2, max_throughput="79M"))
    await_pool(cluster, ["one", "three", "two"], 2, "158M", over=False)


@pytest.mark.parametrize(
    ("other", "over"),
    [
        pytest.param(("30 22 * * 6", None), True, id="half-an-hour-later"),
        pytest.param(("0 23 * * 6", None), False, id="when-the-first-is-done"),
        pytest.param(("0 22 * * 5", None), False, id="another-night"),
        pytest.param(("0 22 * * 6", "America/New_York"), False, id="another-zone"),
        pytest.param(("0 22 * * *", None), True, id="every-night"),
        pytest.param(("0 22 1 * *", None), True, id="now-and-then-on-the-same-day"),
    ],
)
def test_only_sessions_at_the_same_time_count_together(
    cluster: Cluster,
    other: tuple[str, str | None],
    over: bool,
):
    """By their schedules and zones, over the year."""
    setup_of(cluster)
    cluster.apply(cluster.a_policy("one").backing_up("one", "two").at("0 22 * * 6"))
    cluster.apply(cluster.a_policy("two").backing_up("three").at(*other))
    await_pool(cluster, ["one", "two"], 3 if over else 2, "240M" if over else "160M", over=over)


def test_a_policy_that_goes_to_another_pool_leaves_the_first(cluster: Cluster):
    """Both pools tell of it."""
    setup_of(cluster)
    cluster.apply(cluster.a_policy("one").backing_up("one"))
    await_pool(cluster, ["one"], 1, "80M", over=False)
    other = f"{cluster.namespace}-other"
    pool = cluster.a_pool().with_drives().build()
    pool["metadata"]["name"] = other
    cluster.apply(pool)
    cluster.apply(cluster.a_policy("one").backing_up("one").on(other))
    await_pool(cluster, [], 0, "0", over=False)

    def check() -> None:
        found = cluster.get("TapePool", other) or {}
        assert [each["name"] for each in found.get("status", {}).get("policies", ())] == ["one"]

    eventually(check)
