"""Fixtures of the agent's tests."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from unit.agent.harness import Agents


@pytest.fixture
def agents(tmp_path: Path) -> Iterator[Agents]:
    """A source, a drive, and agents between them."""
    made = Agents(tmp_path)
    yield made
    made.close()


@pytest.fixture
def unprivileged() -> tuple[str, ...]:
    """A wrapper under which file permissions count, for root too."""
    if os.geteuid() != 0:
        return ()
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        pytest.skip("root needs setpriv (util-linux) to lay its privileges down")
    return (setpriv, "--inh-caps=-all", "--bounding-set=-all")
