"""The benchmark itself, on a tiny size; how long things take is its own run's matter: `make bench`."""

import json
import math

import pytest
from hypothesis import given

from bench import cli, simpy_model
from bench.measure import Sizes, measure
from bench.ranges import Range, broken, expected
from flexlbf.scheduling import Drive, FlexLBF, Job, simulate, within_rate_of
from support.strategies import examples, pools, workloads

TINY = Sizes(runs=1, objects=12, large_objects=20, large_drives=3, large_runs=1, growth=(10, 20))


@examples(60)
@given(workloads(), pools())
def test_the_simpy_model_finds_the_same_makespan(jobs: list[Job], drives: list[Drive]) -> None:
    """Else the two would not be comparable."""
    slowed = within_rate_of(drives, jobs)
    assert simpy_model.makespan(slowed, drives) == simulate(jobs, drives, FlexLBF()).makespan


def test_every_range_has_a_figure() -> None:
    """And every figure is a number."""
    figures = measure(TINY)
    assert set(expected()) <= set(figures)
    assert all(math.isfinite(figure) for figure in figures.values())
    assert figures["simpy_makespan_difference_ns"] == 0


def test_a_run_shows_its_figures_and_what_broke(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In JSON too; the status says whether all is as expected."""
    monkeypatch.setattr(cli, "measure", lambda _: {"speed": 3.0, "other": 1.0})
    monkeypatch.setattr(cli, "expected", lambda: {"speed": Range("times as fast", min=2)})
    assert cli.main([]) == 0
    assert "speed          3  at least 2  times as fast" in capsys.readouterr().out
    monkeypatch.setattr(cli, "expected", lambda: {"speed": Range("times as fast", min=4)})
    assert cli.main(["-o", "json"]) == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out)["broken"] == ["speed is 3, not at least 4: times as fast"]
    assert shown.err == "bench: speed is 3, not at least 4: times as fast\n"


@pytest.mark.parametrize(
    ("figure", "holds"),
    [
        pytest.param(2, True, id="the least"),
        pytest.param(3, True, id="the most"),
        pytest.param(1.99, False, id="too little"),
        pytest.param(3.01, False, id="too much"),
        pytest.param(math.nan, False, id="no number"),
    ],
)
def test_a_range_has_two_ends(figure: float, holds: bool) -> None:
    """Both within."""
    assert Range("", min=2, max=3).holds(figure) == holds


def test_a_figure_that_was_not_measured_breaks_its_range() -> None:
    """A benchmark that lost a figure is not a passing one."""
    assert broken({}, {"speed": Range("", min=2)}) == ["speed was not measured"]
