"""Listing, verifying and restoring runs."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unit.agent.harness import OBJECT, Agents


@pytest.fixture
def backed_up(agents: Agents) -> Agents:
    """A drive with one run."""
    (agents.source / "file").write_bytes(os.urandom(100_000))
    agents.run().result()
    return agents


def listed(agents: Agents) -> list[dict[str, Any]]:
    """What `list` knows."""
    ended = agents.run("list", "-o", "json")
    assert ended.status == 0, ended
    found = json.loads(ended.out)
    assert isinstance(found, list)
    return found


def flip(path: Path) -> None:
    """Turn one byte in the middle round."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def cut(path: Path) -> None:
    """Take the last byte away."""
    os.truncate(path, path.stat().st_size - 1)


def test_a_drive_tells_its_runs(backed_up: Agents) -> None:
    (run,) = listed(backed_up)
    told = backed_up.told()
    assert run | told == run
    assert (run["object"], run["state"]) == (OBJECT, "whole")
    table = backed_up.run("list").out.splitlines()
    assert table[0].split() == ["OBJECT", "STARTED", "BYTES", "SHA256", "STATE"]
    assert table[1].split() == [OBJECT, run["started"], "262k", told["sha256"][:12], "whole"]


def test_an_empty_drive_has_no_runs(agents: Agents) -> None:
    assert listed(agents) == []
    assert agents.run("verify").status == 0


@pytest.mark.parametrize(
    ("suffix", "damage", "state", "found"),
    [
        pytest.param(".tar", flip, "whole", True, id="a byte of the archive"),
        pytest.param(".tar", cut, "damaged", True, id="the end of the archive"),
        pytest.param(".tar.sha256", Path.unlink, "damaged", True, id="no checksum"),
        pytest.param(".tar.sha256", lambda path: os.truncate(path, 0), "damaged", True, id="no digest"),
        pytest.param(".tar.sha256", flip, "damaged", True, id="a byte of the checksum"),
        pytest.param(".json", Path.unlink, "damaged", False, id="no manifest"),
        pytest.param(".json", lambda path: path.write_text("[]"), "damaged", False, id="another manifest"),
        pytest.param(".json", lambda path: path.write_text("{"), "damaged", False, id="half a manifest"),
    ],
)
def test_damage_is_found(
    backed_up: Agents, tmp_path: Path, suffix: str, damage: Callable[[Path], object], state: str, found: bool
) -> None:
    """`list` sees what needs no reading, `verify` compares archive and checksum, `restore` trusts neither."""
    damage(backed_up.archive().with_suffix(suffix))
    assert [run["state"] for run in listed(backed_up)] == [state]
    verified = backed_up.run("verify")
    assert verified.status == (1 if found else 0), verified
    assert ("FAILED" in verified.out) == found
    restored = backed_up.run("restore", "--target", str(tmp_path / "target"))
    assert restored.status != 0
    assert not (tmp_path / "target").exists()


def test_what_a_dead_writer_left_is_listed_as_abandoned(agents: Agents) -> None:
    (agents.drive / ".o@20260131T220000.000000Z.tar.partial").touch()
    (agents.drive / "unrelated.tar").touch()
    assert [(run["object"], run["state"]) for run in listed(agents)] == [("o", "abandoned")]


def test_a_stream_under_way_is_listed_as_writing(agents: Agents) -> None:
    (agents.source / "file").write_bytes(os.urandom(1 << 20))
    agents.start("--rate-limit", "1k")
    agents.partial()
    assert [(run["object"], run["state"]) for run in listed(agents)] == [(OBJECT, "writing")]


def test_the_latest_run_is_restored_unless_another_is_named(backed_up: Agents, tmp_path: Path) -> None:
    (backed_up.source / "file").write_text("new")
    backed_up.run().result()
    first, second = (run["started"] for run in listed(backed_up))
    latest, old = tmp_path / "latest", tmp_path / "old"
    assert backed_up.run("restore", "--target", str(latest)).status == 0
    assert backed_up.run("restore", "--target", str(old), "--run", first).status == 0
    assert (latest / "file").read_text() == "new"
    assert (old / "file").stat().st_size == 100_000
    assert first < second


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--object", "another"], ["no whole run of 'another'"], id="another object"),
        pytest.param(["--run", "1999"], ["no whole run", "take one of 20"], id="another time"),
        pytest.param(["--run", "2"], ["several runs", "take one of 20"], id="two at once"),
        pytest.param(["--device", "/no/drive"], ["/no/drive"], id="no drive"),
        pytest.param(["--target", "/etc/passwd"], ["no directory"], id="target is a file"),
        pytest.param(["--target", "/etc"], ["not empty", "--force"], id="target is not empty"),
    ],
)
def test_a_restore_of_what_can_not_be_is_refused(
    backed_up: Agents, tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    backed_up.run().result()
    ended = backed_up.run("restore", "--target", str(tmp_path / "target"), *arguments)
    assert ended.status == 2
    assert all(word in ended.err for word in words), ended
    assert not (tmp_path / "target").exists()


def test_a_fresh_volume_counts_as_empty(backed_up: Agents, tmp_path: Path) -> None:
    target = tmp_path / "target"
    (target / "lost+found").mkdir(parents=True)
    assert backed_up.run("restore", "--target", str(target)).status == 0


def test_force_unpacks_over_what_is_there(backed_up: Agents, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (target / "file").write_text("old")
    (target / "kept").touch()
    assert backed_up.run("restore", "--target", str(target), "--force").status == 0
    assert (target / "file").stat().st_size == 100_000
    assert (target / "kept").exists()


def test_who_does_not_own_the_target_leaves_its_own_mode_alone(
    backed_up: Agents, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A volume that is root's, but open to the pod's fsGroup: changing its mode would fail."""
    target = tmp_path / "target"
    target.mkdir(mode=0o775)
    target.chmod(0o775)
    backed_up.source.chmod(0o700)
    backed_up.run().result()
    monkeypatch.setattr(os, "geteuid", lambda: target.stat().st_uid + 1)
    assert backed_up.run("restore", "--target", str(target)).status == 0
    assert target.stat().st_mode & 0o777 == 0o775
    assert (target / "file").read_bytes() == (backed_up.source / "file").read_bytes()


def test_a_restore_that_tar_can_not_finish_says_so(
    backed_up: Agents, tmp_path: Path, unprivileged: tuple[str, ...]
) -> None:
    target = tmp_path / "target"
    target.mkdir(mode=0o500)
    ended = backed_up.run_apart("restore", "--target", str(target), wrapper=unprivileged)
    assert ended.status == 1
    assert "only partly restored" in ended.err
    assert "Permission denied" in ended.err


def test_verifying_an_object_that_is_not_there_is_no_success(backed_up: Agents) -> None:
    ended = backed_up.run("verify", "--object", "another")
    assert ended.status == 2
    assert "no run of 'another'" in ended.err


@pytest.mark.parametrize("command", [[], ["backup"], ["restore"], ["list"], ["verify"]], ids=" ".join)
def test_every_command_explains_itself_with_an_example(agents: Agents, command: list[str]) -> None:
    ended = agents.run(*command, "--help")
    assert ended.status == 0
    assert "Example:\n    flexlbf agent " in ended.out
