"""Tape devices. No test machine has a tape drive, so other devices stand for what they share with one.

A named pipe gives back what was written; `/dev/null` and `/dev/full` are character devices that take all
and nothing. What only a drive has (filemarks, positions, end of medium) is not tested here.
"""

import fcntl
import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from unit.agent.harness import Agents, until


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    """A named pipe in the place of a tape device."""
    path = tmp_path / "nst0"
    os.mkfifo(path)
    return path


def test_the_checksum_covers_exactly_what_is_on_the_tape(agents: Agents, tape: Path, tmp_path: Path) -> None:
    (agents.source / "file").write_bytes(os.urandom(700_001))
    process = agents.start(FLEXLBF_DEVICE=str(tape), FLEXLBF_BLOCK_SIZE="64Ki")
    with tape.open("rb") as reader:
        stream = reader.read()
    result = agents.end(process).result()
    assert result["bytes"] == len(stream)
    assert result["sha256"] == hashlib.sha256(stream).hexdigest()
    assert len(stream) % (64 << 10) == 0
    target = tmp_path / "target"
    target.mkdir()
    subprocess.run(["tar", "-xf", "-", "-C", target], input=stream, check=True)
    assert (target / "file").read_bytes() == (agents.source / "file").read_bytes()


def test_checksum_and_manifest_go_where_they_are_told_to(agents: Agents) -> None:
    result = agents.run("--checksum-dir", str(agents.drive), FLEXLBF_DEVICE="/dev/null").result()
    manifest, checksum = agents.files()
    assert manifest.suffix == ".json"
    digest, name = checksum.read_text().split()
    assert digest == result["sha256"]
    assert checksum.name == f"{name}.sha256"


def test_a_tape_device_takes_one_stream_at_a_time(agents: Agents, tape: Path) -> None:
    other = os.open(tape, os.O_RDWR)
    fcntl.flock(other, fcntl.LOCK_EX)
    ended = agents.run(FLEXLBF_DEVICE=str(tape))
    os.close(other)
    assert ended.status == 1
    assert f"{tape} is in use" in agents.told()["error"]
    assert "one stream at a time" in agents.told()["error"]


def test_a_stopped_backup_lets_the_tape_go(agents: Agents, tape: Path) -> None:
    (agents.source / "file").write_bytes(os.urandom(4 << 20))
    process = agents.start(FLEXLBF_DEVICE=str(tape))
    with tape.open("rb") as reader:
        reader.read(1)  # and then the writer blocks, as on a tape that is being positioned
        process.terminate()
        ended = agents.end(process)
        fcntl.flock(reader, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert ended.status == 1
    assert "stopped by SIGTERM" in agents.told()["error"]


def test_a_tape_that_goes_away_is_told(agents: Agents, tape: Path) -> None:
    (agents.source / "file").write_bytes(os.urandom(4 << 20))
    process = agents.start(FLEXLBF_DEVICE=str(tape), FLEXLBF_BLOCK_SIZE="4Ki")  # a pipe takes these at once
    with tape.open("rb") as reader:
        reader.read(1)
    assert agents.end(process).status == 1
    assert f"cannot write to {tape}: Broken pipe" in agents.told()["error"]


def test_a_device_that_takes_part_of_a_block_is_at_its_end(agents: Agents, tape: Path) -> None:
    """The rest of the block must not become a block of its own."""
    (agents.source / "file").write_bytes(os.urandom(1 << 20))
    short = "import os; write = os.write; os.write = lambda file, block: write(file, block[:100])"
    process = agents.start(setup=short, FLEXLBF_DEVICE=str(tape))
    with tape.open("rb") as reader:
        assert len(reader.read()) == 100
    assert agents.end(process).status == 1
    assert "the tape is at its end" in agents.told()["error"]


def test_the_filemark_comes_before_success(agents: Agents, tape: Path) -> None:
    """Closing is where a drive tells of what it could not write; until then nothing is a result."""
    process = agents.start(FLEXLBF_DEVICE=str(tape))
    with tape.open("rb") as reader:
        reader.read()
        until(lambda: process.poll() is not None)
    assert agents.end(process).status == 0
