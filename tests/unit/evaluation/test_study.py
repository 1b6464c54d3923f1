"""What the evaluation starts from."""

from flexlbf.evaluation import Study
from flexlbf.evaluation.paper import Saved
from flexlbf.evaluation.study import saved
from flexlbf.scheduling.units import MINUTE


def test_there_are_four_sets_of_each_size():
    sets = Study().sets
    assert [(each.size, each.number) for each in sets[:5]] == [
        (100, 1),
        (100, 2),
        (100, 3),
        (100, 4),
        (200, 1),
    ]
    assert [len(each.jobs) for each in sets] == [each.size for each in sets]


def test_no_set_is_part_of_another():
    names = [frozenset(job.name for job in each.jobs) for each in Study().sets]
    assert not [(i, j) for i, a in enumerate(names) for j, b in enumerate(names) if i != j and a <= b]


def test_another_seed_draws_other_sets_and_servers():
    assert Study(1).sets != Study(2).sets
    assert Study(1).servers != Study(2).servers


def test_what_is_saved_is_in_whole_minutes_and_per_cent():
    assert saved(60 * MINUTE, 90 * MINUTE) == Saved(30, 33)
    assert str(Saved(1_500, 33)) == "1,500 min (33 %)"
