"""The documentation built as a site, as `make docs` builds it: a warning is an error."""

import os
import subprocess
import sys
from pathlib import Path

from support.docpages import ROOT

_QUIET = {"NO_MKDOCS_2_WARNING": "1"}
"""mkdocs-material would tell of its own future, which is not ours to mend."""


def build_site(folder: Path) -> None:
    """Build the site into a folder; AssertionError with what MkDocs said."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    ended = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **_QUIET}, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
