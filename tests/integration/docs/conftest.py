"""A control plane with an operator on it and pods that are played, for who follows the documentation."""

from collections.abc import Iterator

import pytest

from integration.conftest import plane_with_kinds
from integration.docs.podplayer import PodPlayer
from integration.handlers.operatorprocess import OperatorProcess
from localcluster.bare import BareControlPlane


@pytest.fixture(scope="session")
def control_plane() -> Iterator[BareControlPlane]:
    """A control plane that an operator serves; its pods end by themselves."""
    with plane_with_kinds() as plane, OperatorProcess(plane), PodPlayer(plane):
        yield plane
