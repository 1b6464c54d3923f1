"""What a session must keep to whatever happens: drives are never asked too much, each object runs once."""

import pytest

from flexlbf.scheduling.usage import overloads
from integration.sessions.planned import as_it_went, planned
from integration.sessions.theatre import Theatre, conditions
from integration.sessions.workload import GROUP, Library, Workload, lasting
from support.resources import a_pool
from support.streamcheck import overloaded_drives, overloaded_hosts

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]

PATIENCE = 240.0
TWO_DRIVES = Library(count=2, mbps=20)
FOUR_DRIVES = Library(count=4, mbps=40)


def play(theatre: Theatre, library: Library, work: Workload, attempts: int = 1, **fields: str) -> float:
    """Play a session to its end and give its length in seconds."""
    theatre.with_drives(library)
    theatre.with_class(retries=attempts - 1)
    theatre.adaptive(work, **fields)
    session = theatre.begin()
    assert "Complete" in conditions(theatre.await_end(session, PATIENCE))
    return theatre.assert_played(session, work, library, attempts)


@pytest.mark.parametrize("scheduler", ["FlexLBF", "FlexLBFBackfill", "Optimized"])
def test_a_session_keeps_to_its_drives(theatre: Theatre, scheduler: str):
    play(theatre, TWO_DRIVES, lasting(12, 60, TWO_DRIVES), scheduler=scheduler)


def test_a_session_of_many_objects_keeps_to_its_drives(theatre: Theatre):
    play(theatre, FOUR_DRIVES, lasting(30, 400, FOUR_DRIVES))


def test_no_overrun_overloads_a_drive(theatre: Theatre):
    """Objects really take up to 30 % more or less than anybody knows."""
    work = lasting(20, 100, TWO_DRIVES).disturbed(0.3, seed=11)
    assert max(work.truth[each.name] / each.duration for each in work.jobs) > 1.25
    play(theatre, TWO_DRIVES, work)


def test_failed_objects_are_tried_again_when_their_turn_comes(theatre: Theatre):
    work = lasting(10, 40, TWO_DRIVES)
    failing = sorted(work.names)[::7]
    play(theatre, TWO_DRIVES, work.failing_at_first(*failing), attempts=2)
    runs = theatre.log().all()
    assert len(runs) == len(work.jobs) + len(failing)


def test_a_host_sends_no_more_streams_than_it_may_whoever_asks_it(theatre: Theatre):
    """Two policies have objects on the same machines, each on its own library: the limit holds over both."""
    theatre.with_drives(TWO_DRIVES)
    other = f"{theatre.namespace}-other"
    theatre.apply(a_pool(other).with_drives(GROUP, 2, max_throughput="20M"))
    theatre.with_class()
    works = {
        name: lasting(5, 30, TWO_DRIVES, seed=seed, prefix=f"{name}-").on_hosts("fs1", "fs2")
        for seed, name in enumerate(("one", "two"))
    }
    theatre.adaptive(works["one"], "one", limits={"perHost": 2})
    theatre.adaptive(works["two"], "two", limits={"perHost": 2}, tapePool=other)
    sessions = {name: theatre.begin(name) for name in works}
    for name, session in sessions.items():
        assert "Complete" in conditions(theatre.await_end(session, PATIENCE))
        theatre.assert_played(session, works[name], TWO_DRIVES)
    streams, hosts = theatre.log().all(), works["one"].hosts | works["two"].hosts
    assert overloaded_hosts(streams, hosts, per_host=2) == []
    assert overloaded_hosts(streams, hosts, per_host=1) != []
    assert overloaded_drives(streams, TWO_DRIVES.limits, other) == []
    first, second = (theatre.streams(session) for session in sessions.values())
    assert second[0].created < first[-1].created, "the sessions ran one after the other"


def test_the_same_overruns_would_overload_the_drives_of_a_planned_session():
    """Planned starts stay where they are when objects before them take longer: the reason for Adaptive."""
    work = lasting(20 * 60 * 60, 100, TWO_DRIVES)
    plan = planned(work, TWO_DRIVES.drives)
    assert overloads(plan) == []
    assert overloads(as_it_went(plan, work.disturbed(0.3, seed=11))) != []


def test_two_policies_share_a_pool_and_the_first_in_rank_goes_first(theatre: Theatre):
    """The limits hold over both; while the one of higher priority waits for a drive, the other gets none."""
    theatre.with_drives(TWO_DRIVES)
    theatre.with_class()
    low = lasting(10, 40, TWO_DRIVES, seed=3, prefix="low-")
    high = lasting(10, 40, TWO_DRIVES, seed=5, prefix="high-")
    theatre.adaptive(low, "low", priority=1)
    theatre.adaptive(high, "high", priority=5)
    first = theatre.begin("low")
    theatre.await_streams(first, 5)
    second = theatre.begin("high")
    for session, work in ((first, low), (second, high)):
        theatre.await_end(session, PATIENCE)
        theatre.assert_played(session, work, TWO_DRIVES)
    ahead = theatre.streams(second)
    taken_meanwhile = [
        each
        for each in theatre.streams(first)
        if ahead[0].created < each.created < ahead[-1].created
        and each.drive in {other.drive for other in ahead if other.created > each.created}
    ]
    assert taken_meanwhile == []
