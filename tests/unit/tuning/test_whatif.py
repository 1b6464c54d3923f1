"""What-if: every answer is the tuner's own, for a situation that differs in one thing."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flexlbf.scheduling import Drive, Job, equal_drives
from flexlbf.scheduling.units import MINUTE, NANOSECONDS, to_microbytes
from flexlbf.tuning import (
    Answer,
    Deadline,
    Fastest,
    Objective,
    Questions,
    Situation,
    Topic,
    Variation,
    WhatIf,
    WithinPercent,
    allowed_drives,
    tune,
    what_if,
)
from flexlbf.tuning.whatif import data_grown, drives_lost, fewer_agents, other_drives, set_added
from support.builders import a_session
from support.strategies import examples, pools, workloads

FEW = Variation(0.2, 3)
OBJECTIVES = st.sampled_from([Fastest(), WithinPercent(15), Deadline(300 * NANOSECONDS)])
TWELVE = a_session().with_object("long", 7200, 10).with_objects("a b c d e f g h i j k", 3600, 10)
HOUR = 3600 * NANOSECONDS


def situation(**fields: object) -> Situation:
    """A long object and eleven of half as long, on four drives."""
    given = {"jobs": TWELVE.jobs, "pool": equal_drives(4, 80, 10), "objective": Fastest(), **fields}
    return Situation(**given)  # type: ignore[arg-type]


def asked(there: Situation, questions: Questions | None = None) -> WhatIf:
    """The answers, the workload being one set."""
    return what_if(there, questions or Questions(variation=FEW), {"fleet": there.jobs})


def of(found: WhatIf, topic: Topic) -> list[Answer]:
    """The answers about one thing."""
    return [answer for answer in found.answers if answer.change.topic is topic]


def settings(answers: Sequence[Answer]) -> list[tuple[int, int, float]]:
    """Drives, agents and hours of answers."""
    return [
        (len(each.setting.drives), each.setting.max_agents, each.setting.makespan / HOUR)
        for each in answers
        if each.setting
    ]


@examples(40)
@given(workloads(min_jobs=1, max_jobs=8), pools(max_drives=3), OBJECTIVES, st.sampled_from([1, MINUTE]))
def test_every_answer_is_what_the_tuner_says_of_the_changed_situation(
    jobs: list[Job], drives: list[Drive], objective: Objective, grid: int
) -> None:
    """No question is answered by a shortcut."""
    there = Situation(tuple(jobs), tuple(drives), objective, 300 * NANOSECONDS, start_grid=grid)
    found = asked(there)
    for change, setting, fits in [
        (there, found.base, found.fits),
        *((each.change.situation, each.setting, each.fits) for each in found.answers),
    ]:
        if not change.pool:
            assert (setting, fits) == (None, False)
            continue
        assert setting is not None
        wanted = tune(
            change.jobs,
            allowed_drives(change.pool, None, change.most_agents),
            objective,
            start_grid=grid,
        ).chosen
        assert setting.makespan == wanted.makespan
        assert fits == (wanted.makespan <= 300 * NANOSECONDS)
        if wanted.meets_target:
            assert (setting.drives, setting.max_agents) == (wanted.drives, wanted.max_agents)


@examples(60)
@given(workloads(min_jobs=1), pools())
def test_growing_by_one_changes_nothing(jobs: list[Job], drives: list[Drive]) -> None:
    """Not by a nanosecond."""
    there = Situation(tuple(jobs), tuple(drives), Fastest())
    assert data_grown(there, 1.0).situation == there


@examples(60)
@given(workloads(min_jobs=1), pools(), st.sampled_from([0.5, 1.1, 1.3, 2.0]))
def test_grown_data_takes_longer_at_the_same_rate(
    jobs: list[Job], drives: list[Drive], factor: float
) -> None:
    """Of every object alike."""
    grown = data_grown(Situation(tuple(jobs), tuple(drives), Fastest()), factor).situation
    for before, after in zip(jobs, grown.jobs, strict=True):
        assert (after.name, after.rate) == (before.name, before.rate)
        assert after.duration == pytest.approx(before.duration * factor, abs=1)


@examples(60)
@given(workloads(min_jobs=1), pools())
def test_every_kind_of_drive_is_lost_once(jobs: list[Job], drives: list[Drive]) -> None:
    """From all there are; then from those in use, where any is spare. One drive goes, the rest stays."""
    there = Situation(tuple(jobs), tuple(drives), Fastest())
    base = there.tune()
    assert base
    lost = list(drives_lost(there, base))
    kinds = {(drive.max_rate, drive.max_agents) for drive in drives}
    used = [drive for drive in drives if drive.name in {each.name for each in base.drives}]
    kinds_used = {(drive.max_rate, drive.max_agents) for drive in used}
    spare = len(used) < len(drives)
    assert len(lost) == len(kinds) + (len(kinds_used) if spare else 0)
    for place, change in enumerate(lost):
        there_were = drives if place < len(kinds) else used
        left = change.situation.pool
        assert list(left) == [drive for drive in there_were if drive.name != change.about]
        assert len(left) == len(there_were) - 1


@examples(60)
@given(workloads(min_jobs=1), workloads(min_jobs=1), pools())
def test_added_objects_keep_what_they_are_and_get_names_of_their_own(
    jobs: list[Job], more: list[Job], drives: list[Drive]
) -> None:
    """However many are called alike."""
    there = Situation(tuple(jobs), tuple(drives), Fastest())
    twice = set_added(set_added(there, more, "new", "").situation, more, "new", "").situation
    assert twice.jobs[: len(jobs)] == there.jobs
    added = [(job.duration, job.rate) for job in twice.jobs[len(jobs) :]]
    assert added == 2 * [(job.duration, job.rate) for job in more]
    assert len({job.name for job in twice.jobs}) == len(jobs) + 2 * len(more)


@examples(60)
@given(workloads(min_jobs=1, max_jobs=4), pools(max_drives=8))
def test_drives_beyond_the_number_of_objects_are_left_out_without_loss(
    jobs: list[Job], drives: list[Drive]
) -> None:
    """They would stay idle whatever they are; without the limit the session is the same."""
    assume(len(drives) > len(jobs))
    there = Situation(tuple(jobs), tuple(drives), Fastest())
    assert len(there.allowed()) == len(jobs)
    setting = there.tune()
    assert setting
    assert setting.makespan == tune(jobs, drives, Fastest()).chosen.makespan


def test_a_lost_drive_costs_nothing_while_there_is_a_spare() -> None:
    """And without one it is the end, where only one is in use."""
    first, second = of(asked(situation(window=2 * HOUR)), Topic.DRIVE_LOST)
    assert first.change.words == "1 of 4 drives of 80 MB/s lost"
    assert settings([first]) == [(1, 7, 2)]
    assert second.change.words == "the only drive of 80 MB/s in use lost, with no spare"
    assert (second.setting, second.fits) == (None, False)


def test_a_lost_drive_may_even_help() -> None:
    """What only the fast drive takes at its rate is slowed without it, fits the others and blocks nothing."""
    session = a_session().with_objects("a c", 4, 50).with_object("b", 1, 70).with_object("d", 5, 80)
    session = session.with_object("e", 8, 40).with_object("f", 2, 60)
    pool = (Drive.of("slow-0", 40, 2), Drive.of("slow-1", 40, 1), Drive.of("fast", 80, 4))
    found = asked(situation(jobs=session.jobs, pool=pool))
    assert found.base.makespan == 24 * NANOSECONDS
    without = next(each for each in of(found, Topic.DRIVE_LOST) if each.change.about == "fast")
    assert without.setting
    assert without.setting.makespan == 16.75 * NANOSECONDS


def test_kinds_of_drives_are_told_apart() -> None:
    """By their rate, and where that does not do by their agents."""
    pool = (Drive.of("new", 160, 4), Drive.of("old", 80, 4), Drive.of("older", 80, 2))
    lost = of(asked(situation(pool=pool)), Topic.DRIVE_LOST)
    assert [each.change.words for each in lost[:3]] == [
        "the only drive of 160 MB/s lost",
        "the only drive of 80 MB/s and 4 agents lost",
        "the only drive of 80 MB/s and 2 agents lost",
    ]


def test_half_the_agents_are_asked_about_and_half_the_restores() -> None:
    """So that interleaving is a choice between two numbers."""
    found = asked(situation())
    (fewer,) = of(found, Topic.FEWER_AGENTS)
    assert fewer.change.words == "at most 3 agents a drive"
    assert fewer.setting
    assert found.base.stretch
    assert fewer.setting.stretch
    assert fewer.setting.stretch.median < found.base.stretch.median
    assert fewer_agents(situation(), 1).words == "at most 1 agent a drive"


def test_one_more_set_is_like_the_largest_unless_others_are_given() -> None:
    """Largest by bytes."""
    jobs = TWELVE.jobs
    sets = {"small": jobs[:1], "large": jobs[1:]}
    (grown,) = of(what_if(situation(), Questions(variation=FEW), sets), Topic.SET_ADDED)
    assert grown.change.words == "one more set like large"
    assert len(grown.change.situation.jobs) == 23
    given_ones = Questions(added={"new": [Job.of("x", 60, 1)], "small": sets["small"]}, variation=FEW)
    new, again = of(what_if(situation(), given_ones, sets), Topic.SET_ADDED)
    assert (new.change.words, len(new.change.situation.jobs)) == ("set new added", 13)
    assert again.change.words == "one more set like small"


def test_drives_of_another_generation_take_the_place_of_all() -> None:
    """Of twice their rate without another one."""
    assert [drive.max_rate for drive in other_drives(situation(), None).situation.pool] == [
        to_microbytes(160)
    ] * 4
    assert other_drives(situation(), to_microbytes(300)).words == "drives of 300 MB/s instead"
    unequal = situation(pool=(Drive.of("a", 80, 4), Drive.of("b", 40, 4)))
    assert other_drives(unequal, None).words == "drives twice as fast"


def test_limits_hold_for_what_is_changed_too() -> None:
    """Who may use two drives gets no third for a set more."""
    found = asked(situation(most_drives=1, most_agents=4, window=4 * HOUR))
    assert settings(of(found, Topic.SET_ADDED)) == [(1, 4, 7)]
    assert all(len(each.setting.drives) == 1 for each in found.answers if each.setting)


def test_without_a_window_nobody_can_say_whether_it_fits() -> None:
    """Neither of the plan nor of an answer."""
    found = asked(situation())
    assert {found.fits, *(each.fits for each in found.answers)} == {None}


def test_steps_are_told_up_to_the_last() -> None:
    """For a progress bar: one for the plan, one an answer, one a session that varies."""
    told: list[tuple[int, int]] = []
    found = what_if(situation(), Questions(variation=FEW), {}, lambda done, whole: told.append((done, whole)))
    whole = 1 + len(found.answers) + 3
    assert told == [(done, whole) for done in range(1, whole + 1)]


@pytest.mark.parametrize("missing", ["jobs", "pool"])
def test_nothing_can_be_asked_of_nothing(missing: str) -> None:
    """At least one drive and one object."""
    with pytest.raises(ValueError, match="at least one drive and one object"):
        asked(situation(**{missing: ()}))
