"""The pages that speak to a cluster can be followed, each in a namespace of its own, on a real API server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from localcluster.bare import BareControlPlane
from support.docpages import Page, pages
from support.docrunner import Follower

IN_CLUSTER = [page for page in pages() if page.needs_cluster]


@pytest.fixture
def kubeconfig(control_plane: BareControlPlane, namespace: str, tmp_path: Path) -> Path:
    """An administrator's, whose context is in the test's namespace."""
    config = yaml.safe_load(control_plane.kubeconfig.read_text(encoding="utf-8"))
    for context in config["contexts"]:
        context["context"]["namespace"] = namespace
    path = tmp_path / "kubeconfig"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return path


@pytest.fixture
def clean_cluster(control_plane: BareControlPlane) -> Iterator[None]:
    """Pages name pools, classes and namespaces as they like: the next page finds none of them."""
    before = _everywhere(control_plane)
    yield
    made = _everywhere(control_plane) - before
    if made:
        control_plane.kubectl("delete", "--wait=false", *sorted(made))


def _everywhere(plane: BareControlPlane) -> set[str]:
    return set(plane.kubectl("get", "tp,bclass,namespaces", "-o", "name").split())


@pytest.mark.parametrize("page", IN_CLUSTER, ids=lambda page: page.name)
@pytest.mark.usefixtures("clean_cluster")
def test_a_page_can_be_followed(
    page: Page, control_plane: BareControlPlane, namespace: str, kubeconfig: Path, tmp_path: Path
):
    folder = tmp_path / "follower"
    folder.mkdir()
    kubectl = control_plane._programs / "kubectl"
    Follower(folder, {"KUBECONFIG": str(kubeconfig)}, {"kubectl": kubectl}, namespace).follow(page)
