"""A whole session in real pods, what it leaves on the drives, and an object got back from them."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from demo.pods import container, run_pod, source_volume
from demo.restore import restore_and_compare
from demo.session import Session
from e2e.site import Site

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("e2e"), pytest.mark.timeout(300, func_only=True)]

CLAIM = "mailboxes"
SIZES = {"a": 3_000_000, "b": 1, "c": 700_000, "d": 2_500_000, "e": 10_240, "f": 5_000_000, "g": 123_457}


def test_a_session_leaves_whole_archives_from_which_objects_come_back_as_they_were(
    make_site: Callable[..., Site],
) -> None:
    site = make_site(drives=2, agents=2)
    site.offer()
    objects = _objects(site)
    plan = site.plan(objects)
    assert len(plan) == len(objects)

    outcomes = Session(site.cluster, site.namespace, site.planned_drives()).run(plan)

    assert sorted(each.planned.object for each in outcomes if each.succeeded) == sorted(
        each["name"] for each in objects
    )
    reported = {each.message["sha256"]: each for each in outcomes}
    assert _checksums_on_the_drives(site) == set(reported)
    for wanted in (objects[0], objects[-1]):  # a folder of the node, and a claim
        (drive,) = {each.planned.drive for each in outcomes if each.planned.object == wanted["name"]}
        folder = f"{site.folder}/tapes/{drive}"
        assert restore_and_compare(site.cluster, site.namespace, wanted, folder) > 0


def _objects(site: Site) -> list[dict[str, Any]]:
    """Seven folders of the node and a claim, all with files."""
    chance = random.Random(8)
    found = []
    for index, (name, size) in enumerate(SIZES.items()):
        path = f"{site.folder}/sources/{name}"
        site.node.write(f"{path}/deep/er/data.bin", chance.randbytes(size))
        site.node.write(f"{path}/empty", b"")
        found.append(
            {
                "name": f"fs0{index}:/{name}",
                "source": {"hostPath": path},
                "estimate": {"duration": f"{index + 1}m", "throughput": f"{index + 3}M"},
            }
        )
    _fill_claim(site)
    return [*found, {"name": "mail:/boxes", "source": {"claimName": CLAIM}}]


def _fill_claim(site: Site) -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "16Mi"}}}
    metadata = {"name": CLAIM, "namespace": site.namespace}
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}
    site.cluster.kubectl("apply", "--filename=-", text=json.dumps(claim))
    shell = "cd /claim && head -c 2000000 /dev/urandom > inbox && ln -s inbox 'the newest' && chmod 640 inbox"
    mounts = [{"name": "claim", "mountPath": "/claim"}]
    pod = {
        "containers": [container(site.cluster, "fill", "sh", "-c", shell, volumeMounts=mounts)],
        "volumes": [{"name": "claim", **source_volume({"claimName": CLAIM}, writable=True)}],
    }
    run_pod(site.cluster, site.namespace, "fill-claim", pod)


def _checksums_on_the_drives(site: Site) -> set[str]:
    """The checksums of all archives, each reckoned here and the same as in the file beside it."""
    found = set()
    for index in range(site.drives):
        folder = site.drive(index)
        for name in site.node.files(folder):
            assert not name.startswith("."), "a partial file is left"
            if name.endswith(".tar"):
                checksum = site.node.sha256(f"{folder}/{name}")
                beside = site.node.run("cat", f"{folder}/{name}.sha256").decode()
                assert beside.split() == [checksum, name]
                found.add(checksum)
    return found
