"""Backups that go well, and what comes back from them."""

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from unit.agent.harness import OBJECT, Agents

HOLE = 64 << 20


def furnish(source: Path) -> None:
    """Fill a directory with one of everything that tar has to bring back."""
    (source / "empty").mkdir()
    (source / "plain").write_bytes(os.urandom(300_000))
    (source / "größe 尺寸").write_text("unicode")
    (source / os.fsdecode(b"latin-\xe9")).touch()
    (source / "a name\nof two lines").write_text("newline")
    (source / "-rf").write_text("looks like an option")
    (source / "link").symlink_to("plain")
    (source / "dangling").symlink_to("/nowhere/at/all")
    (source / "twin").hardlink_to(source / "plain")
    os.mkfifo(source / "pipe")
    with (source / "sparse").open("wb") as file:
        file.seek(HOLE)
        file.write(b"end")
    deep = source.joinpath(*(f"folder-{number:03}-{'x' * 40}" for number in range(10)))
    deep.mkdir(parents=True)
    (deep / ("y" * 200)).write_text("a long path")
    (source / "secret").write_text("s")
    (source / "secret").chmod(0o4710)
    (source / "empty").chmod(0o2750)
    os.utime(source / "secret", ns=(0, 1_000_000_123_456_789))


def test_a_restored_directory_is_the_one_that_was_backed_up(agents: Agents, tmp_path: Path) -> None:
    furnish(agents.source)
    agents.run().result()
    target = tmp_path / "target"
    assert agents.run("restore", "--object", OBJECT, "--target", str(target)).status == 0

    same = subprocess.run(
        ["diff", "--recursive", "--no-dereference", agents.source, target],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    told = [line for line in same.stdout.splitlines() if "is a fifo" not in line]  # diff can't compare pipes
    assert not told
    assert (target / "pipe").is_fifo()
    for name in ("secret", "empty", "plain", "."):
        before, after = (agents.source / name).stat(), (target / name).stat()
        assert (after.st_mode, after.st_mtime_ns, after.st_uid) == (
            before.st_mode, before.st_mtime_ns, before.st_uid,
        )  # fmt: skip
    assert (target / "twin").samefile(target / "plain")
    assert (target / "sparse").stat().st_size == HOLE + 3
    assert (target / "sparse").stat().st_blocks * 512 < 1 << 20
    assert agents.archive().stat().st_size < 4 << 20, "holes are not written to the drive"


def test_extended_attributes_come_back(agents: Agents, tmp_path: Path) -> None:
    file = agents.source / "file"
    file.touch()
    try:
        os.setxattr(file, "user.origin", b"here")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    agents.run().result()
    agents.run("restore", "--target", str(tmp_path / "target"))
    assert os.getxattr(tmp_path / "target" / "file", "user.origin") == b"here"


def test_the_result_is_the_last_line_and_the_termination_message(agents: Agents) -> None:
    (agents.source / "file").write_bytes(b"data")
    result = agents.run().result()
    archive = agents.archive()
    assert result == agents.told()
    assert list(result) == ["bytes", "seconds", "sha256"]
    assert result["bytes"] == archive.stat().st_size
    assert result["sha256"] == hashlib.sha256(archive.read_bytes()).hexdigest()
    assert 0 < result["seconds"] < 20


def test_sha256sum_agrees_with_the_checksum_beside_the_archive(agents: Agents) -> None:
    agents.run()
    checksum = agents.archive().with_suffix(".tar.sha256")
    assert checksum.is_file()
    check = subprocess.run(["sha256sum", "--check", "--strict", checksum], cwd=agents.drive, check=False)
    assert check.returncode == 0


def test_the_manifest_tells_what_the_run_was(agents: Agents) -> None:
    result = agents.run("--drive", "d1", "--session", "nightly/1").result()
    manifest = json.loads(agents.archive().with_suffix(".json").read_text())
    assert manifest | result == manifest
    assert (manifest["object"], manifest["drive"], manifest["session"]) == (OBJECT, "d1", "nightly/1")
    assert manifest["source"] == str(agents.source)
    assert manifest["started"] < manifest["finished"]
    assert agents.archive().stem.endswith("Z+nightly%2F1")


def test_only_three_files_are_left_on_the_drive(agents: Agents) -> None:
    agents.run()
    assert [path.suffixes[-1] for path in agents.files()] == [".json", ".tar", ".sha256"]
    assert {path.stat().st_mode & 0o777 for path in agents.files()} <= {0o640, 0o600}


def test_an_empty_source_is_a_backup_too(agents: Agents, tmp_path: Path) -> None:
    agents.run().result()
    assert agents.run("restore", "--target", str(tmp_path / "target")).status == 0
    assert list((tmp_path / "target").iterdir()) == []


@pytest.mark.parametrize(
    ("size", "bytes_"), [("512", 512), ("64k", 64_000), ("256Ki", 1 << 18), ("1Mi", 1 << 20)]
)
def test_the_stream_is_a_whole_number_of_blocks(agents: Agents, size: str, bytes_: int) -> None:
    (agents.source / "file").write_bytes(bytes(100_001))
    result = agents.run("--block-size", size).result()
    assert result["bytes"] % bytes_ == 0
    assert agents.run("verify").status == 0


def test_options_need_no_command_in_front(agents: Agents) -> None:
    agents.run("--object", "another").result()
    assert agents.archive().name.startswith("another@")


def test_the_lost_and_found_of_a_fresh_volume_is_left_out(
    agents: Agents, unprivileged: tuple[str, ...]
) -> None:
    (agents.source / "lost+found").mkdir(mode=0o000)
    (agents.source / "below").mkdir()
    (agents.source / "below" / "lost+found").write_text("a file of that name elsewhere is data")
    agents.run_apart(wrapper=unprivileged).result()
    listed = subprocess.run(["tar", "-tf", agents.archive()], check=True, capture_output=True, text=True)
    assert listed.stdout.splitlines() == ["./", "./below/", "./below/lost+found"]


def test_variables_that_steer_tar_do_not_reach_it(agents: Agents) -> None:
    (agents.source / "kept").touch()
    agents.run(TAR_OPTIONS="--exclude=kept").result()
    listed = subprocess.run(["tar", "-tf", agents.archive()], check=True, capture_output=True, text=True)
    assert "./kept" in listed.stdout


def test_progress_is_told_now_and_then(agents: Agents) -> None:
    (agents.source / "file").write_bytes(os.urandom(1 << 20))
    ended = agents.run("--rate-limit", "2M", "--block-size", "64Ki", "--progress-every", "0.1")
    lines = [line for line in ended.out.splitlines() if line.startswith(f"{OBJECT}: ")]
    assert len(lines) >= 2
    assert all("B/s" in line for line in lines)


def test_the_rate_limit_holds(agents: Agents) -> None:
    """A busy machine may be slower, never faster; how exact the limit is, the tests of pacing tell."""
    (agents.source / "file").write_bytes(os.urandom(2 << 20))
    result = agents.run("--rate-limit", "2M", "--block-size", "64Ki").result()
    assert 3e5 < result["bytes"] / result["seconds"] < 2.2e6


def test_a_log_that_nobody_reads_fails_no_backup(agents: Agents) -> None:
    process = agents.start("--rate-limit", "1M", "--progress-every", "0.05", "--block-size", "64Ki")
    assert process.stdout is not None
    process.stdout.close()
    process.wait(timeout=20)
    assert agents.told()["bytes"] == agents.archive().stat().st_size


def test_a_name_with_control_characters_forges_no_line_of_the_log(agents: Agents) -> None:
    (agents.source / "file").write_bytes(os.urandom(1_500_000))
    ended = agents.run("--object", "evil\n{}", "--rate-limit", "1M", "--progress-every", "0.1")
    assert ended.result()
    assert "{}" not in ended.out.splitlines()
    assert "evil\\n" in ended.out


def test_the_agent_carries_neither_the_cluster_client_nor_the_event_framework(agents: Agents) -> None:
    program = "import atexit, sys; atexit.register(lambda: print(sorted(sys.modules)))"
    ended = agents.run_apart("list", setup=program)
    loaded = ended.out.splitlines()[-1]
    assert "'click'" in loaded
    assert not [
        name for name in ("kubernetes", "kopf", "pydantic", "aiohttp", "rich") if f"'{name}'" in loaded
    ]


def test_tar_is_found_where_the_path_says(agents: Agents, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    tar = shutil.which("tar")
    assert tar is not None
    (tools / "tar").symlink_to(tar)
    agents.run(PATH=str(tools)).result()
