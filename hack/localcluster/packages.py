"""Debian's packages: installed only when the person is root there, and never without a line that says so."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from localcluster import cache
from localcluster.progress import Run, step


def can_install() -> bool:
    """Whether this is Debian or Ubuntu and we are root."""
    return os.geteuid() == 0 and Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None


def candidate_version(package: str) -> tuple[int, int]:
    """Major and minor version that the distribution offers; (0, 0) when it offers none."""
    said = subprocess.run(
        ["apt-cache", "policy", package], check=False, capture_output=True, text=True
    ).stdout
    found = re.search(r"Candidate: (?:\d+:)?(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def install(*names: str) -> None:
    """Install packages with apt-get; the caller has asked `can_install`."""
    log = cache.log_path("apt")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run = Run(log, f"apt-get install {' '.join(names)}", environment=environment)
    with cache.locked("apt"), step(f"Installing {', '.join(names)} with apt-get", "under a minute"):
        run("apt-get", "update", "-q")
        run("apt-get", "install", "-q", "-y", "--no-install-recommends", *names)
