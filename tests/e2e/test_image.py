"""The image as a chart's user runs it: as nobody, able to change nothing, with nothing to build by."""

import json
import subprocess
from pathlib import Path

import pytest

from demo.clusters import Cluster

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("e2e"), pytest.mark.timeout(120, func_only=True)]

CONFINED = ("--rm", "--read-only", "--network=none", "--cap-drop=ALL", "--security-opt=no-new-privileges")
SAMPLES = Path(__file__).resolve().parents[2] / "config/samples"
LEFT_OVERS = "command -v cc gcc make git; ls /opt/flexlbf/bin | grep -i pip; find /opt /build -name '*.whl'"


def run(image: str, *command: str, entrypoint: str = "flexlbf") -> "subprocess.CompletedProcess[str]":
    """Run the image with nothing that it could lean on."""
    return subprocess.run(
        ["docker", "run", *CONFINED, f"--entrypoint={entrypoint}", image, *command],
        check=False,
        capture_output=True,
        text=True,
    )


def test_it_says_what_it_is_and_runs_as_nobody(cluster: Cluster) -> None:
    described = subprocess.run(["docker", "image", "inspect", cluster.image], check=True, capture_output=True)
    (found,) = json.loads(described.stdout)
    assert found["Config"]["User"] == "65532:65532"
    labels = found["Config"]["Labels"]
    assert labels["org.opencontainers.image.licenses"] == "Apache-2.0"
    assert labels["org.opencontainers.image.revision"] not in {"", "unknown"}
    said = run(cluster.image, "--version").stdout
    assert labels["org.opencontainers.image.version"] in said


def test_it_plans_without_a_network_or_a_place_to_write(cluster: Cluster) -> None:
    planned = subprocess.run(
        [
            "docker",
            "run",
            *CONFINED,
            f"--volume={SAMPLES}:/samples:ro",
            cluster.image,
            "plan",
            "-f",
            "/samples",
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    assert planned.returncode == 0, planned.stderr
    assert "server8" in planned.stdout


def test_it_has_nothing_to_install_or_compile_with(cluster: Cluster) -> None:
    """Whatever its base has besides."""
    done = run(cluster.image, "-c", LEFT_OVERS, entrypoint="sh")
    assert done.stdout == ""
