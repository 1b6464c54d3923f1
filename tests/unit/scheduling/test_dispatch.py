"""What may start on a pool: as the simulator would have it, and never more than the drives take."""

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import (
    Drive,
    FlexLBF,
    FlexLBFBackfill,
    Job,
    Optimized,
    Scheduler,
    equal_drives,
    simulate,
    within_rate_of,
)
from flexlbf.scheduling.dispatch import ActiveStream, LiveSession, PoolUse, releases, why_waiting
from flexlbf.scheduling.model import Host
from flexlbf.scheduling.units import RATE_TOLERANCE
from support.strategies import examples, pools, workloads

SCHEDULERS = (FlexLBF(), FlexLBFBackfill(), Optimized(budget_s=0.001))


def live(jobs: Sequence[Job], drives: Sequence[Drive], scheduler: Scheduler | None = None) -> LiveSession:
    """A session of which everything waits."""
    rule = scheduler or FlexLBF()
    ordered = rule.order(within_rate_of(drives, jobs))
    return LiveSession(ordered, rule, drives, [job.name for job in jobs])


def released(pool: PoolUse, session: LiveSession) -> list[tuple[str, str]]:
    """Objects and drives."""
    return [(each.job.name, each.drive.name) for each in releases(pool, session)]


def played(session: LiveSession, drives: Sequence[Drive]) -> dict[str, tuple[str, int, int]]:
    """A session dispatched on a clock that jumps from end to end: of each object drive, start and end."""
    running: list[tuple[int, str, str]] = []
    seen: dict[str, tuple[str, int, int]] = {}
    jobs = {job.name: job for job in session.jobs}
    session.now = 0
    while True:
        hosts = Counter(("", job.host.name) for _, name, _ in running if (job := jobs[name]).host)
        use = PoolUse.of(drives, [ActiveStream(drive, jobs[name].rate) for _, name, drive in running], hosts)
        for each in releases(use, session):
            end = session.now + each.job.duration
            seen[each.job.name] = (each.drive.name, session.now, end)
            heapq.heappush(running, (end, each.job.name, each.drive.name))
        if not running:
            return seen
        session.now = running[0][0]
        while running and running[0][0] <= session.now:
            heapq.heappop(running)


@examples(80)
@given(workloads(), pools(), st.sampled_from(SCHEDULERS))
def test_live_it_is_as_simulated(jobs: list[Job], drives: list[Drive], scheduler: Scheduler) -> None:
    """To the last assignment, as long as the night goes as planned."""
    schedule = simulate(jobs, drives, scheduler)
    session = live(jobs, drives, schedule.scheduler)
    simulated = {each.job.name: (drives[each.drive].name, each.start, each.end) for each in schedule}
    assert played(session, drives) == simulated


@examples(80)
@given(
    st.lists(workloads(), min_size=1, max_size=3),
    pools(),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=8),
)
def test_no_drive_gets_more_than_it_takes(
    workloads_: list[list[Job]], drives: list[Drive], others: list[tuple[int, int]]
) -> None:
    """Whoever's streams are on it already, and however many sessions there are."""
    there = [
        ActiveStream(drives[index % len(drives)].name, drives[index % len(drives)].max_rate * tenth // 10)
        for index, tenth in others
    ]
    use = PoolUse.of(drives, there)
    before = {name: (each.agents, each.rate) for name, each in use.use.items()}
    for jobs in workloads_:
        session = live(jobs, drives)
        releases(use, session)
        if session.waiting:
            use.close(session)
    for drive in drives:
        found = use.use.get(drive.name)
        agents, rate = before.get(drive.name, (0, 0))
        if found and (found.agents, found.rate) != (agents, rate):
            assert found.agents <= drive.max_agents
            assert found.rate <= drive.max_rate + RATE_TOLERANCE


def test_a_drive_that_is_away_gets_nothing():
    """What the plan would put there goes where there is room."""
    drives = equal_drives(2, 80, 2)
    session = live([Job.of("a", 60, 10), Job.of("b", 50, 10)], drives)
    assert released(PoolUse.of(drives[1:], []), session) == [("a", "drive-1"), ("b", "drive-1")]


def test_the_cap_of_a_session_is_on_all_streams_of_a_drive():
    """Interleaving is what its restores suffer from, whoever's streams they are."""
    pool = equal_drives(1, 80, 10)
    session = live([Job.of("a", 60, 1), Job.of("b", 50, 1)], equal_drives(1, 80, 2))
    use = PoolUse.of(pool, [ActiveStream("drive-0", 0)])
    assert released(use, session) == [("a", "drive-0")]
    assert why_waiting(use, session) == "no agent is free on drive-0"


def test_what_is_waited_for_is_kept_from_those_of_lower_priority():
    """Else small objects of others would keep a large one waiting for ever."""
    drives = equal_drives(1, 80, 10)
    first, second = live([Job.of("large", 60, 70)], drives), live([Job.of("small", 60, 5)], drives)
    use = PoolUse.of(drives, [ActiveStream("drive-0", Job.of("x", 1, 20).rate)])
    assert released(use, first) == []
    use.close(first)
    assert released(use, second) == []
    assert why_waiting(use, second) == "a session of higher priority waits for the same drives"


def test_what_one_does_not_need_another_may_have():
    """Of a session that waits for nothing no drive is closed."""
    drives = equal_drives(1, 80, 10)
    first, second = live([Job.of("large", 60, 70)], drives), live([Job.of("small", 60, 5)], drives)
    use = PoolUse.of(drives, [])
    assert released(use, first) == [("large", "drive-0")]
    assert released(use, second) == [("small", "drive-0")]


@pytest.mark.parametrize(
    ("streams", "drives", "says"),
    [
        pytest.param(
            [20], 1, "it asks 70 MB/s, and drive-0, the drive with the most room, has 60 MB/s free", id="rate"
        ),
        pytest.param([20, 20], 1, "no agent is free on drive-0", id="agents"),
        pytest.param([], 0, "none of the session's drives is available", id="drives"),
    ],
)
def test_it_says_why_the_first_object_waits(streams: list[int], drives: int, says: str):
    """In words that say what would have to change."""
    pool = equal_drives(1, 80, 2)
    session = live([Job.of("large", 60, 70)], pool)
    use = PoolUse.of(pool[:drives], [ActiveStream("drive-0", Job.of("x", 1, each).rate) for each in streams])
    assert releases(use, session) == []
    assert why_waiting(use, session) == says


def test_a_host_sends_no_more_streams_than_it_may():
    """Those of other sessions and pools count; its objects are passed over meanwhile."""
    drives = equal_drives(1, 80, 10)
    jobs = [replace(Job.of(name, 60 - place, 1), host=Host("fs", 2)) for place, name in enumerate("ab")]
    session = live([*jobs, Job.of("c", 1, 1)], drives)
    assert released(PoolUse.of(drives, [], {("", "fs"): 1, ("other", "fs"): 9}), session) == [
        ("a", "drive-0"),
        ("c", "drive-0"),
    ]
    use = PoolUse.of(drives, [], {("", "fs"): 2})
    assert released(use, session) == []
    assert session.head is not None
    assert session.head.name == "b"
    assert why_waiting(use, session).startswith("its host fs sends the 2 streams that it may")
    assert released(PoolUse.of(drives, []), session) == [("b", "drive-0")]


def test_what_failed_waits_again_in_its_place():
    """And what ended in another way leaves the list."""
    drives = equal_drives(1, 80, 1)
    session = live([Job.of(name, 60 - place, 1) for place, name in enumerate("abcd")], drives)
    assert released(PoolUse.of(drives, []), session) == [("a", "drive-0")]
    assert session.names() == ["b", "c", "d"]
    session.wait_for(["d", "b", "gone"])
    assert (session.names(), session.waiting) == (["b", "d"], 2)
    session.wait_for(["a", "b", "d"])
    assert session.names() == ["a", "b", "d"]
    assert session.head is not None
    assert session.head.name == "a"
    session.wait_for([])
    assert session.head is None
    assert why_waiting(PoolUse.of(drives, []), session) == ""
