"""The sample servers lead to what the paper's tables I to III say of eight real ones.

The seeds beside the default one were not looked at while the generator was made.
"""

from statistics import fmean

import pytest

from flexlbf.samples import DEFAULT_SEED, Server, servers
from flexlbf.scheduling import (
    LBF,
    BoundBy,
    FlexLBF,
    Job,
    Traditional,
    equal_drives,
    lower_bound,
    simulate,
)
from flexlbf.tuning import Fastest, Tuner, WithinPercent

ONE_DRIVE = equal_drives(1, 80, 10)
FOUR_AGENTS = equal_drives(1, 80, 4)
SITE = equal_drives(4, 80, 10)
UNSEEN_SEEDS = (1_000_003, 77_777, 424_242)

DEFAULT = servers()


def saved_by_flexlbf(jobs: list[Job]) -> float:
    """Table II."""
    flexlbf = simulate(jobs, ONE_DRIVE, FlexLBF()).makespan
    return 100 * (1 - flexlbf / simulate(jobs, FOUR_AGENTS, LBF()).makespan)


def saved_by_lbf(jobs: list[Job], orders: int) -> float:
    """Table I."""
    traditional = fmean(simulate(jobs, FOUR_AGENTS, Traditional(seed)).makespan for seed in range(orders))
    return 100 * (1 - simulate(jobs, FOUR_AGENTS, LBF()).makespan / traditional)


def fewest_drives(each: Server, percent: float | None = None) -> tuple[int, int]:
    """Table III: drives, and agents a drive."""
    setting = Tuner(each.jobs(), SITE).tune(Fastest() if percent is None else WithinPercent(percent))
    return len(setting.drives), setting.max_agents


@pytest.mark.parametrize("each", DEFAULT, ids=lambda each: each.name)
@pytest.mark.parametrize("week", [0, 1, 2], ids="week{}".format)
def test_flexlbf_saves_19_to_53_per_cent_of_lbf(each: Server, week: int):
    assert 19 <= saved_by_flexlbf(each.jobs(week)) <= 53


@pytest.mark.parametrize("each", DEFAULT, ids=lambda each: each.name)
def test_lbf_saves_what_table_one_says_or_little_less(each: Server):
    """14 to 34 % in the paper; the sample servers lie at the lower end of it."""
    assert 11 <= saved_by_lbf(each.jobs(), orders=10) <= 34


def test_one_or_two_of_four_drives_are_as_fast_as_all():
    drives, agents = zip(*(fewest_drives(each) for each in DEFAULT), strict=True)
    assert set(drives) == {1, 2}
    assert 3 <= drives.count(1) <= 5
    assert all(4 <= number <= 10 for number in agents)


def test_within_15_per_cent_one_drive_mostly_is_enough():
    drives = [fewest_drives(each, 15)[0] for each in DEFAULT]
    assert drives.count(1) >= 6
    assert max(drives) == 2


def test_the_longest_object_bounds_some_sessions_on_one_drive():
    bounds = [lower_bound(each.jobs(), ONE_DRIVE).bound_by for each in DEFAULT]
    assert bounds.count(BoundBy.LONGEST_OBJECT) >= 4


@pytest.mark.parametrize("seed", UNSEEN_SEEDS)
def test_other_seeds_save_as_much_with_hardly_an_exception(seed: int):
    saved = [saved_by_flexlbf(each.jobs()) for each in servers(seed)]
    assert sum(19 <= percent <= 53 for percent in saved) >= 7


@pytest.mark.parametrize("seed", UNSEEN_SEEDS)
def test_other_seeds_need_as_few_drives(seed: int):
    assert seed != DEFAULT_SEED
    settings = [(fewest_drives(each)[0], fewest_drives(each, 15)[0]) for each in servers(seed)]
    assert all(fastest <= 2 for fastest, _ in settings)
    assert sum(relaxed == 1 for _, relaxed in settings) >= 5
