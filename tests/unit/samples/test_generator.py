"""The sample workloads are like those that the paper tells of."""

import statistics

import pytest

from flexlbf.samples import DEFAULT_SEED, Server, server, servers, workload
from flexlbf.samples.draws import Draws
from flexlbf.scheduling import Job

HOUR = 3600


@pytest.fixture(scope="module")
def jobs() -> list[Job]:
    return [job for each in servers() for job in each.jobs()]


def test_there_are_more_than_700_objects_on_eight_servers(jobs: list[Job]):
    assert len(servers()) == 8
    assert len(jobs) > 700


def test_a_server_has_70_to_130_objects():
    assert all(70 <= len(each.objects) <= 130 for each in servers())


def test_names_are_unique_over_all_servers(jobs: list[Job]):
    assert len({job.name for job in jobs}) == len(jobs)


def test_durations_are_from_a_minute_to_16_hours(jobs: list[Job]):
    durations = [job.duration_s for job in jobs]
    assert 60 <= min(durations) < 90
    assert 15 * HOUR < max(durations) <= 16 * HOUR


def test_about_a_quarter_takes_above_an_hour(jobs: list[Job]):
    assert 0.2 <= sum(job.duration_s > HOUR for job in jobs) / len(jobs) <= 0.3


def test_throughputs_are_from_tenths_of_a_megabyte_to_35(jobs: list[Job]):
    rates = [job.throughput_mbps for job in jobs]
    assert 0.1 <= min(rates) < 1
    assert 25 < max(rates) <= 35


def test_short_objects_are_typically_slow_but_not_always(jobs: list[Job]):
    short = [job.throughput_mbps for job in jobs if job.duration_s < HOUR / 6]
    long = [job.throughput_mbps for job in jobs if job.duration_s > HOUR]
    assert statistics.median(short) < statistics.median(long) / 2
    assert sum(rate > 10 for rate in short) >= 10
    assert sum(rate < 4 for rate in long) >= 10


def test_three_weeks_of_an_object_differ_by_a_few_per_cent():
    for each in servers():
        for one in each.objects:
            durations, rates = (
                [getattr(run, name) for run in one.measurements] for name in ("duration", "rate")
            )
            assert len(durations) == 3
            assert max(durations) <= 1.2 * min(durations) + 1e9
            assert max(rates) <= 1.2 * min(rates)


def test_objects_grow_slowly():
    sizes = [
        sum(one.measurements[week].size or 0 for s in servers() for one in s.objects) for week in range(3)
    ]
    assert sizes[0] < sizes[1] < sizes[2] < 1.05 * sizes[0]


def test_sessions_are_a_week_apart():
    first, second, third = (run.start for run in longest(server(1)))
    assert (second - first).days == (third - second).days == 7


def longest(each: Server):
    return max(each.objects, key=lambda one: one.measurements[0].duration).measurements


def test_server2_is_faster_than_server3():
    fast, slow = (statistics.fmean(job.throughput_mbps for job in server(n).jobs()) for n in (2, 3))
    assert fast > slow


def test_a_seed_gives_the_same_server_again():
    assert server(4, 7) == server(4, 7)


def test_other_seeds_give_other_servers():
    assert server(4, 7) != server(4, 8)


def test_every_python_draws_the_same():
    """Random.random() gives these for a seed of 1 since Python 3.2."""
    draws = Draws(1)
    assert [draws.below(1000) for _ in range(5)] == [134, 847, 763, 255, 495]
    items = list(range(8))
    draws.shuffle(items)
    assert items == [1, 7, 2, 5, 0, 6, 4, 3]


@pytest.mark.parametrize("n", [0, 9])
def test_there_is_no_other_server(n: int):
    with pytest.raises(ValueError, match="numbered 1 to 8"):
        server(n)


@pytest.mark.parametrize("objects", [0, 1, 100, 400])
def test_a_workload_is_a_sample_of_all_objects(objects: int, jobs: list[Job]):
    drawn = workload(objects, seed=3)
    assert len(set(drawn)) == objects
    assert set(drawn) <= set(jobs)


def test_a_workload_larger_than_the_base_has_objects_under_new_names(jobs: list[Job]):
    drawn = workload(2000, seed=3)
    assert len({job.name for job in drawn}) == 2000
    assert {job.name.split("#")[0] for job in drawn} == {job.name for job in jobs}


def test_workloads_of_other_seeds_are_other_samples():
    assert workload(100, 1) == workload(100, 1) != workload(100, 2)


def test_the_default_seed_is_documented():
    assert workload(50) == workload(50, DEFAULT_SEED)
