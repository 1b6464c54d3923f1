"""`flexlbf simulate` says which object runs on which drive, and when."""

import json
from pathlib import Path

import pytest
import yaml

from unit.cli.conftest import ESTIMATES
from unit.cli.terminal import a_file, flexlbf

ONE_DRIVE = ("--drives", 1, "--max-agents", 10, "--max-throughput", 80)
TWO_DRIVES = ("--drives", 2, "--max-agents", 10, "--max-throughput", 80)
JSON = ("-o", "json")


def test_json_has_the_session(jobs: Path):
    assert flexlbf("simulate", jobs, *ONE_DRIVE, *JSON).data() == {
        "scheduler": "flexlbf",
        "makespan_s": 140.0,
        "lower_bound_s": 140.0,
        "bound_by": "Throughput",
        "optimal": True,
        "restore_stretch": {"median": 1.36, "worst": 8 / 3, "worst_object": "b"},
        "capped": [],
        "assignments": [
            {"object": "a", "drive": 0, "start_s": 0.0, "end_s": 100.0},
            {"object": "b", "drive": 0, "start_s": 0.0, "end_s": 60.0},
            {"object": "c", "drive": 0, "start_s": 100.0, "end_s": 140.0},
        ],
    }


def test_yaml_says_the_same(jobs: Path):
    as_json = flexlbf("simulate", jobs, *ONE_DRIVE, *JSON).data()
    assert yaml.safe_load(flexlbf("simulate", jobs, *ONE_DRIVE, "-o", "yaml").out) == as_json


def test_drives_count_from_zero(jobs: Path):
    assignments = flexlbf("simulate", jobs, *TWO_DRIVES, *JSON).data()["assignments"]
    assert {each["object"]: each["drive"] for each in assignments} == {"a": 0, "b": 1, "c": 1}


def test_times_are_what_the_nanoseconds_say(tmp_path: Path):
    thirds = a_file(tmp_path, ESTIMATES, "a,0.1,1", "b,0.2,80")
    ends = [each["end_s"] for each in flexlbf("simulate", thirds, *ONE_DRIVE, *JSON).data()["assignments"]]
    assert ends == [0.2, 0.3]


def test_an_object_faster_than_every_drive_is_told(tmp_path: Path):
    data = flexlbf("simulate", a_file(tmp_path, ESTIMATES, "a,100,160"), *ONE_DRIVE, *JSON).data()
    assert (data["capped"], data["makespan_s"], data["lower_bound_s"]) == (["a"], 200.0, 200.0)


def test_the_workload_may_come_from_standard_input(jobs: Path):
    piped = flexlbf("simulate", "-", *ONE_DRIVE, *JSON, stdin=jobs.read_bytes())
    assert piped.data() == flexlbf("simulate", jobs, *ONE_DRIVE, *JSON).data()


@pytest.mark.parametrize(("window", "seconds"), [(1, 300), (2, 250), (3, 200), (9, 200)])
def test_window_is_over_how_many_backups_the_throughput_is_averaged(history: Path, window: int, seconds: int):
    """30, 25 or 20 MB/s for 100 s make that many seconds at 10 MB/s."""
    pool = ("--drives", 1, "--max-agents", 1, "--max-throughput", 10)
    data = flexlbf("simulate", history, *pool, "--window", window, *JSON).data()
    assert data["makespan_s"] == seconds


def test_lbf_streams_share_a_drive_that_is_asked_too_much(jobs: Path):
    data = flexlbf("simulate", jobs, *ONE_DRIVE, "--scheduler", "lbf", *JSON).data()
    assert data["makespan_s"] == 120.0


@pytest.mark.parametrize("scheduler", ["lbf", "traditional"])
@pytest.mark.parametrize(
    ("options", "makespan"),
    [
        pytest.param(("--max-agents", 10), 20.0, id="four by default"),
        pytest.param(("--max-agents", 2), 40.0, id="as many as are allowed, if these are fewer"),
        pytest.param(("--max-agents", 10, "--agents-per-drive", 1), 80.0, id="as many as asked for"),
        pytest.param(("--max-agents", 10, "--agents-per-drive", 8), 10.0, id="more than four if asked for"),
    ],
)
def test_baselines_run_a_fixed_number_of_agents(
    tmp_path: Path, scheduler: str, options: tuple[object, ...], makespan: float
):
    eight = a_file(tmp_path, ESTIMATES, *(f"o{i},10,1" for i in range(8)))
    pool = ("--drives", 1, "--max-throughput", 80, *options, "--scheduler", scheduler)
    data = flexlbf("simulate", eight, *pool, *JSON).data()
    assert data["makespan_s"] == makespan


def test_the_bound_is_that_of_the_agents_that_are_simulated(tmp_path: Path):
    eight = a_file(tmp_path, ESTIMATES, *(f"o{i},10,1" for i in range(8)))
    lbf = flexlbf("simulate", eight, *ONE_DRIVE, "--scheduler", "lbf", *JSON).data()
    assert (lbf["lower_bound_s"], lbf["bound_by"], lbf["optimal"]) == (20.0, "Agents", True)
    flex = flexlbf("simulate", eight, *ONE_DRIVE, *JSON).data()
    assert (flex["lower_bound_s"], flex["bound_by"]) == (10.0, "LongestObject")


def test_a_seed_gives_the_traditional_order_again(jobs: Path):
    def order(seed: int) -> list[str]:
        options = ("--scheduler", "traditional", "--seed", seed, *JSON)
        data = flexlbf("simulate", jobs, *ONE_DRIVE, *options).data()
        return [each["object"] for each in data["assignments"]]

    assert order(1) == order(1)
    assert len({tuple(order(seed)) for seed in range(10)}) > 1


def test_the_table_says_what_matters(jobs: Path):
    out = flexlbf("simulate", jobs, *ONE_DRIVE).out
    assert out.startswith("FlexLBF backs 3 objects up in 2m20s.\n1 drive of 80 MB/s")
    assert (
        "No schedule is shorter: objects that ask so much of a drive have to wait for each other."
        in " ".join(out.split())
    )
    assert "    0        3     +2m20s   8.4 GB       75 %            2\n" in out
    assert "c           0  +1m40s  +2m20s    40s  40.0\n" in out


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        pytest.param(["a,100,50"], "No schedule is shorter: a alone takes that long.", id="one object"),
        pytest.param(
            [f"o{i:02},10,1" for i in range(15)],
            "No schedule is shorter: with 10 agents objects have to wait for each other.",
            id="agents, two objects one after the other",
        ),
        pytest.param(
            [f"o{i:02},10,1" for i in range(20)],
            "No schedule is shorter: the objects' time, added up, takes that long on 10 agents.",
            id="agents",
        ),
        pytest.param(
            [f"o{i:02},10,16" for i in range(10)],
            "No schedule is shorter: 1.6 GB take that long at the 80 MB/s of 1 drive.",
            id="throughput",
        ),
        pytest.param(
            ["a,100,100", "b,100,99"],
            "a and b are faster than a drive, so planned at 80 MB/s.",
            id="too fast",
        ),
    ],
)
def test_the_table_explains_what_bounds_the_session(tmp_path: Path, rows: list[str], sentence: str):
    out = flexlbf("simulate", a_file(tmp_path, ESTIMATES, *rows), *ONE_DRIVE).out
    assert sentence in " ".join(out.split())


def test_the_table_shows_the_first_objects_and_drives(tmp_path: Path):
    many = a_file(tmp_path, ESTIMATES, *(f"object{i:02},10,80" for i in range(25)))
    pool = ("--drives", 12, "--max-agents", 1, "--max-throughput", 80)
    first, everything = (flexlbf("simulate", many, *pool, *more).out for more in ((), ("--all",)))
    assert "and 2 more drives: --all shows them" in first
    assert "and 15 more objects: --all shows them" in first
    assert (first.count("object"), everything.count("object")) == (15, 29)
    assert "--all" not in everything


def test_an_unused_drive_is_shown_as_such(tmp_path: Path):
    out = flexlbf("simulate", a_file(tmp_path, ESTIMATES, "a,100,50"), *TWO_DRIVES).out
    assert "    1        0          -      0 B        0 %            0\n" in out


def test_of_more_than_a_thousand_objects_each_is_a_line(tmp_path: Path):
    """So that one is found with grep; the data is the same."""
    rows = [f"object {number},60,{number % 7}" for number in range(1200)]
    many = a_file(tmp_path, "object,duration_s,throughput_mbps", *rows)
    result = flexlbf("simulate", many, *TWO_DRIVES, *JSON)
    assignments = result.data()["assignments"]
    assert len(assignments) == 1200
    assert f"    {json.dumps(assignments[7])}," in result.out.splitlines()
    assert '  "scheduler": "flexlbf",' in result.out.splitlines()
