"""`flexlbf samples` writes files that the other commands read."""

from pathlib import Path

import pytest

from flexlbf.samples import server, workload
from unit.cli.terminal import flexlbf

SAMPLES = Path(__file__).parents[3] / "config/samples"
COMMITTED = {path.name: path.read_text() for path in SAMPLES.glob("*.yaml")}
SITE = ("--drives", 4, "--max-agents", 10, "--max-throughput", 80, "-o", "json")


def test_manifests_are_written(tmp_path: Path):
    ended = flexlbf("samples", "-o", tmp_path / "new/folder")
    assert ended.status == 0
    assert {path.name: path.read_text() for path in (tmp_path / "new/folder").iterdir()} == COMMITTED
    assert ended.out.count("wrote ") == 4


def test_histories_can_be_tuned(tmp_path: Path):
    flexlbf("samples", "--csv", "-o", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"server{n}.csv" for n in range(1, 9)]
    data = flexlbf("tune", tmp_path / "server2.csv", *SITE).data()
    assert data["lower_bound_s"] == max(job.duration_s for job in server(2).jobs())


def test_a_workload_can_be_simulated(tmp_path: Path):
    flexlbf("samples", "--objects", 300, "--seed", 5, "-o", tmp_path)
    data = flexlbf("simulate", tmp_path / "workload-300-5.csv", *SITE).data()
    assert {each["object"] for each in data["assignments"]} == {job.name for job in workload(300, 5)}


def test_other_seeds_write_other_histories(tmp_path: Path):
    flexlbf("samples", "--csv", "-o", tmp_path / "a")
    flexlbf("samples", "--csv", "--seed", 1, "-o", tmp_path / "b")
    assert (tmp_path / "a/server1.csv").read_text() != (tmp_path / "b/server1.csv").read_text()


@pytest.mark.parametrize(
    ("arguments", "mend"),
    [
        pytest.param([], "Missing option '-o'", id="no folder"),
        pytest.param(["-o", "x", "--objects", 0], "write a whole number from 1 to 100000", id="no object"),
        pytest.param(["-o", "x", "--seed", -1], "write a whole number from 0", id="a negative seed"),
        pytest.param(["-o", "x", "--seed", 1], "--seed goes with --csv or --objects", id="seed of manifests"),
        pytest.param(["-o", "x", "--csv", "--objects", 9], "give one of them", id="two kinds of CSV"),
    ],
)
def test_a_mistake_is_told(arguments: list[object], mend: str):
    assert mend in flexlbf("samples", *arguments).mistake()


def test_a_folder_that_can_not_be_is_told(tmp_path: Path):
    (tmp_path / "file").touch()
    mistake = flexlbf("samples", "-o", tmp_path / "file").mistake()
    assert mistake.endswith("name a folder that can be written to")
