"""The operator's options: what can't be is told before anything begins."""

import socket
from pathlib import Path

import pytest
import yaml

from unit.cli.terminal import flexlbf, program


@pytest.fixture
def kubeconfig(tmp_path: Path) -> Path:
    """One of a cluster that is not there."""
    named = {"clusters": "cluster", "users": "user", "contexts": "context"}
    contents = {key: [{"name": "here", each: {}}] for key, each in named.items()}
    contents["clusters"][0]["cluster"] = {"server": "http://127.0.0.1:9"}
    contents["contexts"][0]["context"] = {"cluster": "here", "user": "here"}
    file = tmp_path / "kubeconfig"
    file.write_text(yaml.safe_dump({"current-context": "here", **contents}))
    return file


def test_metrics_are_served_at_an_address():
    assert "write HOST:PORT, as in 0.0.0.0:8081" in flexlbf("operator", "--metrics", "8081").mistake()


def test_an_address_that_is_taken_is_told(kubeconfig: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        ended = program("operator", "--metrics", address, environment={"KUBECONFIG": str(kubeconfig)})
    assert f"listening at {address}: " in ended.mistake()
    assert "name another address" in ended.mistake()
