"""Many streams on one virtual tape."""

import fcntl
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flexlbf.agent.manifest import Manifest, Result
from flexlbf.agent.names import RunName
from flexlbf.agent.virtualtape import VirtualTape, is_live, partials, sweep
from unit.agent.harness import Agents, until

NAME = RunName.of("o", datetime(2026, 1, 31, 22, 0, tzinfo=UTC))
MANIFEST = Manifest("o", "", "", "", None, None, 512, Result(3, 1.0, "0" * 64))


@pytest.mark.slow
def test_two_backups_of_one_object_at_once_are_two_whole_runs(agents: Agents) -> None:
    (agents.source / "file").write_bytes(os.urandom(1 << 20))
    slow = ("--rate-limit", "500k", "--block-size", "64Ki")
    running = [agents.start(*slow), agents.start(*slow)]
    until(lambda: len(agents.files("*.partial")) == 2)
    results = [agents.end(process).result() for process in running]
    assert len(agents.files("*.tar")) == 2
    assert agents.files("*.partial") == []
    assert agents.run("verify").out.count(": OK") == 2
    assert all(result["bytes"] == agents.files("*.tar")[0].stat().st_size for result in results)


def test_writers_that_start_in_the_same_microsecond_get_names_of_their_own(tmp_path: Path) -> None:
    writers = 24

    def write(number: int) -> str:
        with VirtualTape(tmp_path, NAME) as tape:
            tape.write(memoryview(b"%03d" % number))
            tape.seal()
            tape.publish(MANIFEST)
        return tape.name.archive

    with ThreadPoolExecutor(writers) as pool:
        names = list(pool.map(write, range(writers)))
    assert len(set(names)) == writers
    for number, name in enumerate(names):
        assert (tmp_path / name).read_bytes() == b"%03d" % number
    assert len(list(tmp_path.iterdir())) == 3 * writers


def test_a_name_is_not_taken_twice_even_after_its_writer_is_done(tmp_path: Path) -> None:
    names = []
    for _ in range(2):
        with VirtualTape(tmp_path, NAME) as tape:
            tape.publish(MANIFEST)
        names.append(tape.name)
    assert names[0] == NAME
    assert names[1].started > NAME.started
    assert partials(tmp_path) == []


def test_sweeping_spares_the_living(tmp_path: Path) -> None:
    with VirtualTape(tmp_path, NAME) as tape:
        assert is_live(tmp_path, NAME)
        assert sweep(tmp_path, NAME.object) == []
        tape.publish(MANIFEST)
    assert (tmp_path / NAME.archive).exists()


def test_sweeping_takes_all_that_a_dead_writer_left(tmp_path: Path) -> None:
    for left in (NAME.partial, NAME.checksum, NAME.manifest):
        (tmp_path / left).touch()
    assert not is_live(tmp_path, NAME)
    assert sweep(tmp_path, NAME.object) == [NAME]
    assert list(tmp_path.iterdir()) == []


def test_a_file_system_without_locks_is_written_but_never_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(_file: int, _operation: int) -> None:
        raise OSError(95, "Operation not supported")

    (tmp_path / NAME.partial).touch()
    monkeypatch.setattr(fcntl, "flock", no_locks)
    with VirtualTape(tmp_path, NAME) as tape:
        tape.publish(MANIFEST)
    assert (tmp_path / tape.name.archive).exists()
    assert partials(tmp_path) == [NAME]
    assert is_live(tmp_path, NAME)


def test_sweeping_a_name_that_a_whole_run_has_spares_the_run(tmp_path: Path) -> None:
    """A writer that looked for a free name died before it saw that this one is taken."""
    with VirtualTape(tmp_path, NAME) as tape:
        tape.publish(MANIFEST)
    (tmp_path / NAME.partial).touch()
    assert sweep(tmp_path, NAME.object) == [NAME]
    assert sorted(path.name for path in tmp_path.iterdir()) == [NAME.manifest, NAME.archive, NAME.checksum]


def test_a_writer_that_gives_up_leaves_nothing(tmp_path: Path) -> None:
    with VirtualTape(tmp_path, NAME) as tape:
        tape.write(memoryview(b"half"))
    assert list(tmp_path.iterdir()) == []


def test_the_checksum_is_there_before_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks at the very moment of the rename finds all of it."""
    rename = Path.rename

    def look(path: Path, target: Path) -> Path:
        assert (tmp_path / NAME.checksum).read_text() == f"{MANIFEST.result.sha256}  {NAME.archive}\n"
        assert Manifest.from_text((tmp_path / NAME.manifest).read_text()) == MANIFEST
        assert not (tmp_path / NAME.archive).exists()
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", look)
    with VirtualTape(tmp_path, NAME) as tape:
        tape.publish(MANIFEST)
    assert (tmp_path / NAME.archive).exists()
