"""How long a policy takes from being applied to being carried out; the only tests that are timed.

The limits are those that were set for a machine that does nothing else.
"""

import random
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from integration.conftest import CRDS
from integration.handlers.cluster import Cluster
from integration.handlers.operatorprocess import OperatorProcess
from localcluster.bare import BareControlPlane
from support.resources import Set, a_set

pytestmark = [pytest.mark.integration, pytest.mark.scale, pytest.mark.timeout(600)]

QUIET_SECONDS = 10.0


@pytest.fixture
def quick_plane() -> Iterator[BareControlPlane]:
    """A control plane of its own, which does not write every request down."""
    with BareControlPlane(audit=False) as plane:
        plane.kubectl("apply", "--server-side", "-f", str(CRDS))
        plane.kubectl("wait", "--for=condition=Established", "--timeout=60s", "-f", str(CRDS))
        yield plane


@pytest.fixture
def quick_cluster(quick_plane: BareControlPlane) -> Iterator[Cluster]:
    """A namespace of it."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    quick_plane.kubectl("create", "namespace", name)
    mine = Cluster(quick_plane, name)
    yield mine
    mine.clean_up()


@pytest.fixture
def warm_operator(quick_cluster: Cluster) -> Iterator[OperatorProcess]:
    """An operator that has planned something already, so that its start is not part of the figure."""
    with OperatorProcess(quick_cluster.plane) as process:
        quick_cluster.apply(quick_cluster.a_pool().with_drives(count=1))
        quick_cluster.apply(quick_cluster.a_class())
        quick_cluster.apply(a_set("warm").with_object("fs:/warm"))
        quick_cluster.apply(quick_cluster.a_policy("warm").backing_up("warm"))
        quick_cluster.ready("warm")
        quick_cluster.delete("BackupPolicy", "warm")
        yield process


def sets_of(count: int, each: int) -> list[Set]:
    """Sets of so many objects: most are small, some are long, none is like another."""
    chance = random.Random(12)
    sets = []
    for number in range(count):
        objects = [
            {
                "name": f"srv{number:02}:/data/{index:03}",
                "estimate": {
                    "duration": f"{10 + int(chance.lognormvariate(6, 1.2))}s",
                    "throughput": f"{100 * chance.randint(1, 350)}k",
                },
            }
            for index in range(each)
        ]
        sets.append(a_set(f"srv{number:02}").setting(objects=objects))
    return sets


def versions(cluster: Cluster) -> dict[str, str]:
    """The version of each CronJob and of the policy: a write to any of them changes it."""
    cron_jobs = cluster.cron_jobs()
    found = {name: each["metadata"]["resourceVersion"] for name, each in cron_jobs.items()}
    found["the policy"] = cluster.policy()["metadata"]["resourceVersion"]
    return found


@dataclass(frozen=True)
class Scale:
    """How large a policy is, and in how many seconds it must be carried out."""

    sets: int
    objects: int
    drives: int
    limit: float

    def __str__(self) -> str:
        return f"{self.sets * self.objects}-objects-on-{self.drives}-drives"


@pytest.mark.parametrize("scale", [Scale(1, 300, 4, 3.0), Scale(20, 500, 64, 45.0)], ids=str)
def test_a_policy_is_carried_out_in_time_and_then_at_rest(
    quick_cluster: Cluster, warm_operator: OperatorProcess, capsys: pytest.CaptureFixture[str], scale: Scale
):
    """From apply to Ready with every CronJob; afterwards nothing is written."""
    quick_cluster.apply(quick_cluster.a_pool().with_drives(count=scale.drives))
    fleet = sets_of(scale.sets, scale.objects)
    for each in fleet:
        quick_cluster.apply(each)
    policy = quick_cluster.a_policy().backing_up(*(each.name for each in fleet)).setting(window="3d")
    began = time.monotonic()
    quick_cluster.apply(policy)
    quick_cluster.ready()
    took = time.monotonic() - began
    with capsys.disabled():
        print(f"\n{scale}: ready after {took:.2f} s, limit {scale.limit:g} s")  # noqa: T201 - the figure
    before = versions(quick_cluster)
    assert len(before) == scale.sets * scale.objects + 1
    time.sleep(QUIET_SECONDS)
    assert versions(quick_cluster) == before
    assert warm_operator.running
    assert took <= scale.limit
