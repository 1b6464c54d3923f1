"""Runs the commands of a page in a folder of their own, as somebody who follows the page does."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from support.docpages import ROOT, Command, Page, matches

SECONDS = 120
LOOKS_AGAIN_S = 30

_LOGGED = re.compile(r"^[IWE]\d{4} [\d:.]+ +\d+ \w+\.go:\d+\] .*\n", re.MULTILINE)
"""What kubectl's libraries log at times, as of a watch that `kubectl wait` cut off when it was satisfied."""

_PROGRAM = """\
#!{python}
from flexlbf.cli.{module} import main
main()
"""


@dataclass
class Follower:
    """Somebody with a shell.

    Attributes:
        folder: empty, and theirs.
        environment: variables besides the usual ones.
        programs: further programs by their names.
        namespace: theirs; pages call it `default`.
    """

    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, Path] = field(default_factory=dict)
    namespace: str = "default"

    def follow(self, page: Page) -> None:
        """Write the page's files and run its commands, in order; what differs is an AssertionError."""
        place = self.folder / "place"
        place.mkdir()
        # Pages that speak of a checkout are followed in one.
        (place / "config").symlink_to(ROOT / "config")
        variables = self._variables()
        for block in page.blocks():
            if block.title:
                (place / block.title).parent.mkdir(parents=True, exist_ok=True)
                (place / block.title).write_text(block.text, encoding="utf-8")
            if block.skipped is None:
                for command in block.commands():
                    self._carry_out(page, command, place, variables)

    def _carry_out(self, page: Page, command: Command, place: Path, variables: Mapping[str, str]) -> None:
        """Whoever only looks looks again: the Job controller tells of an end when it comes to it."""
        deadline = time.monotonic() + (LOOKS_AGAIN_S if command.text.startswith("kubectl get ") else 0)
        while True:
            printed = _run(page, command, place, variables).replace(self.namespace, "default")
            if command.expected is None or matches(command.expected, printed):
                return
            assert time.monotonic() < deadline, (
                f"{_place(page, command)}printed\n{printed}\nbut the page shows\n{command.expected}"
            )
            time.sleep(0.5)

    def _variables(self) -> dict[str, str]:
        programs = self.folder / "programs"
        programs.mkdir()
        for name, module in (("flexlbf", "main"), ("kubectl-flexlbf", "kubectl")):
            (programs / name).write_text(_PROGRAM.format(python=sys.executable, module=module))
            (programs / name).chmod(0o755)
        for name, path in self.programs.items():
            (programs / name).symlink_to(path)
        search = f"{programs}{os.pathsep}{os.environ['PATH']}"
        return {**os.environ, "PATH": search, "COLUMNS": "80", "HOME": str(self.folder), **self.environment}


def _run(page: Page, command: Command, place: Path, variables: Mapping[str, str]) -> str:
    ended = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command.text}"],
        cwd=place,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert ended.returncode == 0, f"{_place(page, command)}ended with {ended.returncode}:\n{ended.stdout}"
    return without_log(ended.stdout)


def without_log(printed: str) -> str:
    """What a command printed, without the lines of a log of Kubernetes' libraries."""
    return _LOGGED.sub("", printed)


def _place(page: Page, command: Command) -> str:
    return f"{page.name}:{command.line}: $ {command.text}\n"
