"""The same FlexLBF rule as an ordinary SimPy model: what one would write with a general simulator.

One process a backup, one that dispatches. Counters are plain attributes, since SimPy's own resources
queue by themselves and could only be slower; times and rates are the scheduler's own whole numbers, so
that the makespan is the same to the nanosecond.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import simpy

from flexlbf.scheduling import Drive, Job
from flexlbf.scheduling.units import RATE_TOLERANCE


class Tape:
    """A drive with its running counters."""

    def __init__(self, drive: Drive) -> None:
        self.free_agents = drive.max_agents
        self.free_rate = drive.max_rate


class BackupSession:
    """A session of objects without hosts, no faster than the drives, the longest first."""

    def __init__(self, jobs: Sequence[Job], drives: Sequence[Drive]) -> None:
        self.env = simpy.Environment()
        self.tapes = [Tape(drive) for drive in drives]
        self.jobs = jobs
        self.released = self.env.event()

    def run(self) -> int:
        """Simulate it; nanoseconds from the first start to the last end."""
        self.env.process(self.dispatch())
        self.env.run()
        return int(self.env.now)

    def dispatch(self) -> Iterator[Any]:
        """Start the longest object that waits as soon as it fits the roomiest drive."""
        for job in self.jobs:
            while (tape := self.roomiest()) is None or job.rate > tape.free_rate + RATE_TOLERANCE:
                yield self.released
            tape.free_agents -= 1
            tape.free_rate -= job.rate
            self.env.process(self.backup(job, tape))

    def roomiest(self) -> Tape | None:
        """The drive with a free agent and the most free rate, the first of equals."""
        free = [tape for tape in self.tapes if tape.free_agents]
        return max(free, key=lambda tape: tape.free_rate, default=None)

    def backup(self, job: Job, tape: Tape) -> Iterator[Any]:
        """Stream one object.

        SimPy handles what is due at one time in the order in which it was scheduled, so all backups that
        end now have given back their resources before the dispatcher goes on.
        """
        yield self.env.timeout(job.duration)
        tape.free_agents += 1
        tape.free_rate += job.rate
        self.released.succeed()
        self.released = self.env.event()


def makespan(jobs: Sequence[Job], drives: Sequence[Drive]) -> int:
    """Nanoseconds that the session takes; the jobs are the longest first, as in a `Workload`."""
    return BackupSession(jobs, drives).run()
