"""The cache never shows a half-built thing and never builds one twice."""

import subprocess
import sys
from pathlib import Path

import pytest

from localcluster import cache

HACK = Path(cache.__file__).parent.parent


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FLEXLBF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def write_one_file(target: Path) -> None:
    (target / "program").write_text("built")


def test_the_root_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, root: Path
) -> None:
    assert cache.root() == root
    monkeypatch.delenv("FLEXLBF_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.root() == tmp_path / "xdg" / "flexlbf"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.root() == tmp_path / ".cache" / "flexlbf"


def test_a_component_is_built_once(root: Path) -> None:
    first = cache.provide("thing-v1", write_one_file)
    second = cache.provide("thing-v1", lambda _: pytest.fail("built twice"))
    assert first == second == root / "thing-v1"
    assert (first / "program").read_text() == "built"


def test_a_failed_build_leaves_nothing_behind(root: Path) -> None:
    def fail(target: Path) -> None:
        write_one_file(target)
        raise RuntimeError("the compiler gave up")

    with pytest.raises(RuntimeError, match="gave up"):
        cache.provide("thing-v1", fail)
    assert {path.name for path in root.iterdir()} == {"locks"}
    assert cache.provide("thing-v1", write_one_file).exists()


def test_the_final_name_appears_only_when_the_build_is_complete(root: Path) -> None:
    def look(target: Path) -> None:
        write_one_file(target)
        assert not (root / "thing-v1").exists()

    cache.provide("thing-v1", look)


def test_processes_that_start_together_build_once(tmp_path: Path) -> None:
    program = f"""
import sys, time
sys.path.insert(0, {str(HACK)!r})
from localcluster import cache

def build(target):
    with open({str(tmp_path / "builds")!r}, "a") as log:
        log.write("built\\n")
    time.sleep(0.2)

cache.provide("thing-v1", build)
"""
    together = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(4)]
    assert [process.wait() for process in together] == [0, 0, 0, 0]
    assert (tmp_path / "builds").read_text() == "built\n"


def test_a_fingerprint_keeps_parts_apart() -> None:
    assert cache.fingerprint(["ab", "c"]) != cache.fingerprint(["a", "bc"])
    assert cache.fingerprint(["ab", b"c"]) == cache.fingerprint([b"ab", "c"])


def test_a_tree_changes_with_names_modes_and_contents(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "folder").mkdir(parents=True)
    file = tree / "folder" / "file"
    file.write_text("one")
    prints = [cache.fingerprint(cache.tree_parts(tree))]
    file.write_text("two")
    prints.append(cache.fingerprint(cache.tree_parts(tree)))
    file.chmod(0o755)
    prints.append(cache.fingerprint(cache.tree_parts(tree)))
    file.rename(tree / "folder" / "other")
    prints.append(cache.fingerprint(cache.tree_parts(tree)))
    assert len(set(prints)) == 4
