"""`flexlbf whatif` answers in one table what would become of a plan."""

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from flexlbf.cli import progress as progress_module
from flexlbf.cli.progress import progress
from support.resources import a_class, a_config_map, a_policy, a_pool, a_set
from unit.cli.conftest import ESTIMATES
from unit.cli.terminal import a_file, flexlbf

SITE = ("--drives", 4, "--max-agents", 10, "--max-throughput", 80)
JSON = ("-o", "json")
RUNS = ("--runs", 5)


@pytest.fixture
def twelve(tmp_path: Path) -> Path:
    """A long object, and eleven of an hour that fill a drive six at a time."""
    return a_file(tmp_path, ESTIMATES, "long,7200,10", *(f"o{i:02},3600,10" for i in range(11)))


@pytest.fixture
def manifests(tmp_path: Path) -> Path:
    """Two policies on one pool, and a set that none of them backs up."""
    weekly = a_policy().setting(window="3h")
    unplanned = a_policy("unplanned").backing_up("missing")
    resources = [
        a_pool().with_drives(count=2).build(),
        a_class().build(),
        a_set().with_objects(6, minutes=60).build(),
        a_set("spare").with_objects(3, prefix="new:/d", minutes=30).build(),
        weekly.build(),
        a_policy("daily").at("0 1 * * *").build(),
    ]
    folder = tmp_path / "manifests"
    folder.mkdir()
    _write(folder / "all.yaml", *resources)
    _write(tmp_path / "unplanned.yaml", unplanned.build())
    return folder


def _write(path: Path, *resources: dict[str, Any]) -> Path:
    path.write_text(yaml.safe_dump_all(resources), encoding="utf-8")
    return path


def asked(*arguments: object) -> Any:
    """The answers as JSON."""
    return flexlbf("whatif", *arguments, *RUNS, *JSON).data()


def answer(data: Any, what_if: str) -> Any:
    """One of the answers."""
    (found,) = (each for each in data["answers"] if each["what_if"] == what_if)
    return found


def test_json_has_the_plan_every_answer_and_what_varies(twelve: Path):
    data = asked(twelve, *SITE, "--deadline", "3h")
    assert (data["objective"], data["window_s"]) == ("Deadline", 10800.0)
    base = data["base"]
    assert (base["drives"], base["max_agents"], base["makespan_s"], base["fits"]) == (1, 5, 10800.0, True)
    assert base["restore_stretch"]["median"] > 1
    assert [each["question"] for each in data["answers"]] == [
        *["DriveLost"] * 2,
        "FewerAgents",
        "SetAdded",
        *["DataGrown"] * 3,
        "OtherDrives",
    ]
    lost = answer(data, "the only drive of 80 MB/s in use lost, with no spare")
    assert (lost["drives"], lost["makespan_s"], lost["fits"]) == (0, None, False)
    grown = answer(data, "data grown 2x")
    assert (grown["about"], grown["makespan_s"], grown["fits"]) == (2.0, 14400.0, False)
    assert (grown["change_s"], grown["change_percent"]) == (3600.0, 33.33)
    varying = data["durations_vary"]
    assert (varying["sigma"], varying["runs"], varying["seed"]) == (0.2, 5, 0)
    assert 0 <= varying["chance_to_fit"] <= 1
    assert varying["median_s"] <= varying["p95_s"] <= varying["longest_s"]


def test_yaml_says_the_same(twelve: Path):
    as_yaml = flexlbf("whatif", twelve, *SITE, *RUNS, "-o", "yaml").out
    assert yaml.safe_load(as_yaml) == asked(twelve, *SITE)


def test_a_seed_gives_the_same_answers(twelve: Path):
    first = asked(twelve, *SITE, "--seed", 3)
    assert asked(twelve, *SITE, "--seed", 3) == first
    assert asked(twelve, *SITE, "--seed", 4)["durations_vary"] != first["durations_vary"]


def test_without_variation_sessions_are_the_plan(twelve: Path):
    data = asked(twelve, *SITE, "--sigma", 0, "--within", 50)
    assert data["durations_vary"]["p95_s"] == data["base"]["makespan_s"] == 10800.0
    assert data["durations_vary"]["chance_to_fit"] is None


def test_what_is_asked_can_be_chosen(twelve: Path, tmp_path: Path):
    new = a_file(tmp_path, ESTIMATES, "new,600,5", name="new.csv")
    data = asked(
        twelve, *SITE, "--grow", 1, "--grow", 3, "--drive-rate", "20M", "--add-set", new, "--within", 0
    )
    grown = answer(data, "data grown 1x")
    assert {key: grown[key] for key in ("drives", "max_agents", "makespan_s", "restore_stretch")} == {
        key: data["base"][key] for key in ("drives", "max_agents", "makespan_s", "restore_stretch")
    }
    assert answer(data, "data grown 3x")["change_percent"] == 200
    assert answer(data, "drives of 20 MB/s instead")["about"] == 20
    assert answer(data, "set new added")["about"] == "new"


def test_the_table_says_it_all_to_people(twelve: Path):
    out = flexlbf("whatif", twelve, *SITE, *RUNS, "--deadline", "3h").out
    text = " ".join(out.split())
    assert text.startswith(
        "As it is, a session takes 3h on 1 drive with at most 5 agents, which fits the window of 3h."
    )
    rows = {line[:54].strip(): line[54:].split() for line in out.splitlines()}
    assert rows["nothing changes"][:3] == ["1", "5", "3h"]
    assert rows["1 of 4 drives of 80 MB/s lost"][:4] == ["1", "5", "3h", "none"]
    assert rows["the only drive of 80 MB/s in use lost, with no spare"] == [
        "none",
        "-",
        "-",
        "no",
        "backup",
        "-",
        "no",
    ]
    assert rows["data grown 2x"][-1] == "no"
    assert "95 % within" in text
    assert "of them fit the window of 3h." in text
    assert out.isascii()


def test_without_a_window_nothing_is_said_to_fit(twelve: Path):
    out = flexlbf("whatif", twelve, *SITE, *RUNS).out
    assert "fit" not in out


def test_every_policy_has_its_answers(manifests: Path):
    data = asked("-f", manifests)
    assert sorted(data) == ["default/daily", "default/weekly"]
    weekly, daily = data["default/weekly"], data["default/daily"]
    assert (weekly["window_s"], daily["window_s"]) == (10800.0, None)
    assert weekly["base"]["makespan_s"] % 1 == 0
    assert answer(weekly, "one more set like fleet")["makespan_s"] >= weekly["base"]["makespan_s"]
    assert weekly["durations_vary"]["chance_to_fit"] is not None
    table = flexlbf("whatif", "-f", manifests, *RUNS).out
    assert table.count("as it is, a session takes") == 2
    assert "\n\n\n" not in table


def test_a_plan_has_the_same_answers_under_a_key_of_its_own(manifests: Path):
    planned = flexlbf("plan", "-f", manifests, *JSON, "--what-if").data()
    assert planned["whatIf"] == flexlbf("whatif", "-f", manifests, *JSON).data()
    kinds = {each["kind"] for each in planned["items"]}
    assert kinds == {"BackupPolicy", "CronJob"}
    assert "whatIf" not in flexlbf("plan", "-f", manifests, *JSON).data()
    assert "nothing changes" in flexlbf("plan", "-f", manifests, "--what-if").out


def test_a_set_is_added_by_name_by_manifest_or_by_csv(manifests: Path, tmp_path: Path):
    history = a_config_map("past", history_csv=f"{ESTIMATES}\nlate:/a,3000,8\n")
    late = a_set("late").with_unmeasured("late:/a").with_history_from("past")
    file = _write(tmp_path / "late.yaml", late.build(), history)
    csv = a_file(tmp_path, ESTIMATES, "csv:/a,600,5", name="extra.csv")
    data = asked(
        "-f", manifests, "--add-set", "spare", "--add-set", file, "--add-set", csv, "--add-set", "fleet"
    )
    added = [each["what_if"] for each in data["default/weekly"]["answers"] if each["question"] == "SetAdded"]
    assert sorted(added) == [
        "one more set like fleet",
        "set extra added",
        "set late added",
        "set spare added",
    ]


def test_a_policy_that_can_not_be_planned_is_told_after_the_others(manifests: Path):
    unplanned = manifests.parent / "unplanned.yaml"
    ended = flexlbf("whatif", "-f", manifests, "-f", unplanned, *RUNS, *JSON)
    assert ended.status == 2
    assert len(json.loads(ended.out)) == 2
    assert ended.err.startswith("Error: BackupPolicy default/unplanned: BackupSetNotFound: ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param([], "give -f FILE_OR_DIR, or JOBS.csv and its drives", id="nothing"),
        pytest.param(["JOBS"], "add --drives and --max-agents and --max-throughput", id="no drives"),
        pytest.param(["JOBS", *SITE[:4]], "add --max-throughput", id="no rate"),
        pytest.param(["--drives", 2], "go with JOBS.csv: name one", id="drives of no workload"),
        pytest.param(["JOBS", *SITE, "-f", "DIR"], "JOBS.csv and -f exclude each other", id="both"),
        pytest.param(["-f", "DIR", "--within", 3], "a policy says its objective itself", id="objective"),
        pytest.param(["-f", "DIR", "--add-set", "no"], "there is no such BackupSet", id="no such set"),
        pytest.param(["JOBS", *SITE, "--add-set", "spare"], "name a .csv file", id="a name beside a CSV"),
        pytest.param(["JOBS", *SITE, "--add-set", "no.csv"], "no.csv: No such file", id="no such CSV"),
        pytest.param(["-f", "DIR", "--add-set", "no.yaml"], "no.yaml:1: No such file", id="no such YAML"),
        pytest.param(["JOBS", *SITE, "--drive-rate", "fast"], "write an amount above zero", id="no rate "),
        pytest.param(["JOBS", *SITE, "--grow", "0"], "write a number from 0.001", id="shrunk to nothing"),
        pytest.param(["JOBS", *SITE, "--sigma", "-1"], "write a number from 0", id="negative sigma"),
        pytest.param(["-f", "no/such/folder"], "no/such/folder:1: No such file", id="no manifests"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments: list[object], says: str, manifests: Path, twelve: Path):
    places = {"JOBS": twelve, "DIR": manifests}
    given = [places.get(each, each) if isinstance(each, str) else each for each in arguments]
    assert says in flexlbf("whatif", *given).mistake()


def test_manifests_without_a_set_add_nothing(manifests: Path, tmp_path: Path):
    pool = _write(tmp_path / "pool.yaml", a_pool("other").with_drives().build())
    mistake = flexlbf("whatif", "-f", manifests, "--add-set", pool).mistake()
    assert mistake.endswith("pool.yaml: there is no BackupSet in it: add one")
    assert "there is no BackupPolicy in" in flexlbf("whatif", "-f", pool).mistake()


def test_what_takes_long_shows_how_far_it_is_on_a_terminal():
    """And is gone from the screen in the end; what is over before anybody waits shows nothing."""
    assert "asking" in _on_a_terminal(patience=0.01, takes=0.4)
    assert "asking" not in _on_a_terminal(patience=30, takes=0)


def test_where_nobody_looks_there_is_no_progress(capsys: pytest.CaptureFixture[str]):
    with progress("asking", patience=0) as step:
        step(1, 2)
        time.sleep(0.05)
    assert capsys.readouterr() == ("", "")
    assert progress_module.PATIENCE_S == 1


def _on_a_terminal(patience: float, takes: float) -> str:
    """What a program whose standard error is a terminal shows there."""
    ours, theirs = pty.openpty()
    script = (
        "import time; from flexlbf.cli.progress import progress\n"
        f"with progress('asking', {patience}) as step:\n    step(1, 2); time.sleep({takes})"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stderr=theirs, env=os.environ | {"TERM": "xterm-256color"}
    ) as process:
        os.close(theirs)
        sent = b""
        while chunk := _read(ours):
            sent += chunk
    os.close(ours)
    assert process.returncode == 0
    return sent.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux's way to say that the other side is closed
        return b""
