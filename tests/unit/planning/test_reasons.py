"""Why a policy's settings are what they are, and what would help: every figure is one of a simulation."""

from dataclasses import replace
from functools import reduce
from typing import Any

import pytest

from flexlbf.planning.reasons import Case, Statement, reasons
from flexlbf.planning.remedies import Remedy, remedies
from flexlbf.scheduling import Job, simulate
from flexlbf.scheduling.units import MINUTE, NANOSECONDS
from flexlbf.tuning import Fastest, Tuner
from support.reports import a_fleet, page_of, planned_of
from support.resources import Policy, Pool, Set, a_policy, a_pool, a_set

HOUR = 60 * MINUTE


def a_case(*sets: Set, policy: Policy | None = None, pool: Pool | None = None) -> Case:
    """A policy's case, of the set `fleet`."""
    fleet = a_fleet(policy or a_policy(), sets=sets, pool=pool)
    return Case(planned_of(fleet)[0].examined)


def told(case: Case) -> dict[str, Statement]:
    """The reasons by their topics."""
    return {each.topic: each for each in reasons(case)}


def helping(case: Case) -> dict[str, Remedy]:
    """The remedies by what they change; of two that change the same the last."""
    return {each.change: each for each in remedies(case)}


LONG_ONE = a_set().with_object("long", "4h", "10M").with_objects(12, minutes=60)
"""An object that takes four hours, and twelve of one that need a drive and a half for as long."""


def test_what_was_chosen_is_said_with_its_neighbours():
    """One drive fewer, one agent fewer: each held against what is wanted."""
    case = a_case(LONG_ONE, pool=a_pool().with_drives(count=6, max_throughput="20M"))
    found = told(case)
    assert [*found] == ["objective", "drives", "agents", "bound", "price"]
    chosen = case.chosen
    assert found["drives"].figures["drives"] == len(chosen.drives) == 4
    fewer = simulate(case.jobs, case.allowed[:3], case.scheduler, start_grid=MINUTE)
    assert found["drives"].figures["one_fewer_s"] == fewer.makespan / NANOSECONDS
    assert "too long" in found["drives"].words
    assert "2 drives of the pool are free for others" in found["drives"].words
    one_agent_fewer = tuple(replace(each, max_agents=chosen.max_agents - 1) for each in chosen.drives)
    slower = simulate(case.jobs, one_agent_fewer, case.scheduler, start_grid=MINUTE)
    assert found["agents"].figures["one_fewer_s"] == slower.makespan / NANOSECONDS
    assert slower.makespan > chosen.makespan


@pytest.mark.parametrize(
    ("given", "pool", "bound", "words"),
    [
        (LONG_ONE, a_pool().with_drives(count=4), "LongestObject", "long alone takes that long"),
        (
            reduce(lambda made, number: made.with_object(f"o{number}", "6m", "5M"), range(30), a_set()),
            a_pool().with_drives(count=1, max_throughput="15M"),
            "Throughput",
            "54 GB take that long at the 15 MB/s of 1 drive",
        ),
        (
            reduce(lambda made, name: made.with_object(name, "1h", "40M"), "abcd", a_set()).with_object(
                "e", "90m", "50M"
            ),
            a_pool().with_drives(count=1),
            "Throughput",
            "objects that ask so much of a drive have to wait for each other",
        ),
        (
            a_set().with_object("a", "1h", "1M").with_object("b", "1h", "1M"),
            a_pool().with_drives(count=1, max_agents=1),
            "Agents",
            "the objects' time, added up, takes that long on 1 agent",
        ),
    ],
    ids=["longest", "throughput", "exclusion", "agents"],
)
def test_what_bounds_the_session_is_named(given: Set, pool: Pool, bound: str, words: str):
    """The object, the bytes or the agents."""
    found = told(a_case(given, pool=pool))["bound"]
    assert found.figures["bound_by"] == bound
    assert words in found.words


def test_the_objective_is_said_in_its_own_words():
    """Percent and window included."""
    wanted: dict[str, dict[str, Any]] = {
        "What is wanted is the fastest session": {},
        "at most 25 % longer than the fastest": {"objective": "WithinPercent", "percent": 25},
        "a session of 6h at most": {"objective": "Deadline", "window": "6h"},
    }
    for words, setting in wanted.items():
        found = told(a_case(LONG_ONE, policy=a_policy().setting(**setting)))["objective"]
        assert words in found.words
        assert found.figures["met"] is True


def test_a_deadline_that_cannot_be_met_is_not_explained_away():
    """All is used, and there is no word on fewer drives."""
    case = a_case(LONG_ONE, policy=a_policy().setting(objective="Deadline", window="2h"))
    found = told(case)
    assert "Not even that is enough" in found["objective"].words
    assert not {"drives", "agents"} & found.keys()


def test_splitting_the_longest_object_is_simulated():
    """Two objects of half its time at its rate."""
    case = a_case(LONG_ONE)
    remedy = helping(case)["split"]
    halves = [Job(f"long (part {part})", 2 * HOUR, 10 * 10**12) for part in (1, 2)]
    others = [job for job in case.jobs if job.name != "long"]
    split = Tuner([*others, *halves], case.allowed, start_grid=MINUTE).tune(Fastest())
    assert remedy.makespan == split.makespan < case.chosen.makespan
    assert remedy.words.startswith("Splitting long, the longest object (4h), in two equal parts would save ")
    assert f"at most {split.max_agents} agents" in remedy.words


def test_another_drive_and_another_agent_are_simulated():
    """With the words for a pool that has none left."""
    case = a_case(
        a_set().with_objects(12, minutes=60), pool=a_pool().with_drives(count=1, max_throughput="20M")
    )
    found = helping(case)
    (drive,) = case.chosen.drives
    pool = [case.allowed[0], replace(case.allowed[0], name="other")]
    two = Tuner(case.jobs, pool, start_grid=MINUTE).tune(Fastest()).makespan
    assert found["drive"].makespan == two < case.chosen.makespan
    assert "A drive more in the pool, of 20 MB/s, would save" in found["drive"].words
    more = simulate(
        case.jobs, [replace(drive, max_agents=drive.max_agents + 1)], case.scheduler, start_grid=MINUTE
    )
    assert found["agent"].makespan == more.makespan


def test_what_would_meet_a_window_is_told_first():
    """The window that would do, and the fewest drives in the pool."""
    pool = a_pool().with_drives(count=1, max_throughput="20M")
    late = a_policy().setting(window="90m")
    case = a_case(a_set().with_objects(12, minutes=60), policy=late, pool=pool)
    found = [*remedies(case)]
    assert [each.change for each in found[:2]] == ["window", "drives"]
    needed = found[1]
    count = int(needed.words.split()[0])
    (drive,) = case.allowed

    def makespan(drives: int) -> int:
        pool = [replace(drive, name=f"drive-{number}") for number in range(drives)]
        return simulate(case.jobs, pool, case.scheduler, start_grid=MINUTE).makespan

    assert makespan(count) == needed.makespan <= 90 * MINUTE < makespan(count - 1)
    assert needed.fits is True


def test_objects_longer_than_the_window_are_named():
    """No drives would help, so none are promised."""
    late = a_policy().setting(window="2h")
    found = [*remedies(a_case(LONG_ONE, policy=late))]
    assert [each.change for each in found[:2]] == ["window", "split"]
    assert found[1].words == (
        "Without splitting long no drives or agents help: it takes longer than the window alone."
    )
    assert "drives" not in {each.change for each in found}


def test_a_longer_session_is_offered_where_it_takes_less():
    """As the status does among its alternatives."""
    case = a_case(LONG_ONE, pool=a_pool().with_drives(count=4, max_throughput="20M"))
    offered = helping(case).get("longer")
    (other,) = case.session.tuning.alternatives
    less = (len(other.drives), other.max_agents) < (case.drives, case.chosen.max_agents)
    assert (offered is not None) == less


def test_what_was_not_planned_cannot_be_explained():
    """There is no session to speak of."""
    (planned,) = planned_of(a_fleet(a_policy().backing_up("nowhere")))
    with pytest.raises(ValueError, match="only what was planned"):
        Case(planned.examined)


def test_a_host_that_may_send_few_streams_is_named():
    """And one stream more is planned with."""
    given = a_set().with_object("a", "1h", "1M", host="mail").with_object("b", "1h", "1M", host="mail")
    case = a_case(given, policy=a_policy().setting(limits={"perHost": 1}))
    bound = told(case)["bound"]
    assert (bound.figures["bound_by"], bound.figures["bound_host"]) == ("Host", "mail")
    assert "the objects of host mail take that long at 1 stream at a time" in bound.words
    assert helping(case)["host"].makespan == HOUR
    assert "mail" in page_of(a_fleet(a_policy().setting(limits={"perHost": 1}), sets=[given]))


def test_the_halves_of_an_object_are_on_its_host():
    """Where no two may run at a time, splitting saves nothing."""
    given = a_set().with_object("a", "2h", "1M", host="mail").with_object("b", "1h", "1M", host="mail")
    case = a_case(given, policy=a_policy().setting(limits={"perHost": 1}))
    assert helping(case)["split"].makespan == case.chosen.makespan == 3 * HOUR
