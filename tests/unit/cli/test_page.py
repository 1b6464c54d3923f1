"""Text and tables look right in a terminal of any width, and in a pipe."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from unit.cli.conftest import ESTIMATES
from unit.cli.terminal import PROGRAM, a_file, program

SITE = ("--drives", "4", "--max-agents", "10", "--max-throughput", "80")
LONG_NAME = "fileserver-07.storage.example.com:/export/projects/" + "archive/" * 8 + "2026"


@pytest.fixture
def long_names(tmp_path: Path) -> Path:
    return a_file(tmp_path, ESTIMATES, f"{LONG_NAME},7200,30", f"{LONG_NAME}-b,3600,20")


def on_terminal(columns: int, *arguments: object, **environment: str) -> str:
    """What a terminal of so many columns is sent."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    unset = {"COLUMNS", "NO_COLOR", "FORCE_COLOR"}
    inherited = {name: value for name, value in os.environ.items() if name not in unset}
    with subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=inherited | {"TERM": "xterm-256color"} | environment,
    ) as process:
        os.close(theirs)
        sent = b""
        while chunk := read(ours):
            sent += chunk
    os.close(ours)
    assert process.returncode == 0
    return sent.decode().replace("\r\n", "\n")


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux's way to say that the other side is closed
        return b""


@pytest.mark.parametrize("command", ["simulate", "tune"])
def test_a_pipe_gets_plain_text_without_trailing_blanks(command: str, long_names: Path):
    out = program(command, long_names, *SITE).out
    assert out.isascii()
    assert "\x1b" not in out
    assert all(line == line.rstrip() for line in out.splitlines())
    assert "\n\n\n" not in out
    assert out.endswith("\n")
    assert not out.endswith("\n\n")


def test_names_stay_whole_in_a_pipe(long_names: Path):
    lines = program("simulate", long_names, *SITE).out.splitlines()
    assert any(line.startswith(f"{LONG_NAME}-b  ") for line in lines)


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("command", ["simulate", "tune"])
def test_nothing_is_wider_than_the_terminal(command: str, columns: int, jobs: Path, long_names: Path):
    for path in (jobs, long_names):
        plain = on_terminal(columns, command, path, *SITE, NO_COLOR="1")
        lines = plain.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "").splitlines()
        # A sentence with a name that is longer than a line is the one exception.
        assert all(len(line) <= columns or LONG_NAME in line for line in lines)


def test_a_narrow_terminal_folds_names_and_loses_nothing(long_names: Path):
    out = on_terminal(80, "simulate", long_names, *SITE, TERM="dumb")
    folded = "".join(line.split("  ")[0] for line in out.splitlines())
    assert f"{LONG_NAME}-b" in folded.replace(" ", "")


def test_a_terminal_shows_what_matters_in_bold(jobs: Path):
    assert on_terminal(80, "tune", jobs, *SITE).startswith("\x1b[1mUse 2 of the 4 drives")
