"""Jobs and drives."""

import pytest

from flexlbf.scheduling import Drive, Job, equal_drives, longest_first, with_agents, within_rate_of
from flexlbf.scheduling.units import to_microbytes
from support.builders import a_session

POOL = (Drive.of("fast", 160, 8), Drive.of("slow", 80, 3))


@pytest.mark.parametrize(
    ("name", "duration_s", "mbps", "message"),
    [
        pytest.param("", 1, 1, "a job needs the name of its object", id="no name"),
        pytest.param("a", 0, 1, "object 'a': a duration must be more than 0 s", id="no duration"),
        pytest.param("a", -1, 1, "object 'a': a duration must be more than 0 s", id="less than no duration"),
        pytest.param("a", 1, -1, "object 'a': a throughput can't be negative", id="negative throughput"),
    ],
)
def test_a_job_that_can_not_be_is_refused(name: str, duration_s: float, mbps: float, message: str) -> None:
    """With the object's name."""
    with pytest.raises(ValueError, match=f"^{message}$"):
        Job.of(name, duration_s, mbps)


@pytest.mark.parametrize(
    ("mbps", "agents", "message"),
    [
        pytest.param(0, 1, "drive 'd': the maximum throughput must be more than 0 MB/s", id="no throughput"),
        pytest.param(80, 0, "drive 'd': a drive takes at least 1 agent", id="no agent"),
    ],
)
def test_a_drive_that_can_not_be_is_refused(mbps: float, agents: int, message: str) -> None:
    """With the drive's name."""
    with pytest.raises(ValueError, match=f"^{message}$"):
        Drive.of("d", mbps, agents)


def test_the_smallest_job_and_drive_are_taken() -> None:
    """A nanosecond, no throughput, one agent."""
    assert Job("a", 1, 0).throughput_mbps == 0
    assert Drive("d", 1, 1).max_agents == 1


def test_jobs_and_drives_are_told_in_seconds_and_megabytes() -> None:
    """10^9 ns, 10^12 micro-bytes."""
    job = Job.of("a", 5400, 12.5)
    assert (job.duration, job.rate) == (5400 * 10**9, 12_500_000_000_000)
    assert (job.duration_s, job.throughput_mbps) == (5400, 12.5)
    assert equal_drives(2, 80, 10) == (
        Drive("drive-0", 80 * 10**12, 10),
        Drive("drive-1", 80 * 10**12, 10),
    )


def test_a_cap_on_agents_only_lowers() -> None:
    """A drive that takes fewer keeps its own number."""
    assert [drive.max_agents for drive in with_agents(POOL, 5)] == [5, 3]
    assert [drive.name for drive in with_agents(POOL, 5)] == ["fast", "slow"]


@pytest.mark.parametrize(
    ("mbps", "want"),
    [
        pytest.param(160, (30, 160), id="as fast as the fastest drive: as it is"),
        pytest.param(100, (30, 100), id="faster than one drive only: as it is"),
        pytest.param(240, (45, 160), id="half as fast again: half as long again"),
    ],
)
def test_an_object_runs_at_most_at_the_fastest_drives_rate(mbps: float, want: tuple[float, float]) -> None:
    """For as long as its bytes then take."""
    (job,) = within_rate_of(POOL, [Job.of("a", 30, mbps)])
    assert (job.duration_s, job.throughput_mbps) == want


def test_a_slowed_object_has_time_for_all_its_bytes() -> None:
    """What takes 10 ns at 7 MB/s takes 23 and a third at 3 MB/s: the last nanosecond is rounded up."""
    (job,) = within_rate_of([Drive.of("d", 3, 1)], [Job("a", 10, to_microbytes(7))])
    assert (job.duration, job.rate) == (24, to_microbytes(3))


def test_an_object_within_the_tolerance_of_the_fastest_drive_keeps_its_rate() -> None:
    """It fits the drive as it is, so it is not slowed."""
    (job,) = within_rate_of([Drive.of("d", 80, 1)], [Job.of("a", 3600, 80.0000000005)])
    assert job.duration_s == 3600


def test_order_is_by_duration_then_throughput_then_name() -> None:
    """Long before short, fast before slow, a before b; names count as they are, digit by digit."""
    session = (
        a_session()
        .with_objects("b a Z 10 9", 10, 5)
        .with_object("fast", 10, 6)
        .with_object("long", 11, 1)
        .with_object("short", 9, 80)
    )
    names = [job.name for job in longest_first(session.jobs)]
    assert names == ["long", "fast", "10", "9", "Z", "a", "b", "short"]
