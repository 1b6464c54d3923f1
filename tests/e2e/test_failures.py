"""A backup that fails says so, and leaves nothing on the drive that looks whole."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from demo.session import Outcome, Session
from e2e.node import Node
from e2e.site import Site

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("e2e"), pytest.mark.timeout(300, func_only=True)]


@contextmanager
def mounted(node: Node, folder: str, options: str) -> Iterator[None]:
    """A file system of its own in a folder of the node, for the time of the block."""
    node.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder)
    try:
        yield
    finally:
        node.run("umount", "--lazy", folder)


def back_up(site: Site, source: dict[str, str]) -> Outcome:
    """Run the only Job of a policy with one object."""
    plan = site.plan([{"name": "fs01:/data", "source": source}])
    (outcome,) = Session(site.cluster, site.namespace, site.planned_drives()).run(plan)
    return outcome


def a_folder(site: Site) -> dict[str, str]:
    """A source of 3 MB."""
    site.node.write(f"{site.folder}/data/file", b"0123456789" * 300_000)
    return {"hostPath": f"{site.folder}/data"}


def test_a_source_that_is_not_there_fails_with_a_message_that_names_it(
    make_site: Callable[..., Site],
) -> None:
    site = make_site(drives=1)
    site.offer(args=("agent", "--source", "$(FLEXLBF_SOURCE)"))
    outcome = back_up(site, {"value": "/not/there"})
    assert not outcome.succeeded
    assert "there is no directory /not/there" in outcome.message["error"]
    assert site.node.files(site.drive(0)) == []


def test_a_node_without_the_sources_folder_fails_at_the_deadline(make_site: Callable[..., Site]) -> None:
    """Kubernetes starts no container then, and waits: it is the class's deadline that ends it."""
    site = make_site(drives=1)
    site.offer(deadline="10s")
    outcome = back_up(site, {"hostPath": f"{site.folder}/missing"})
    assert not outcome.succeeded
    assert site.node.files(site.drive(0)) == []


def test_a_drive_that_fills_up_fails_and_shows_nothing(make_site: Callable[..., Site]) -> None:
    site = make_site(drives=1)
    site.offer()
    with mounted(site.node, site.drive(0), "size=1m,mode=0777"):
        outcome = back_up(site, a_folder(site))
        assert not outcome.succeeded
        assert "No space left on device" in outcome.message["error"]
        assert site.node.files(site.drive(0)) == []


def test_a_drive_that_is_read_only_fails_and_shows_nothing(make_site: Callable[..., Site]) -> None:
    site = make_site(drives=1)
    site.offer()
    with mounted(site.node, site.drive(0), "size=64m,mode=0777,ro"):
        outcome = back_up(site, a_folder(site))
        assert not outcome.succeeded
        assert "Read-only file system; mount it writable" in outcome.message["error"]
        assert site.node.files(site.drive(0)) == []


def test_a_drive_that_has_room_again_takes_the_next_run(make_site: Callable[..., Site]) -> None:
    site = make_site(drives=1)
    site.offer()
    plan = site.plan([{"name": "fs01:/data", "source": a_folder(site)}])
    session = Session(site.cluster, site.namespace, site.planned_drives())
    with mounted(site.node, site.drive(0), "size=1m,mode=0777"):
        assert not session.run(plan)[-1].succeeded
    site.cluster.kubectl("delete", "jobs", "--all", f"--namespace={site.namespace}")
    assert session.run(plan)[-1].succeeded
    assert len([name for name in site.node.files(site.drive(0)) if name.endswith(".tar")]) == 1
