"""Running kubectl, and waiting for what it shows."""

import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from localcluster.errors import LocalClusterError


def run_kubectl(program: Path, config: Path, arguments: Sequence[str], text: str | None) -> str:
    """Run kubectl against a kubeconfig; its failure says what kubectl said."""
    done = subprocess.run(
        [program, f"--kubeconfig={config}", f"--cache-dir={config.parent / 'discovery'}", *arguments],
        check=False,
        input="" if text is None else text,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise LocalClusterError(f"kubectl {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def wait_until(holds: Callable[[], bool], seconds: float, what: str) -> None:
    """Ask again until it holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise LocalClusterError(f"{what}: not there after {seconds:.0f} s")
        time.sleep(0.2)
