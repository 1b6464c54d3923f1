"""What runs, from Jobs and pods in whatever order they are seen."""

import itertools
import json

import pytest

from flexlbf.cluster.runindex import RunIndex
from flexlbf.cluster.runs import ObservedJob, ObservedPod, Run
from unit.handlers.runs import NIGHT, ended, object_job, pod, session_job


def open_objects(index: RunIndex) -> set[str]:
    """The objects whose streams are open."""
    return {run.facts.obj for run in index.open_streams("library")}


def test_a_stream_is_open_from_its_jobs_creation_to_its_pods_end():
    """Which is seen a second before the Job controller says so."""
    index = RunIndex()
    index.put_job(object_job("a"))
    assert open_objects(index) == {"a"}
    index.put_pod(pod("a", "Running"))
    assert [(each.drive, each.rate) for each in index.streams("library")] == [("lto-0", 1_000_000_500_000)]
    index.put_pod(pod("a", "Succeeded"))
    assert open_objects(index) == set()
    assert index.streams("other") == []


def test_a_pod_whose_job_was_deleted_still_streams():
    """Until it has ended, or is gone."""
    index = RunIndex()
    job, running = object_job("a"), pod("a", "Running")
    index.put_job(job)
    index.put_pod(running)
    index.drop_job(job)
    assert open_objects(index) == {"a"}
    assert index.of_session("uid-weekly-1") == []
    index.drop_pod(running)
    assert open_objects(index) == set()


def test_a_job_that_makes_pods_anew_may_stream_again():
    """As those of plans do, until they have failed for good."""
    raw = object_job("a")
    index = RunIndex()
    index.put_job(_with_retries(raw))
    index.put_pod(pod("a", "Failed"))
    assert open_objects(index) == {"a"}


def _with_retries(job: ObservedJob) -> ObservedJob:
    return ObservedJob(**{**{name: getattr(job, name) for name in job.__slots__}, "retries": 2})


def test_old_news_are_no_news():
    """A watch may bring what the answer to a write brought already, and what is gone never comes back."""
    index = RunIndex()
    old, new = object_job("a"), object_job("a", **ended("Complete"))
    assert index.put_job(new)
    assert not index.put_job(old)
    assert not index.put_job(new)
    assert index.drop_job(new)
    assert not index.drop_job(new)
    assert not index.put_job(object_job("a"))


def test_a_list_tells_what_is_gone():
    """But not of what was made after it was read."""
    index = RunIndex()
    before, gone = object_job("a"), object_job("b")
    for each in (before, gone):
        index.put_job(each)
    newer = object_job("c")
    index.put_job(newer)
    changed = list(index.listed_jobs([before], version=gone.version))
    assert changed == [gone]
    assert open_objects(index) == {"a", "c"}


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_the_order_of_events_decides_nothing(order: tuple[int, ...]):
    """What has ended has ended."""
    events: list[ObservedJob | ObservedPod] = [
        object_job("a"),
        pod("a", "Running"),
        pod("a", "Succeeded"),
        object_job("a", **ended("Complete")),
    ]
    index = RunIndex()
    for place in order:
        each = events[place]
        index.put_job(each) if isinstance(each, ObservedJob) else index.put_pod(each)
    assert open_objects(index) == set()
    (run,) = index.of_session("uid-weekly-1")
    assert run.succeeded


def test_sessions_are_found_and_are_no_streams():
    """Each with the runs of its own objects."""
    index = RunIndex()
    for name in ("one", "two"):
        index.put_job(session_job(name))
        index.put_job(object_job(f"of-{name}", session=name))
    assert {each.place.name for each in index.sessions()} == {"one", "two"}
    assert [run.facts.obj for run in index.of_session("uid-one")] == ["of-one"]
    assert open_objects(index) == {"of-one", "of-two"}


@pytest.mark.parametrize(
    ("message", "seconds", "size"),
    [
        pytest.param('{"bytes": 5, "seconds": 59.25}', 59.25, 5, id="what it says fits what was counted"),
        pytest.param('{"bytes": 5, "seconds": 12.5}', 60, 5, id="what it says does not fit"),
        pytest.param('{"bytes": -5}', 60, None, id="a size that is none"),
        pytest.param('{"bytes": true, "seconds": "x"}', 60, None, id="other types"),
        pytest.param("no JSON", 60, None, id="no JSON"),
        pytest.param("[1]", 60, None, id="no object"),
        pytest.param("", 60, None, id="nothing"),
    ],
)
def test_a_container_is_believed_as_far_as_it_fits(message: str, seconds: float, size: int | None):
    """Kubernetes counts whole seconds only."""
    observed = pod("a", "Succeeded", message=message)
    assert observed.lasted is not None
    assert (observed.lasted.total_seconds(), observed.bytes) == (seconds, size)


def test_without_its_pod_a_job_says_how_long_it_took():
    """Its waits included: better than nothing."""
    job = object_job(
        "a",
        startTime="2026-01-09T22:00:00Z",
        completionTime="2026-01-09T22:01:30Z",
        **ended("Complete"),
    )
    assert job.facts is not None
    run = Run(job, None, job.facts)
    assert (run.succeeded, run.began) == (True, NIGHT)
    assert run.lasted is not None
    assert run.lasted.total_seconds() == 90


def test_labels_that_say_nothing_are_no_streams():
    """Nobody may bring the dispatcher to a halt by labels of his own."""
    raw = json.loads(json.dumps({"metadata": {"labels": {"flexlbf.io/role": "object"}, "annotations": {}}}))
    job = object_job("a")
    assert job.facts is not None
    for broken in ({}, {"flexlbf.io/object": "a", "flexlbf.io/rate": "fast"}, {"flexlbf.io/object": "a"}):
        raw["metadata"]["annotations"] = broken
        assert type(job.facts).of(raw["metadata"]) is None
