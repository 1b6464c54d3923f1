"""Programs of a group end with it, and with the one that started it, and leave no directory."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from localcluster import ports, processes
from localcluster.errors import LocalClusterError

HACK = Path(processes.__file__).parent.parent


@pytest.fixture(autouse=True)
def cache_of_our_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLEXLBF_CACHE", str(tmp_path))


@pytest.fixture
def group() -> Iterator[processes.ProcessGroup]:
    started = processes.ProcessGroup("flexlbf-test-")
    yield started
    started.stop()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for_end(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_alive(pid)


def test_stop_ends_everything_and_may_be_called_again(group: processes.ProcessGroup) -> None:
    group.start("one", ["sleep", "600"])
    group.start("two", ["sleep", "600"])
    pids = group.pids().values()
    group.stop()
    assert not any(map(is_alive, pids))
    assert not group.directory.exists()
    group.stop()


def test_one_program_can_be_ended_and_started_again(group: processes.ProcessGroup) -> None:
    group.start("one", ["sleep", "600"])
    first = group.pids()["one"]
    group.kill("one")
    assert not is_alive(first)
    group.start("one", ["sleep", "600"])
    group.check()
    assert is_alive(group.pids()["one"])


def test_a_program_that_ends_by_itself_is_reported_with_its_last_words(group: processes.ProcessGroup) -> None:
    group.start("one", ["sh", "-c", "echo no such flag >&2; exit 3"])
    assert wait_for_end(group.pids()["one"])
    with pytest.raises(LocalClusterError, match=r"(?s)one ended by itself \(exit code 3\).*no such flag"):
        group.check()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_outlives_a_starter_that_is_killed(number: signal.Signals) -> None:
    program = f"""
import sys, time
sys.path.insert(0, {str(HACK)!r})
from localcluster.processes import ProcessGroup
group = ProcessGroup("flexlbf-test-")
group.start("one", ["sleep", "600"])
print(group.pids()["one"], group.directory, flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        pid, directory = starter.stdout.readline().split()
        assert is_alive(int(pid))
        os.kill(starter.pid, number)
        starter.wait()
    assert wait_for_end(int(pid))
    deadline = time.monotonic() + 10
    while Path(directory).exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(directory).exists()


def test_a_claimed_port_is_claimed_by_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "FIRST", 20000)
    monkeypatch.setattr(ports, "LAST", 20499)
    claims = [ports.claim() for _ in range(200)]
    assert len({claim.number for claim in claims}) == 200
    for claim in claims:
        claim.release()
