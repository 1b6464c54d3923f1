"""Backups that fail: one line that tells why, a status, and nothing on the drive that looks whole."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from unit.agent.harness import OBJECT, Agents, Ended, Process, until

SLOW = ("--rate-limit", "1M", "--block-size", "64Ki")


@pytest.fixture
def filled(agents: Agents) -> Agents:
    """A source that takes a while."""
    (agents.source / "file").write_bytes(os.urandom(8 << 20))
    return agents


def assert_failed(agents: Agents, ended: Ended, *words: str, status: int = 1) -> None:
    """The backup failed as it should, and told so in one line."""
    assert ended.status == status, ended
    assert "Traceback" not in ended.err, ended.err
    assert agents.message.exists(), ended
    error = agents.told()["error"]
    assert list(agents.told()) == ["error"]
    assert "\n" not in error
    for word in words:
        assert word in error
        assert word in ended.err
    if agents.drive.is_dir():
        assert agents.files() == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_stopped_backup_takes_its_traces_away(filled: Agents, number: signal.Signals) -> None:
    process = filled.start(*SLOW)
    filled.partial()
    while process.poll() is None:  # whoever is impatient changes nothing
        process.send_signal(number)
    assert_failed(filled, filled.end(process), f"stopped by {number.name}")


def test_a_stop_is_heard_during_the_long_wait_of_a_low_rate_limit(filled: Agents) -> None:
    process = filled.start("--rate-limit", "1k")
    filled.partial()
    process.terminate()
    assert_failed(filled, filled.end(process), "stopped by SIGTERM")


def test_a_killed_agent_leaves_only_what_the_next_backup_removes(filled: Agents) -> None:
    process = filled.start(*SLOW)
    partial = filled.partial()
    process.kill()
    process.wait()
    assert filled.files() == [partial]
    assert partial.name.startswith(".")

    filled.run("--object", "another").result()
    assert partial.exists(), "another object's is not ours to judge"
    filled.run().result()
    assert not partial.exists()


def test_a_full_drive_is_told(filled: Agents) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))"
    assert_failed(
        filled,
        filled.run_apart(setup=limit),
        f"cannot write to {filled.drive}",
        "File too large",
        "another drive",
    )


def test_a_drive_that_fills_up_at_the_last_moment_shows_no_archive(agents: Agents) -> None:
    """The stream fits, but its manifest no longer does."""
    fault = (
        "import errno, flexlbf.agent.manifest as m\n"
        "def full(self): raise OSError(errno.ENOSPC, 'No space left on device')\n"
        "m.Manifest.to_text = full\n"
    )
    assert_failed(agents, agents.run_apart(setup=fault + "pass"), "No space left on device", "free space")


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        pytest.param({"FLEXLBF_SOURCE_PATH": "/no/source"}, 2, ["/no/source", "mounted"], id="no source"),
        pytest.param({"FLEXLBF_SOURCE_PATH": "/dev/null"}, 2, ["/dev/null"], id="source is no directory"),
        pytest.param({"FLEXLBF_SOURCE_PATH": ""}, 2, ["source"], id="source not given"),
        pytest.param({"FLEXLBF_DEVICE": "/no/drive"}, 2, ["/no/drive", "mounted"], id="no drive"),
        pytest.param({"FLEXLBF_DEVICE": "/etc/passwd"}, 2, ["neither a directory nor"], id="drive is a file"),
        pytest.param(
            {"FLEXLBF_DEVICE": "/dev/full"}, 1, ["/dev/full", "at its end", "load"], id="tape is full"
        ),
        pytest.param({"FLEXLBF_OBJECT": ""}, 2, ["object"], id="object not given"),
        pytest.param({"FLEXLBF_BLOCK_SIZE": "1000"}, 2, ["multiple of 512"], id="odd block size"),
        pytest.param({"FLEXLBF_BLOCK_SIZE": "1Gi"}, 2, ["up to 16Mi"], id="huge block size"),
        pytest.param({"FLEXLBF_BLOCK_SIZE": "many"}, 2, ["many", "80M"], id="block size is no amount"),
        pytest.param({"FLEXLBF_RATE_LIMIT": "-1"}, 2, ["-1", "above zero"], id="negative rate limit"),
        pytest.param({"PATH": "/nowhere"}, 1, ["no tar", "GNU tar"], id="no tar"),
    ],
)
def test_what_can_not_be_is_told_in_one_line(
    agents: Agents, change: dict[str, str], status: int, words: list[str]
) -> None:
    assert_failed(agents, agents.run(**change), *words, status=status)


def test_an_unknown_option_is_bad_input(agents: Agents) -> None:
    ended = agents.run("--frobnicate")
    assert ended.status == 2
    assert "--frobnicate" in ended.err


def test_a_drive_within_the_source_would_feed_on_itself(agents: Agents) -> None:
    ended = agents.run(FLEXLBF_SOURCE_PATH=str(agents.source.parent))
    assert_failed(agents, ended, "back itself up", status=2)


@pytest.mark.parametrize("inside", [False, True], ids=["the source itself", "a file in it"])
def test_a_source_that_may_not_be_read_fails_the_backup(
    agents: Agents,
    unprivileged: tuple[str, ...],
    inside: bool,
) -> None:
    (agents.source / "open").touch()
    (agents.source / "secret").touch()
    closed = agents.source / "secret" if inside else agents.source
    closed.chmod(0)
    try:
        ended = agents.run_apart(wrapper=unprivileged)
    finally:
        closed.chmod(0o700)
    assert_failed(agents, ended, "Permission denied", "run the pod as a user", closed.name)


def test_a_drive_that_may_not_be_written_fails_the_backup(
    agents: Agents, unprivileged: tuple[str, ...]
) -> None:
    agents.drive.chmod(0o500)
    assert_failed(
        agents, agents.run_apart(wrapper=unprivileged), str(agents.drive), "Permission denied", "fsGroup"
    )


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["SIGKILL", "SIGTERM"])
def test_a_killed_tar_fails_the_backup(filled: Agents, number: signal.Signals) -> None:
    process = filled.start(*SLOW)
    filled.partial()
    os.kill(child(process), number)
    assert_failed(filled, filled.end(process), "killed", number.name)


def child(process: Process) -> int:
    """The process of an agent's tar."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return int(until(lambda: children.read_text().split())[0])


@pytest.mark.parametrize(
    ("script", "words"),
    [
        pytest.param(
            "echo 'unrecognized option' >&2; exit 1", ["unrecognized option"], id="knows no options"
        ),
        pytest.param("exit 0", ["GNU tar"], id="writes nothing"),
        pytest.param("head -c 262144 /dev/urandom", ["GNU tar"], id="does not end the archive"),
        pytest.param("head -c 10240 /dev/zero", ["GNU tar"], id="does not fill its block"),
    ],
)
def test_a_tar_that_is_not_gnus_is_found_out(
    agents: Agents, tmp_path: Path, script: str, words: list[str]
) -> None:
    """BusyBox's tar exits with 1 on an unknown option, which from GNU tar means a changed file."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "tar").write_text(f"#!/bin/sh\n{script}\n")
    (tools / "tar").chmod(0o755)
    assert_failed(agents, agents.run(PATH=f"{tools}:{os.environ['PATH']}"), *words)


def test_tar_says_no_end_of_lines_without_blocking(agents: Agents, tmp_path: Path) -> None:
    """A full pipe of remarks would stop tar for ever."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "tar").write_text("#!/bin/sh\nyes 'tar: x: Cannot open' | head -n 20000 >&2\nexit 2\n")
    (tools / "tar").chmod(0o755)
    assert_failed(agents, agents.run(PATH=f"{tools}:{os.environ['PATH']}"), "tar: x: Cannot open")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda file: os.truncate(file, 9 << 20), id="grows"),
        pytest.param(lambda file: os.truncate(file, 5 << 20), id="shrinks"),
    ],
)
def test_a_file_that_changes_is_a_warning_and_no_failure(
    filled: Agents, tmp_path: Path, change: Callable[[Path], object]
) -> None:
    """Backups of live file systems would hardly ever succeed otherwise."""
    device = tmp_path / "tape"
    os.mkfifo(device)
    process = filled.start(FLEXLBF_DEVICE=str(device))
    with device.open("rb") as tape:
        tape.read(1 << 20)
        change(filled.source / "file")
        while tape.read(1 << 20):
            pass
    ended = filled.end(process)
    assert ended.result()["warnings"] >= 1
    assert "warning: tar: ./file: " in ended.out


def test_a_termination_message_that_can_not_be_written_is_only_a_warning(agents: Agents) -> None:
    ended = agents.run(FLEXLBF_TERMINATION_MESSAGE="/no/where")
    assert ended.result()["bytes"] == agents.archive().stat().st_size
    assert "warning: cannot write the termination message" in ended.out


def test_a_failed_backup_leaves_older_runs_alone(filled: Agents) -> None:
    filled.run().result()
    before = filled.files()
    process = filled.start(*SLOW, "--object", OBJECT)
    filled.partial()
    process.terminate()
    assert filled.end(process).status == 1
    assert filled.files() == before
