"""The checker of sessions finds every fault that it is there for, and none in a session without."""

from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from flexlbf.scheduling import FlexLBF, longest_first, simulate, within_rate_of
from support.strategies import examples, pools, workloads
from support.streamcheck import (
    Limits,
    makespan,
    most_jobs,
    most_left,
    most_streams,
    not_once,
    overloaded_drives,
    overloaded_hosts,
    release_delays,
)
from support.streamlog import Moment, Stream
from unit.support.events import Story

DRIVES = {"lto-0": Limits(2, Decimal(20_000_000)), "lto-1": Limits(2, Decimal(20_000_000))}


def streams(*runs: tuple[str, float, float], **common: Any) -> list[Stream]:
    """Runs that succeeded: object, start and end; an end and a start at one moment are in this order."""
    story = Story()
    for obj, start, end in runs:
        story.ran(obj, start, end, **common)
    return story.in_order().read().all()


def test_a_drive_may_be_full():
    assert overloaded_drives(streams(("a", 0, 5), ("b", 0, 3), ("c", 3, 6)), DRIVES) == []


def test_one_stream_too_many_is_found():
    (found,) = overloaded_drives(streams(("a", 0, 5), ("b", 0, 3), ("c", 2.9, 6)), DRIVES)
    assert (found.place, found.agents, found.objects) == ("lto-0", 3, ("a", "b", "c"))
    assert "lto-0 has 3 streams and 24 MB/s" in str(found)


def test_too_much_throughput_is_found():
    (found,) = overloaded_drives(streams(("a", 0, 5), ("b", 4, 9), rate="10000000.01"), DRIVES)
    assert (found.agents, found.rate) == (2, Decimal("20000000.02"))
    assert overloaded_drives(streams(("a", 0, 5), ("b", 4, 9), rate="10000000"), DRIVES) == []


def test_a_stream_that_never_ended_holds_its_drive_for_ever():
    story = Story().job(0, "a").job(1, "b").ran("c", 50, 60)
    assert len(overloaded_drives(story.read().all(), DRIVES)) == 1


def test_the_streams_of_all_sessions_of_a_pool_count_together():
    story = Story().ran("a", 0, 9).ran("b", 0, 9, session="other").ran("c", 1, 2, session="third")
    story.ran("d", 1, 2, pool="elsewhere")
    found = story.in_order().read().all()
    assert [each.objects for each in overloaded_drives(found, DRIVES, "library")] == [("a", "b", "c")]


def test_other_drives_are_other_drives():
    story = Story().ran("a", 0, 9).ran("b", 0, 9).ran("c", 0, 9, drive="lto-1")
    assert overloaded_drives(story.in_order().read().all(), DRIVES) == []


def test_a_drive_that_the_pool_does_not_have_is_no_drive():
    with pytest.raises(KeyError, match="lto-7"):
        overloaded_drives(streams(("a", 0, 9), drive="lto-7"), DRIVES)


def test_a_host_with_too_many_streams_is_found():
    runs = streams(("h1:/a", 0, 5), ("h1:/b", 4, 9), ("h2:/a", 0, 9))
    hosts = {"h1:/a": "h1", "h1:/b": "h1", "h2:/a": "h2"}
    assert [each.place for each in overloaded_hosts(runs, hosts, per_host=1)] == ["h1"]
    assert overloaded_hosts(runs, hosts, per_host=2) == []


def test_each_object_once_is_no_problem():
    assert not_once(streams(("a", 0, 5), ("b", 0, 3)), {"a", "b"}) == []


def test_an_object_left_out_is_found():
    assert not_once(streams(("a", 0, 5)), {"a", "b"}) == ["b succeeded 0 times in 0 runs"]


def test_an_object_that_is_not_one_is_found():
    assert not_once(streams(("a", 0, 5), ("b", 0, 3)), {"a"}) == ["b is no object of the session"]


def test_a_second_success_is_found():
    story = Story().ran("a", 0, 1).ran("a", 2, 3, attempt=2)
    assert not_once(story.read().all(), {"a"}, attempts=2) == ["a succeeded 2 times in 2 runs"]


def test_a_second_run_at_the_same_time_is_found():
    story = Story().job(0, "a").pod(0, "a").ran("a", 1, 2, attempt=2).phase(3, "a", "Failed")
    assert not_once(story.read().all(), {"a"}, attempts=2) == ["a ran twice at the same time"]


def test_retries_are_counted():
    story = Story().job(0, "a").pod(0, "a").phase(1, "a", "Failed").ran("a", 1, 2, attempt=2)
    assert not_once(story.read().all(), {"a"}, attempts=2) == []
    assert not_once(story.read().all(), {"a"}) == ["a ran 2 times, 1 are allowed"]


def test_an_attempt_that_was_never_made_is_found():
    assert not_once(streams(("a", 0, 1), attempt=2), {"a"}, attempts=2) == ["a has the attempts [2]"]


def test_two_pods_of_one_job_are_found():
    story = Story().job(0, "a").pod(0, "a").pod(1, "a").phase(2, "a", "Succeeded")
    assert not_once(story.read().all(), {"a"}) == ["a has 2 pods"]


def test_the_makespan_is_from_the_sessions_job_to_the_last_end():
    log = Story().session(10).ran("a", 11, 20).ran("b", 12, 17.5).read()
    assert makespan(log.all(), log.session_began("ns", "s")) == pytest.approx(10)
    assert makespan(Story().job(0, "a").read().all(), Moment(0, 0)) == float("inf")


def test_jobs_count_until_they_are_deleted_and_streams_until_they_end():
    story = Story().ran("a", 0, 1).ran("b", 2, 3).job_deleted(4, "a").job_deleted(4, "b").ran("c", 5, 6)
    assert (most_jobs(story.read().all()), most_streams(story.read().all())) == (2, 1)


def test_jobs_that_stay_after_their_streams_end_are_counted():
    story = Story().ran("a", 0, 1).ran("b", 2, 3).job_deleted(4, "a").ran("c", 5, 6).job_deleted(7, "b")
    assert [most_left(story.read().all(), seconds) for seconds in (0, 2, 3.5, 4)] == [2, 1, 1, 1]
    assert most_left(story.job_deleted(9, "c").read().all(), 4) == 0


def test_a_release_that_came_late_is_found():
    runs = streams(("a", 0.5, 5), ("b", 0.5, 3), ("c", 3.25, 6), ("d", 6.5, 7), rate="10000000")
    one = {"lto-0": DRIVES["lto-0"]}
    assert release_delays(runs, list("abcd"), one, Moment(0, runs[0].created.at - 0.5)) == pytest.approx(
        [0.5, 0, 0.25, 1.5]
    )


def test_what_blocks_the_list_is_waited_for():
    """The first object waits for throughput, though the second would fit."""
    story = Story().ran("a", 0, 5, rate="15000000").ran("b", 5, 8, rate="10000000").ran("c", 5, 6)
    found = story.in_order().read().all()
    one = {"lto-0": Limits(3, Decimal(20_000_000))}
    assert release_delays(found, list("abc"), one, found[0].created) == pytest.approx([0, 0, 0])


@given(jobs=workloads(min_jobs=1, hosts=False), drives=pools())
@examples(60)
def test_what_flexlbf_simulates_has_no_fault(jobs: list[Any], drives: list[Any]):
    """The checker, which knows nothing of the simulator, agrees with it: no overload, no release late."""
    schedule = simulate(jobs, drives, FlexLBF())
    story = Story()
    for each in schedule:
        drive = drives[each.drive].name
        rate = str(Decimal(each.job.rate).scaleb(-6))
        story.ran(each.job.name, each.start / 1e9 / 10, each.end / 1e9 / 10, drive=drive, rate=rate)
    found = story.in_order().read().all()
    limits = {each.name: Limits(each.max_agents, Decimal(each.max_rate).scaleb(-6)) for each in drives}
    assert overloaded_drives(found, limits) == []
    assert not_once(found, {each.name for each in jobs}) == []
    order = [each.name for each in longest_first(within_rate_of(drives, jobs))]
    began = min(each.created for each in found)
    assert max(release_delays(found, order, limits, began)) < 1e-5
    assert all(one.created <= other.created for one, other in pairwise(found))
