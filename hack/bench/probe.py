"""``python -m bench.probe OBJECTS DRIVES``: one large session in a process of its own, as JSON.

A fresh process, since the peak of memory is that of all its life.
"""

import json
import resource
import subprocess
import sys
import time
from dataclasses import dataclass

from bench.child import environment
from flexlbf.samples import workload
from flexlbf.scheduling import FlexLBF, equal_drives, simulate


@dataclass(frozen=True)
class Probe:
    """What one large session cost."""

    seconds: float
    peak_mb: float


def probe(objects: int, drives: int) -> Probe:
    """Run one in a fresh process.

    Linux counts the parent's peak towards the child that it forks, so probe before anything grows.
    """
    command = [sys.executable, "-m", "bench.probe", str(objects), str(drives)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment())
    return Probe(**json.loads(done.stdout))


def main() -> None:
    """Simulate once and print the time of the simulation and the peak of the process."""
    objects, drives = map(int, sys.argv[1:])
    jobs = workload(objects)
    pool = equal_drives(drives, 80, 10)
    began = time.process_time()
    simulate(jobs, pool, FlexLBF())
    seconds = time.process_time() - began
    unit = 1e6 if sys.platform == "darwin" else 1e3  # bytes there, kilobytes elsewhere
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    print(json.dumps({"seconds": seconds, "peak_mb": peak}))


if __name__ == "__main__":
    main()
