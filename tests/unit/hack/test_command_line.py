"""What a person types and what they are told."""

import io
import time
from pathlib import Path

import pytest

from localcluster import cli, kind, progress
from localcluster.errors import LocalClusterError
from localcluster.kind import KindCluster


def test_kind_up_prints_only_the_path_of_the_kubeconfig(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("FLEXLBF_CACHE", str(tmp_path / "cache"))
    seen: list[object] = []

    def up(name: str, mounts: dict[Path, str]) -> KindCluster:
        seen.extend([name, mounts])
        return KindCluster(name)

    monkeypatch.setattr(kind, "up", up)
    assert cli.main(["kind-up", "--name", "demo", "--mount", f"{tmp_path}:/tapes"]) == 0
    assert seen == ["demo", {tmp_path: "/tapes"}]
    assert capsys.readouterr().out == f"{tmp_path}/cache/kind/demo.kubeconfig\n"


def test_a_mount_needs_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["kind-up", "--mount", "/tapes"])
    assert "is not HOST_DIR:NODE_DIR" in capsys.readouterr().err


def test_a_problem_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def down(_: str) -> None:
        raise LocalClusterError("install Docker")

    monkeypatch.setattr(kind, "down", down)
    assert cli.main(["kind-down"]) == 1
    assert capsys.readouterr().err == "error: install Docker\n"


def test_a_failing_tool_shows_the_end_of_its_log_and_how_to_retry(tmp_path: Path) -> None:
    run = progress.Run(tmp_path / "log", "make again")
    with pytest.raises(LocalClusterError) as told:
        run("sh", "-c", "seq 100; exit 2")
    assert "exit code 2" in str(told.value)
    assert "    100\n" in str(told.value)
    assert "    1\n" not in str(told.value)
    assert "To try again: make again" in str(told.value)


def test_a_long_step_shows_that_it_is_alive(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "HEARTBEAT_SECONDS", 0.02)
    with progress.step("Building etcd", "a minute"):
        time.sleep(0.3)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Building etcd (usually a minute) …"
    assert lines[1].startswith("  … still at it after 0.")
    assert lines[-1].startswith("  done in 0.")


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.04, "0.0 s"), (9.96, "10.0 s"), (42, "42 s"), (125, "2 min 5 s")]
)
def test_durations_read_as_a_person_says_them(seconds: float, said: str) -> None:
    assert progress.duration(seconds) == said


def test_a_tools_input_comes_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(io.BytesIO(b"hello").getvalue())
    progress.Run(tmp_path / "log", "again")("cat", source=tmp_path / "input")
    assert (tmp_path / "log").read_text() == "$ cat\nhello"


def test_the_reason_why_kind_cannot_run_is_found_without_starting_anything(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FLEXLBF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    assert "no Docker daemon answers there" in str(kind.can_run_kind())
    assert not (tmp_path / "cache").exists()
