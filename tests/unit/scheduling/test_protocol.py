"""The counters that schedulers decide by; the live dispatcher keeps them too."""

from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import Drive, DriveLoads, Job
from flexlbf.scheduling.protocol import NO_AGENT
from support.strategies import examples

DRIVES = (Drive("a", 80, 2), Drive("b", 40, 1))


def test_what_is_assigned_is_taken_of_one_drive_and_given_back() -> None:
    """All but the sum of durations, which LBF keeps for the session."""
    loads = DriveLoads.idle(DRIVES)
    job = Job("o", 7, 30)
    loads.assign(1, job)
    assert (loads.free_agents, loads.free_rate, loads.active) == ([2, 0], [80, 10], [0, 1])
    assert (loads.room, loads.assigned_time) == ([80, NO_AGENT], [0, 7])
    loads.release(1, job)
    assert (loads.free_agents, loads.free_rate, loads.active) == ([2, 1], [80, 40], [0, 0])
    assert (loads.room, loads.assigned_time) == ([80, 40], [0, 7])


@examples(100)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(1, 50), st.integers(0, 90)), max_size=12))
def test_room_is_the_free_rate_wherever_an_agent_is_free(steps: list[tuple[int, int, int]]) -> None:
    """After any assignments and releases."""
    loads = DriveLoads.idle(DRIVES)
    running: list[tuple[int, Job]] = []
    for number, (drive, duration, rate) in enumerate(steps):
        if loads.free_agents[drive]:
            running.append((drive, Job(f"o{number}", duration, rate)))
            loads.assign(*running[-1])
        elif running:
            loads.release(*running.pop(0))
        for index, limits in enumerate(DRIVES):
            own = [job for at, job in running if at == index]
            assert loads.active[index] == len(own)
            assert loads.free_agents[index] == limits.max_agents - len(own)
            assert loads.free_rate[index] == limits.max_rate - sum(job.rate for job in own)
            assert loads.room[index] == (loads.free_rate[index] if loads.free_agents[index] else NO_AGENT)
