"""`flexlbf` itself: help, version, completion, and commands that import only what they need."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from flexlbf.cli.main import COMMANDS
from unit.cli.conftest import ESTIMATES
from unit.cli.terminal import PROGRAM, a_file, flexlbf, program

HEAVY = ("rich", "yaml", "pydantic", "kubernetes", "kopf", "aiohttp")
SITE = ("--drives", "4", "--max-agents", "10", "--max-throughput", "80")


def imported_by(*arguments: object) -> set[str]:
    """The packages among `HEAVY` that a run of a command imports."""
    probe = (
        "import atexit, json, sys; from flexlbf.cli.main import main; "
        f"report = lambda: sys.stderr.write(json.dumps([m for m in {HEAVY} if m in sys.modules])); "
        "atexit.register(report); main()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", probe, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    return set(json.loads(ended.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        pytest.param(["--help"], set(), id="help"),
        pytest.param(["agent", "--help"], set(), id="agent"),
        pytest.param(["simulate", "JOBS", *SITE, "-o", "json"], set(), id="simulate to JSON"),
        pytest.param(["tune", "JOBS", *SITE, "-o", "json"], set(), id="tune to JSON"),
        pytest.param(["tune", "JOBS", *SITE], {"rich"}, id="tune to a table"),
        pytest.param(["samples", "--help"], set(), id="samples"),
    ],
)
def test_a_command_imports_only_what_it_needs(arguments: list[str], allowed: set[str], jobs: Path):
    assert imported_by(*(jobs if each == "JOBS" else each for each in arguments)) <= allowed


def test_help_names_every_command_and_how_to_begin():
    out = flexlbf("--help").out
    assert all(f"\n  {name} " in out for name in COMMANDS)
    assert "flexlbf plan -f config/samples" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str):
    ended = flexlbf(command, "--help")
    assert ended.status == 0
    assert "Example" in ended.out
    assert f"flexlbf {command}" in ended.out.partition("Example")[2]


def test_help_fits_80_columns_but_for_examples_that_are_copied():
    for command in COMMANDS:
        lines = flexlbf(command, "--help").out.splitlines()
        assert all(len(line) <= 80 or "flexlbf " in line for line in lines)


def test_without_a_command_help_is_shown():
    ended = flexlbf()
    assert ended.status == 2
    assert ended.err.startswith("Usage: flexlbf")


def test_the_version_is_told():
    assert flexlbf("--version").out.startswith("flexlbf 0.")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_shells_script(shell: str):
    out = flexlbf("completion", shell).out
    assert f"_FLEXLBF_COMPLETE={shell}_complete" in out


def test_completion_of_another_shell_is_a_mistake():
    assert "'csh' is not one of 'bash', 'zsh', 'fish'" in flexlbf("completion", "csh").mistake()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param("flexlbf t", "tune", id="a command"),
        pytest.param("flexlbf tune --max-t", "--max-throughput", id="an option"),
        pytest.param("flexlbf simulate --scheduler tr", "traditional", id="a choice"),
    ],
)
def test_bash_completes(words: str, found: str):
    environment = {
        "_FLEXLBF_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    assert program(environment=environment).out == f"plain,{found}\n"


def test_a_reader_that_goes_away_is_no_error_to_talk_about(tmp_path: Path):
    many = a_file(tmp_path, ESTIMATES, *(f"object{i},{i + 1},1" for i in range(5000)))
    command = shlex.join([*PROGRAM, "simulate", str(many), *SITE, "-o", "json"])
    piped = subprocess.run(
        ["bash", "-c", f"{command} | head -n 1"], capture_output=True, text=True, check=True
    )
    assert (piped.stdout, piped.stderr) == ("{\n", "")


def test_even_a_reader_that_never_came_is_not_talked_about():
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        ended = subprocess.run([*PROGRAM, "--version"], stdout=closed, stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_ctrl_c_ends_a_command_with_130():
    waiting = subprocess.Popen(
        [*PROGRAM, "tune", "-", *SITE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with waiting:
        assert waiting.stdin
        waiting.stdin.write(b"x" * (1 << 20))  # more than a pipe holds, so by now it reads
        waiting.send_signal(signal.SIGINT)
        out, err = waiting.communicate(timeout=10)
    assert waiting.returncode == 130
    assert out == b""
    assert err.strip() == b""


def test_a_name_that_the_terminal_can_not_show_is_no_reason_to_fail(tmp_path: Path):
    path = a_file(tmp_path, ESTIMATES, "büro:/データ,100,50")
    ended = program("simulate", path, *SITE, environment={"PYTHONIOENCODING": "latin-1"})
    assert ended.status == 0
    assert "ro:/\\u30c7\\u30fc\\u30bf" in ended.out
