"""A kubeconfig is written whole or not at all, and its owner alone reads it."""

import json
from pathlib import Path

import pytest

from localcluster import kubeconfig


def _written(path: Path, token: str) -> Path:
    certificate = path.with_name("ca.crt")
    return kubeconfig.write(
        path, server="https://127.0.0.1:6443", certificate=certificate, user="admin", token=token
    )


def _token(path: Path) -> str:
    return str(json.loads(path.read_text())["users"][0]["user"]["token"])


def test_its_owner_alone_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "admin.kubeconfig"
    path.touch(mode=0o644)
    assert _written(path, "secret") == path
    assert path.stat().st_mode & 0o777 == 0o600
    assert _token(path) == "secret"
    assert list(tmp_path.iterdir()) == [path]


def test_two_may_write_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second begins and ends while the first has written all and not yet put it into place."""
    path, replace = tmp_path / "admin.kubeconfig", Path.replace

    def interrupted(new: Path, target: Path) -> Path:
        monkeypatch.setattr(Path, "replace", replace)
        _written(path, "second")
        assert _token(path) == "second"
        return replace(new, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    _written(path, "first")
    assert _token(path) == "first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("failing", [(Path, "replace"), (json, "dump")])
def test_one_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: tuple[object, str]
) -> None:
    """And nothing beside it."""
    path = _written(tmp_path / "admin.kubeconfig", "old")

    def fails(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(*failing, fails)
    with pytest.raises(OSError, match="no space"):
        _written(path, "new")
    assert _token(path) == "old"
    assert list(tmp_path.iterdir()) == [path]
