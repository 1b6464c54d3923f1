"""`flexlbf tune` says which settings to use, what they cost and what they save."""

from pathlib import Path

import pytest
import yaml

from unit.cli.conftest import ESTIMATES
from unit.cli.terminal import a_file, flexlbf

SITE = ("--drives", 4, "--max-agents", 10, "--max-throughput", 80)
JSON = ("-o", "json")


@pytest.fixture
def twelve(tmp_path: Path) -> Path:
    """A long object, and eleven of an hour that fill a drive six at a time."""
    return a_file(tmp_path, ESTIMATES, "long,7200,10", *(f"o{i:02},3600,10" for i in range(11)))


def test_json_has_the_settings_and_what_they_are_compared_with(twelve: Path):
    assert flexlbf("tune", twelve, *SITE, *JSON).data() == {
        "objective": "Fastest",
        "meets_target": True,
        "drives": 1,
        "max_agents": 7,
        "makespan_s": 7200.0,
        "reference_s": 7200.0,
        "lower_bound_s": 7200.0,
        "bound_by": "LongestObject",
        "optimal": True,
        "restore_stretch": {"median": 6.75, "worst": 7.0, "worst_object": "o00"},
        "capped": [],
        "alternatives": [
            {
                "objective": "WithinPercent",
                "percent": 15,
                "drives": 1,
                "max_agents": 7,
                "makespan_s": 7200.0,
                "restore_stretch": {"median": 6.75, "worst": 7.0, "worst_object": "o00"},
            }
        ],
        "compared_to": {
            "traditional": {
                "makespan_s": 14400.0,
                "saved_percent": 50,
                "restore_stretch": {"median": 4.0, "worst": 4.0},
            },
            "lbf": {
                "makespan_s": 14400.0,
                "saved_percent": 50,
                "restore_stretch": {"median": 4.0, "worst": 4.0, "worst_object": "long"},
            },
        },
    }


def test_yaml_says_the_same(twelve: Path):
    as_json = flexlbf("tune", twelve, *SITE, *JSON).data()
    assert yaml.safe_load(flexlbf("tune", twelve, *SITE, "-o", "yaml").out) == as_json


def test_within_accepts_a_longer_session(twelve: Path):
    data = flexlbf("tune", twelve, *SITE, "--within", "50", *JSON).data()
    assert (data["objective"], data["percent"]) == ("WithinPercent", 50)
    assert (data["drives"], data["max_agents"], data["makespan_s"]) == (1, 5, 10800.0)


@pytest.mark.parametrize("deadline", ["3h", "2h60m", "180m", "10800s", "10800.0s"])
def test_a_deadline_is_a_duration(twelve: Path, deadline: str):
    data = flexlbf("tune", twelve, *SITE, "--deadline", deadline, *JSON).data()
    assert (data["deadline_s"], data["meets_target"]) == (10800.0, True)
    assert (data["drives"], data["max_agents"]) == (1, 5)


def test_a_deadline_that_can_not_be_met_gives_all_there_is(twelve: Path):
    data = flexlbf("tune", twelve, *SITE, "--deadline", "1h", *JSON).data()
    assert not data["meets_target"]
    assert (data["drives"], data["max_agents"], data["makespan_s"]) == (4, 10, 7200.0)


def test_more_drives_than_objects_are_no_trouble(jobs: Path):
    pool = ("--drives", 100_000, "--max-agents", 1000, "--max-throughput", 80)
    assert flexlbf("tune", jobs, *pool, *JSON).data()["drives"] == 2
    missed = flexlbf("tune", jobs, *pool, "--deadline", "1s", *JSON).data()
    assert (missed["drives"], missed["max_agents"]) == (100_000, 1000)


def test_the_table_recommends_in_a_sentence(twelve: Path):
    out = flexlbf("tune", twelve, *SITE).out
    assert out.startswith("Use 1 of the 4 drives with at most 7 agents: a session takes 2h.\n")
    assert "That is as fast as on 4 drives with 10 agents each." in out
    assert "3 drives are free for other work." in out
    assert "No schedule is shorter: long alone takes that long." in out


def test_the_table_puts_the_alternatives_side_by_side(twelve: Path):
    rows = {line[:18].strip(): line[18:].split() for line in flexlbf("tune", twelve, *SITE).out.splitlines()}
    assert rows["recommended"] == ["1", "7", "2h", "6.8x", "(worst", "7.0x)"]
    assert rows["15 % over fastest"] == ["1", "7", "2h", "6.8x", "(worst", "7.0x)"]
    assert rows["all there is"] == ["4", "10", "2h", "3.0x", "(worst", "3.0x)"]
    assert rows["LBF instead"] == ["1", "4", "4h", "4.0x", "(worst", "4.0x)", "50", "%"]
    assert rows["random order"] == ["1", "4", "4h", "4.0x", "(worst", "4.0x)", "50", "%"]


def test_the_table_says_what_the_agents_cost_and_where_it_hurts_most(twelve: Path):
    out = " ".join(flexlbf("tune", twelve, *SITE).out.split())
    assert "Restores read 6.8x their data (worst 7.0x, o00), as streams are interleaved" in out
    alone = flexlbf("tune", twelve, "--drives", 1, "--max-agents", 1, "--max-throughput", 80).out
    assert "Restores read nothing but their data" in alone


def test_objects_of_no_bytes_have_no_restores(tmp_path: Path):
    empty = a_file(tmp_path, ESTIMATES, "a,600,0", "b,600,0")
    assert flexlbf("tune", empty, *SITE, *JSON).data()["restore_stretch"] is None
    assert "Restores" not in flexlbf("tune", empty, *SITE).out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        pytest.param(
            ("--within", 50),
            "longer than the fastest, 2h on 4 drives with 10 agents each; you accept 50 %.",
            id="within",
        ),
        pytest.param(("--within", 0), "That is as fast as on 4 drives", id="within nothing"),
        pytest.param(("--deadline", "3h30m"), "That is 30m before the deadline of 3h30m.", id="early"),
        pytest.param(("--deadline", "2h"), "That is just at the deadline of 2h.", id="just in time"),
        pytest.param(
            ("--deadline", "1h30m"),
            "The deadline of 1h30m can't be met: with all there is, 4 drives with 10 agents each, a session "
            "takes 2h, 30m too long.",
            id="missed",
        ),
        pytest.param(
            ("--deadline", "1h30m"),
            "Neither drives nor agents would help: long alone takes longer than that. Split what is so long, "
            "make its client faster, or allow 2h at least.",
            id="missed for an object",
        ),
    ],
)
def test_the_table_says_how_the_target_is_met(twelve: Path, options: tuple[object, ...], sentence: str):
    assert sentence in " ".join(flexlbf("tune", twelve, *SITE, *options).out.split())


@pytest.mark.parametrize(
    ("options", "sentences"),
    [
        pytest.param(
            ("--max-agents", 3, "--max-throughput", 80),
            ["2 such drives would meet it, with 3 agents each.", "So would 6 agents on each drive"],
            id="too few agents",
        ),
        pytest.param(
            ("--max-agents", 10, "--max-throughput", 30),
            ["2 such drives would meet it, with 10 agents each."],
            id="too little throughput",
        ),
    ],
)
def test_the_table_says_what_would_meet_the_deadline(
    tmp_path: Path, options: tuple[object, ...], sentences: list[str]
):
    six = a_file(tmp_path, ESTIMATES, *(f"o{i},600,10" for i in range(6)))
    out = flexlbf("tune", six, "--drives", 1, *options, "--deadline", "10m").out
    assert all(sentence in out for sentence in sentences)
    assert ("So would" in out) == (len(sentences) > 1)


def test_the_table_says_that_nothing_can_be_taken_away(tmp_path: Path):
    pair = a_file(tmp_path, ESTIMATES, "a,600,10", "b,600,10")
    out = flexlbf("tune", pair, "--drives", 1, "--max-agents", 2, "--max-throughput", 80).out
    assert "All of it is needed: with a drive or an agent less a session takes longer." in out
    assert "all there is" not in out
    assert "free for other work" not in out


def test_the_table_owns_up_where_another_scheduler_is_shorter(jobs: Path):
    out = flexlbf("tune", jobs, *SITE[2:], "--drives", 1).out
    assert "-17 %" in out
    assert "What is shorter than this lets streams ask more of a drive than it takes" in out
