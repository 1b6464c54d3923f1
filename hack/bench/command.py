"""Whole commands as a user runs them, the start of the interpreter included."""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench.child import environment
from flexlbf.samples import workload

COMMAND = (sys.executable, "-c", "from flexlbf.cli.main import main; main()")
"""What the installed program `flexlbf` does."""


def tune_s(objects: int, drives: int, runs: int) -> float:
    """Seconds of processor time of `flexlbf tune`, both baselines and the 15 % alternative included."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "jobs.csv")
        rows = (f"{job.name},{job.duration_s!r},{job.throughput_mbps!r}" for job in workload(objects))
        path.write_text("\n".join(("object,duration_s,throughput_mbps", *rows)), encoding="utf-8")
        pool = ("--drives", str(drives), "--max-agents", "10", "--max-throughput", "80")
        return _seconds((*COMMAND, "tune", str(path), *pool), runs)


def interpreter_s(runs: int) -> float:
    """Seconds of processor time of an interpreter that does nothing."""
    return _seconds((sys.executable, "-c", "pass"), runs)


def _seconds(command: Sequence[str], runs: int) -> float:
    """Processor time of a command, the median of so many runs."""
    taken = []
    for _ in range(runs):
        before = _of_children()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment())
        taken.append(_of_children() - before)
    return median(taken)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
