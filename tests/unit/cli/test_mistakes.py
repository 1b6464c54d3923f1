"""Bad input is one line that names the file, the line and the mend; the exit status is 2."""

from pathlib import Path

import pytest

from unit.cli.conftest import ESTIMATES
from unit.cli.terminal import a_file, flexlbf, program

POOL = {"--drives": 4, "--max-agents": 10, "--max-throughput": 80}
COMMANDS = ("simulate", "tune")


def options(**changed: object) -> list[object]:
    """The pool's options, some of them changed; `max_agents` is --max-agents."""
    pool = POOL | {f"--{name.replace('_', '-')}": value for name, value in changed.items()}
    return [part for option in pool.items() for part in option]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("changed", "mend"),
    [
        pytest.param({"drives": 0}, "'--drives': 0: write a whole number from 1 to 100000", id="no drive"),
        pytest.param({"drives": -1}, "'--drives': -1: write a whole number", id="less than no drive"),
        pytest.param({"drives": "2.5"}, "'--drives': 2.5: write a whole number", id="half a drive"),
        pytest.param({"drives": 100_001}, "from 1 to 100000", id="very many drives"),
        pytest.param(
            {"max_agents": 0}, "'--max-agents': 0: write a whole number from 1 to 1000", id="no agent"
        ),
        pytest.param({"max_agents": 1001}, "from 1 to 1000", id="very many agents"),
        pytest.param({"max_throughput": 0}, "'--max-throughput': 0: write a number from", id="no throughput"),
        pytest.param({"max_throughput": "-80"}, "such as 80", id="negative throughput"),
        pytest.param({"max_throughput": "nan"}, "such as 80", id="nan"),
        pytest.param({"max_throughput": "inf"}, "such as 80", id="infinite"),
        pytest.param({"max_throughput": "80M"}, "'--max-throughput': 80M: write a number", id="a quantity"),
        pytest.param({"window": 0}, "'--window': 0: write a whole number from 1", id="no window"),
        pytest.param(
            {"scheduler": "fifo"},
            "'fifo' is not one of 'flexlbf', 'flexlbf-backfill', 'optimized', 'lbf'",
            id="unknown scheduler",
        ),
        pytest.param({"output": "xml"}, "'xml' is not one of 'table', 'json', 'yaml'", id="unknown output"),
    ],
)
def test_an_option_out_of_range_is_told_with_the_range(
    command: str, changed: dict[str, object], mend: str, jobs: Path
):
    assert mend in flexlbf(command, jobs, *options(**changed)).mistake()


@pytest.mark.parametrize(
    ("arguments", "mend"),
    [
        pytest.param(["--within", "-1"], "'--within': -1: write a number from 0 to 1,000", id="within less"),
        pytest.param(["--within", "nan"], "such as 15", id="within nan"),
        pytest.param(["--within", "15%"], "'--within': 15%: write a number", id="within with a sign"),
        pytest.param(["--deadline", "8"], "such as 8h, 15h12m, 90s or 1d", id="deadline without a unit"),
        pytest.param(["--deadline", "0s"], "write a duration above zero", id="no time"),
        pytest.param(["--deadline", "-1h"], "write a duration above zero", id="negative time"),
        pytest.param(["--within", 15, "--deadline", "8h"], "give one of them", id="both"),
        pytest.param(["--scheduler", "lbf"], "see flexlbf simulate --scheduler lbf", id="lbf"),
        pytest.param(["--scheduler", "traditional"], "nothing to tune under traditional", id="traditional"),
    ],
)
def test_an_objective_that_can_not_be_is_told(arguments: list[object], mend: str, jobs: Path):
    assert mend in flexlbf("tune", jobs, *options(), *arguments).mistake()


@pytest.mark.parametrize("scheduler", ["flexlbf", "lbf", "traditional"])
def test_more_agents_than_allowed_are_told(scheduler: str, jobs: Path):
    ended = flexlbf("simulate", jobs, *options(scheduler=scheduler, agents_per_drive=11))
    assert "--agents-per-drive 11 is more than --max-agents 10" in ended.mistake()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("left_out", POOL)
def test_an_option_left_out_is_told(command: str, left_out: str, jobs: Path):
    rest = [part for option in POOL.items() if option[0] != left_out for part in option]
    assert f"Missing option '{left_out}'" in flexlbf(command, jobs, *rest).mistake()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(b"", ":1: the columns are missing: write a header line", id="empty"),
        pytest.param(f"{ESTIMATES}\n".encode(), ":1: there is no object", id="only a header"),
        pytest.param(f"{ESTIMATES}\na,1,1\nb,x,1\n".encode(), ":3: duration_s is 'x'", id="no number"),
        pytest.param(
            f"{ESTIMATES}\na,0,1\n".encode(), ":2: object 'a': a duration must be more", id="no time"
        ),
        pytest.param(f"{ESTIMATES}\na,nan,1\n".encode(), ":2: duration_s is 'nan': write seconds", id="nan"),
        pytest.param(f"{ESTIMATES}\na,1,-1\n".encode(), ":2: throughput_mbps is '-1'", id="negative"),
        pytest.param(f"{ESTIMATES}\na,1,1\na,1,1\n".encode(), ":3: object 'a' is there twice", id="twice"),
        pytest.param(f"{ESTIMATES}\na,1,1\n\xe9".encode("latin-1"), ":3: this is not UTF-8", id="latin-1"),
        pytest.param(b"\x7fELF\x02\x01\x01\x00\xff\xfe", ":1: this is not UTF-8", id="binary"),
        pytest.param(b"a\x1b[2Jb\x00c\n", ":1: the columns are a\\x1b[2Jb\\x00c", id="control characters"),
    ],
)
def test_a_bad_file_is_told_with_its_line(command: str, content: bytes, told: str, tmp_path: Path):
    path = tmp_path / "jobs.csv"
    path.write_bytes(content)
    mistake = flexlbf(command, path, *options()).mistake()
    assert mistake.startswith(f"Error: {path}{told}")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("name", "told"), [("nowhere.csv", "No such file or directory"), (".", "Is a directory")]
)
def test_a_file_that_is_none_is_told(command: str, name: str, told: str, tmp_path: Path):
    path = tmp_path / name
    mistake = flexlbf(command, path, *options()).mistake()
    assert mistake == f"Error: {path}: {told}: name a CSV file, or - for standard input"


def test_standard_input_is_named_as_such():
    assert "standard input:1: the columns are missing" in flexlbf("tune", "-", *options()).mistake()


def test_a_very_long_line_is_told_in_short(tmp_path: Path):
    path = a_file(tmp_path, "x" * 100_000)
    mistake = flexlbf("tune", path, *options()).mistake()
    assert len(mistake) < 800
    assert mistake.endswith("object,start,end,bytes, with or without host")


def test_an_unknown_command_is_told():
    assert flexlbf("tuen").mistake() == "Error: No such command 'tuen'. (see flexlbf --help)"


def test_a_program_shows_no_traceback(tmp_path: Path):
    ended = program("tune", tmp_path / "nowhere.csv", *options())
    assert ended.mistake().startswith("Error: ")
