"""One control plane a test process, with the CRDs in it; one namespace a test."""

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from localcluster.bare import BareControlPlane

CRDS = Path(__file__).resolve().parents[2] / "crds"


@pytest.fixture(scope="session")
def control_plane() -> Iterator[BareControlPlane]:
    """A real API server that knows the kinds; all tests of the process share it."""
    with plane_with_kinds() as plane:
        yield plane


@contextmanager
def plane_with_kinds(wanted: BareControlPlane | None = None) -> Iterator[BareControlPlane]:
    """A control plane with the CRDs in it: the one wanted, not started yet, or a plain one."""
    with wanted or BareControlPlane() as plane:
        plane.kubectl("apply", "--server-side", "-f", str(CRDS))
        plane.kubectl("wait", "--for=condition=Established", "--timeout=30s", "-f", str(CRDS))
        _await_discovery(plane, kinds=len(list(CRDS.glob("*.yaml"))))
        yield plane


def _await_discovery(plane: BareControlPlane, kinds: int) -> None:
    """Wait until kubectl knows the kinds: it remembers what it saw before they were there.

    `api-resources` asks anew; short names and categories are looked up in what it found.
    """
    deadline = time.monotonic() + 30
    while len(plane.kubectl("api-resources", "--api-group=flexlbf.io", "-o", "name").split()) < kinds:
        assert time.monotonic() < deadline, "the kinds did not appear within 30 s"
        time.sleep(0.1)


@pytest.fixture
def namespace(control_plane: BareControlPlane) -> Iterator[str]:
    """A namespace of the test's own, so that tests neither see nor wait for each other."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    control_plane.kubectl("create", "namespace", name)
    yield name
    control_plane.kubectl("delete", "namespace", name, "--wait=false")
