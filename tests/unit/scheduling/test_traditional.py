"""The traditional scheduler: a seeded random order."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import Drive, Job, Traditional, simulate
from support import oracle
from support.builders import a_session, placements
from support.strategies import examples, pools, workloads

FLEET = a_session().with_objects(" ".join("abcdefghijklmnopqrst"), 10, 5).on_drives(2, 80, 4)


def names(seed: int) -> list[str]:
    """The fleet in the order of a seed."""
    return [job.name for job in Traditional(seed).order(FLEET.jobs)]


@examples(100)
@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_a_seed_gives_one_order_of_the_same_objects(seed: int, shuffler: random.Random) -> None:
    """Whatever order they come in, and every object once."""
    jobs = list(FLEET.jobs)
    shuffler.shuffle(jobs)
    ordered = Traditional(seed).order(jobs)
    assert ordered == Traditional(seed).order(FLEET.jobs)
    assert sorted(job.name for job in ordered) == sorted(job.name for job in jobs)


def test_seeds_differ_and_none_is_the_order_by_length() -> None:
    """Ten seeds, ten orders."""
    orders = {tuple(names(seed)) for seed in range(10)}
    assert len(orders) == 10
    assert tuple(sorted(names(0))) not in orders


def test_the_drive_with_the_fewest_active_agents_is_next() -> None:
    """Ties by the pool's order: 0 1 0 1."""
    schedule = FLEET.under(Traditional(3)).run()
    assert list(schedule.drive_of[:8]) == [0, 1] * 4
    assert list(schedule.starts[:9]) == [0] * 8 + [10_000_000_000]


@examples(80)
@given(workloads(), pools(), st.integers(0, 5))
def test_every_assignment_is_the_oracles(jobs: list[Job], drives: list[Drive], seed: int) -> None:
    """For the order that the seed gives."""
    scheduler = Traditional(seed)
    planned = {stream.name: stream for stream in oracle.planned(jobs, drives)}
    slowed = [replace(job, duration=planned[job.name].duration, rate=planned[job.name].rate) for job in jobs]
    want = oracle.fewest_active(scheduler.order(slowed), drives)
    assert placements(simulate(jobs, drives, scheduler)) == want
