"""Runs `flexlbf` inside the test's process, or as a program of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from flexlbf.cli.main import cli

PROGRAM = (sys.executable, "-c", "from flexlbf.cli.main import main; main()")


@dataclass(frozen=True)
class Ended:
    """A command that ended."""

    status: int
    out: str
    err: str

    def data(self) -> dict[str, Any]:
        """The JSON of a command that succeeded."""
        assert self.status == 0, self.err
        parsed: dict[str, Any] = json.loads(self.out)
        return parsed

    def mistake(self) -> str:
        """The one line that a command told of bad input."""
        assert self.status == 2
        assert self.out == ""
        assert self.err.count("\n") == 1
        assert self.err.endswith("\n")
        return self.err.removesuffix("\n")


def flexlbf(*arguments: object, stdin: bytes | str = "") -> Ended:
    """Run a command inside this process."""
    ended = CliRunner().invoke(cli, [str(each) for each in arguments], input=stdin, prog_name="flexlbf")
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
    return Ended(ended.exit_code, ended.stdout, ended.stderr)


def program(*arguments: object, environment: Mapping[str, str] | None = None) -> Ended:
    """Run a command as a program of its own, its output piped."""
    ended = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        capture_output=True,
        check=False,
        env=os.environ | (environment or {}),
    )
    return Ended(ended.returncode, ended.stdout.decode(errors="replace"), ended.stderr.decode())


def a_file(folder: Path, *lines: str, name: str = "jobs.csv") -> Path:
    """A CSV of these lines."""
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
