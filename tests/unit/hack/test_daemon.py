"""Only the Docker daemon that was started from here is ever stopped."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from localcluster import daemon


@pytest.fixture(autouse=True)
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FLEXLBF_CACHE", str(tmp_path))
    (tmp_path / "docker").mkdir()
    return tmp_path / "docker" / "started.json"


@pytest.fixture
def sleeper() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(["sleep", "600"]) as running:
        yield running
        running.kill()


def test_a_daemon_that_was_there_before_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    daemon.stop()
    assert "no Docker daemon was started from here" in capsys.readouterr().err


def test_another_process_with_the_same_number_is_left_alone(
    records: Path, sleeper: "subprocess.Popen[bytes]"
) -> None:
    records.write_text(json.dumps({"by": "hand", "pid": sleeper.pid, "birth": "1"}))
    daemon.stop()
    assert sleeper.poll() is None
    assert not records.exists()


def test_the_daemon_that_we_started_is_ended(records: Path, sleeper: "subprocess.Popen[bytes]") -> None:
    birth = daemon._birth(sleeper.pid)
    records.write_text(json.dumps({"by": "hand", "pid": sleeper.pid, "birth": birth}))
    daemon.stop()
    assert sleeper.wait() == -15
    assert not records.exists()


@pytest.mark.parametrize(("bounding", "has"), [("000001ffffffffff", True), ("000001fffeffffff", False)])
def test_the_capability_is_read_from_the_bounding_set(
    monkeypatch: pytest.MonkeyPatch, bounding: str, has: bool
) -> None:
    monkeypatch.setattr(Path, "read_text", lambda _: f"Name:\tx\nCapBnd:\t{bounding}\n")
    assert daemon.has_sys_resource() is has
