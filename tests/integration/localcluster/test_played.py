"""Pods on played nodes start at once and end when, and as, their environment says."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from localcluster.bare import BareControlPlane

pytestmark = pytest.mark.integration

PATIENCE = 30.0


@pytest.fixture(scope="module")
def plane() -> Iterator[BareControlPlane]:
    with BareControlPlane(played_nodes=2) as running:
        yield running


@pytest.fixture
def play(plane: BareControlPlane) -> Iterator[Callable[..., dict[str, Any]]]:
    """Create a pod with a script and give its status once it has ended."""

    def run(script: str | None, attempt: str | None = None) -> dict[str, Any]:
        container: dict[str, Any] = {"name": "agent", "image": "none"}
        if script is not None:
            container |= {"env": [{"name": "FLEXLBF_SOURCE", "value": script}]}
        pod = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "generateName": "one-",
                "annotations": {"flexlbf.io/attempt": attempt} if attempt else {},
            },
            "spec": {"restartPolicy": "Never", "containers": [container]},
        }
        name = plane.kubectl("create", "-f", "-", "-o", "name", input=json.dumps(pod)).strip()
        deadline = time.monotonic() + PATIENCE
        while True:
            status: dict[str, Any] = json.loads(plane.kubectl("get", name, "-o", "json"))["status"]
            if status["phase"] in {"Succeeded", "Failed"}:
                return status
            assert time.monotonic() < deadline, status
            time.sleep(0.1)

    yield run
    plane.kubectl("delete", "pods", "--all")


def the_end(status: dict[str, Any]) -> dict[str, Any]:
    """How the pod's only container ended."""
    ended: dict[str, Any] = status["containerStatuses"][0]["state"]["terminated"]
    return ended


def test_a_pod_ends_with_the_agents_message(play: Callable[..., dict[str, Any]]) -> None:
    status = play("1.25s bytes=123456")
    ended = the_end(status)
    assert (status["phase"], ended["exitCode"]) == ("Succeeded", 0)
    assert json.loads(ended["message"]) == {"bytes": 123456, "seconds": 1.25, "sha256": ""}
    assert ended["startedAt"] < ended["finishedAt"]


@pytest.mark.parametrize(("attempt", "phase"), [(None, "Failed"), ("2", "Failed"), ("3", "Succeeded")])
def test_a_pod_fails_up_to_the_attempt_that_is_said(
    play: Callable[..., dict[str, Any]], attempt: str | None, phase: str
) -> None:
    status = play("0.1s bytes=5 fail=2", attempt)
    assert status["phase"] == phase
    assert the_end(status)["exitCode"] == (phase == "Failed")
    assert ("error" in json.loads(the_end(status)["message"])) == (phase == "Failed")


@pytest.mark.parametrize("script", [None, "an hour", "5 minutes", "1s bytes=many", '"'])
def test_a_script_that_cant_be_read_is_a_failure_that_says_so(
    play: Callable[..., dict[str, Any]], script: str | None
) -> None:
    status = play(script)
    assert status["phase"] == "Failed"
    assert "no script of a played pod" in json.loads(the_end(status)["message"])["error"]


def test_a_deleted_pod_is_killed_and_goes_away(
    plane: BareControlPlane, play: Callable[..., dict[str, Any]]
) -> None:
    """As with a kubelet, it has failed before it is gone: controllers count on that."""
    play("0s")
    plane.kubectl("run", "long", "--image=none", "--restart=Never", "--env=FLEXLBF_SOURCE=1000s bytes=1")
    plane.kubectl("wait", "--for=condition=Ready", "pod/long", "--timeout=30s")
    plane.kubectl("patch", "pod", "long", "--patch", '{"metadata": {"finalizers": ["example.test/look"]}}')
    plane.kubectl("delete", "pod", "long", "--wait=false")
    plane.kubectl("wait", "--for=jsonpath={.status.phase}=Failed", "pod/long", "--timeout=30s")
    assert the_end(json.loads(plane.kubectl("get", "pod", "long", "-o", "json"))["status"])["exitCode"] == 137
    plane.kubectl("patch", "pod", "long", "--patch", '{"metadata": {"finalizers": null}}')
    plane.kubectl("wait", "--for=delete", "pod/long", "--timeout=30s")
