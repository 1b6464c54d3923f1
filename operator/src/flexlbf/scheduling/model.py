"""What is scheduled and where: jobs and drives (section III.B of the FlexLBF paper, HPL-2010-72)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from flexlbf.scheduling.units import RATE_TOLERANCE, to_megabytes, to_microbytes, to_nanoseconds, to_seconds


class Host(NamedTuple):
    """A client machine that sends no more than so many streams at a time, whichever drives they go to.

    The limit goes with each of the host's jobs, so that nothing that plans them can lose it.
    """

    name: str
    max_streams: int


@dataclass(frozen=True, slots=True)
class Job:
    """One object to back up: the paper's tuple (O, Dur, Tput).

    Attributes:
        name: the object's name, unique in its workload.
        duration: nanoseconds that the backup takes while it gets its full rate.
        rate: micro-bytes a second that the stream asks of its drive.
        host: the machine whose streams are limited, None where nothing is.
    """

    name: str
    duration: int
    rate: int
    host: Host | None = None

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a job needs the name of its object")
        if self.duration <= 0:
            raise ValueError(f"object {self.name!r}: a duration must be more than 0 s")
        if self.rate < 0:
            raise ValueError(f"object {self.name!r}: a throughput can't be negative")
        if self.host and self.host.max_streams < 1:
            raise ValueError(f"host {self.host.name!r}: a host sends at least 1 stream")

    @classmethod
    def of(cls, name: str, duration_s: float, throughput_mbps: float) -> "Job":
        """A job from seconds and MB/s (10^6 bytes a second)."""
        return cls(name, to_nanoseconds(duration_s), to_microbytes(throughput_mbps))

    @property
    def duration_s(self) -> float:
        """Duration in seconds."""
        return to_seconds(self.duration)

    @property
    def throughput_mbps(self) -> float:
        """Throughput in MB/s."""
        return to_megabytes(self.rate)


@dataclass(frozen=True, slots=True)
class Drive:
    """A tape drive, or any device with a sustained rate.

    Attributes:
        name: the drive's name in its pool.
        max_rate: the paper's maxTput, in micro-bytes a second.
        max_agents: the paper's maxDA, the streams that may be interleaved on the drive.
    """

    name: str
    max_rate: int
    max_agents: int

    def __post_init__(self) -> None:
        if self.max_rate <= 0:
            raise ValueError(f"drive {self.name!r}: the maximum throughput must be more than 0 MB/s")
        if self.max_agents < 1:
            raise ValueError(f"drive {self.name!r}: a drive takes at least 1 agent")

    @classmethod
    def of(cls, name: str, max_throughput_mbps: float, max_agents: int) -> "Drive":
        """A drive from MB/s (10^6 bytes a second)."""
        return cls(name, to_microbytes(max_throughput_mbps), max_agents)


def equal_drives(count: int, max_throughput_mbps: float, max_agents: int) -> tuple[Drive, ...]:
    """A pool of equal drives, named `drive-0`, `drive-1` and so on."""
    return tuple(Drive.of(f"drive-{i}", max_throughput_mbps, max_agents) for i in range(count))


def with_agents(drives: Iterable[Drive], cap: int) -> tuple[Drive, ...]:
    """The drives with at most `cap` agents each."""
    return tuple(replace(drive, max_agents=min(drive.max_agents, cap)) for drive in drives)


def within_rate_of(drives: Iterable[Drive], jobs: Iterable[Job]) -> tuple[Job, ...]:
    """The jobs, those faster than every drive slowed to the fastest drive's rate.

    Such an object runs at the rate of the fastest drive for as long as its bytes then take.
    """
    fastest = max(drive.max_rate for drive in drives)
    return tuple(slowed(job, fastest) for job in jobs)


def slowed(job: Job, rate: int) -> Job:
    """The job at a rate that it may not exceed, for as long as its bytes then take."""
    if job.rate <= rate + RATE_TOLERANCE:
        return job
    return Job(job.name, -(-job.duration * job.rate // rate), rate, job.host)


def on_host(job: Job, host: str | None, max_streams: int | None) -> Job:
    """The job as one of a host, where it has one and there is a limit on its streams."""
    return replace(job, host=Host(host, max_streams)) if host and max_streams else job


def longest_first(jobs: Iterable[Job]) -> list[Job]:
    """The paper's OrdObjList: duration descending, then throughput descending, then name ascending."""
    return sorted(jobs, key=lambda job: (-job.duration, -job.rate, job.name))


def require_unique_names(jobs: Sequence[Job]) -> None:
    """Raise ValueError if two jobs share a name: a plan could not tell them apart."""
    if len({job.name for job in jobs}) == len(jobs):
        return
    seen: set[str] = set()
    for job in jobs:
        if job.name in seen:
            raise ValueError(f"object {job.name!r} is there twice: names must be unique in a workload")
        seen.add(job.name)
