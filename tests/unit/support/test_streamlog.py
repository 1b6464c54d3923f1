"""When a drive is held, by what the API server was asked."""

import pytest

from support.streamlog import StreamLog
from unit.support.events import Story


def span(log: StreamLog) -> tuple[int, int | None, str | None]:
    """The only stream's first and last revision, and its outcome."""
    (stream,) = log.all()
    return stream.created.revision, stream.ended.revision if stream.ended else None, stream.outcome


@pytest.mark.parametrize(("phase"), ["Succeeded", "Failed"])
def test_a_stream_holds_its_drive_from_its_job_to_its_pods_end(phase: str):
    story = Story().job(0, "a").pod(1, "a").phase(2, "a", "Running").phase(3, "a", phase)
    assert span(story.finished(4, "a", "Complete").job_deleted(5, "a").read()) == (101, 104, phase)


def test_without_its_pods_end_the_jobs_condition_ends_it():
    story = Story().job(0, "a").pod(1, "a").phase(2, "a", "Running").finished(4, "a", "Failed")
    assert span(story.read()) == (101, 104, "Failed")


def test_a_stream_without_an_end_holds_its_drive():
    assert span(Story().job(0, "a").pod(1, "a").phase(2, "a", "Running").read()) == (101, None, None)


def test_a_pod_whose_job_was_deleted_still_counts_until_it_is_taken_away():
    story = Story().job(0, "a").pod(1, "a").phase(2, "a", "Running").job_deleted(3, "a")
    assert span(story.read()) == (101, None, None)
    assert span(story.pod_deleted(4, "a", grace=30).read()) == (101, None, None)
    assert span(story.pod_deleted(5, "a", grace=0).read()) == (101, 105, "Gone")


def test_a_job_deleted_before_it_had_a_pod_frees_its_drive():
    assert span(Story().job(0, "a").job_deleted(3, "a").read()) == (101, 101, "Gone")


def test_a_refused_request_did_nothing():
    assert Story().job(0, "a").refused().read().all() == []


def test_a_pod_tells_of_a_job_whose_creation_was_never_written_down():
    assert span(Story().pod(1, "a").phase(3, "a", "Succeeded").read()) == (101, 102, "Succeeded")


def test_the_order_is_the_stores_and_not_the_clocks():
    story = Story().job(0, "a").pod(0, "a").phase(3, "a", "Succeeded").job(2.9, "b")
    first, second = story.read().all()
    assert first.ended is not None
    assert first.ended < second.created


def test_sessions_are_known_by_their_jobs():
    log = Story().session(7).job(8, "a").job(9, "b", session="other").read()
    assert log.session_began("ns", "s").revision == 101
    assert [each.obj for each in log.of_session("ns", "s")] == ["a"]
