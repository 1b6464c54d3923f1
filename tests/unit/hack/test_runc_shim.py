"""The runtime asks runc for nothing that a host without CAP_SYS_RESOURCE cannot give."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from localcluster import runc_shim


def process(**changes: Any) -> dict[str, Any]:
    allowed = ["CAP_CHOWN", "CAP_SYS_RESOURCE"]
    return {
        "capabilities": {"bounding": list(allowed), "effective": list(allowed)},
        "args": ["sh"],
        **changes,
    }


def test_the_missing_capability_is_not_asked_for() -> None:
    wanted = process()
    runc_shim.clean(wanted)
    assert wanted["capabilities"] == {"bounding": ["CAP_CHOWN"], "effective": ["CAP_CHOWN"]}
    assert wanted["args"] == ["sh"]


@pytest.mark.parametrize(("asked", "given"), [(-999, 0), (0, 0), (500, 500)])
def test_an_oom_score_is_never_lowered(asked: int, given: int) -> None:
    wanted = process(oomScoreAdj=asked)
    runc_shim.clean(wanted)
    assert wanted["oomScoreAdj"] == given


def test_a_hard_limit_is_never_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    wanted = process(rlimits=[{"type": "RLIMIT_NOFILE", "soft": 65536, "hard": 1048576}])
    runc_shim.clean(wanted)
    assert wanted["rlimits"] == [{"type": "RLIMIT_NOFILE", "soft": 4096, "hard": 4096}]


@pytest.mark.parametrize("sparse", [{}, {"capabilities": None, "rlimits": None, "oomScoreAdj": None}])
def test_a_sparse_description_is_left_alone(sparse: dict[str, Any]) -> None:
    wanted = dict(sparse)
    runc_shim.clean(wanted)
    assert wanted == sparse


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        (["--root", "/run/x", "--log-format", "json", "create", "--bundle", "/b", "id"], "/b/config.json"),
        (["--systemd-cgroup", "run", "--bundle=/b", "id"], "/b/config.json"),
        (["create", "id"], "config.json"),
        (["--log", "/l", "exec", "--process", "/p/process123", "-d", "id"], "/p/process123"),
        (["exec", "id", "ls"], None),
        (["kill", "id", "9"], None),
        (["--version"], None),
        ([], None),
    ],
)
def test_the_description_is_found_behind_any_flags(arguments: list[str], path: str | None) -> None:
    assert runc_shim.described_in(arguments) == (Path(path) if path else None)


def test_the_program_cleans_and_then_becomes_runc(tmp_path: Path) -> None:
    runc = tmp_path / "runc"
    runc.write_text('#!/bin/sh\necho "runc $*"\n')
    runc.chmod(0o755)
    (tmp_path / "config.json").write_text(json.dumps({"process": process(), "root": {"path": "r"}}))
    said = subprocess.run(
        [sys.executable, "-IS", runc_shim.__file__, "create", "--bundle", str(tmp_path), "id"],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout == f"runc create --bundle {tmp_path} id\n"
    written = json.loads((tmp_path / "config.json").read_text())
    assert written["root"] == {"path": "r"}
    assert "CAP_SYS_RESOURCE" not in json.dumps(written)
