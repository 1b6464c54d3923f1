"""The benchmark itself, on a tiny size; how long things take is its own run's matter: `make bench`."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given

from bench import cli, simpy_model
from bench.cases import COUNTS, Result, all_cases, result
from bench.measure import Measured, Solver, measure
from bench.quality import gaps, quality
from bench.ranges import Range, broken, expected
from bench.record import Record, WrongRecordError, read, run
from bench.sessions import Placed, as_early_as_possible
from bench.shapes import Found, shapes
from bench.sizes import Sizes
from flexlbf.scheduling import Drive, FlexLBF, Job, equal_drives, simulate, within_rate_of
from flexlbf.scheduling.units import NANOSECONDS, RATE_TOLERANCE
from flexlbf.scheduling.workload import Workload
from support.strategies import examples, pools, workloads

TINY = Sizes(
    runs=1,
    objects=12,
    large_objects=20,
    large_drives=3,
    large_runs=1,
    tuned_objects=20,
    growth=(10, 20),
    cases=4,
    search_s=0.001,
    nights=1,
    shapes_objects=10,
)


@pytest.fixture(scope="module")
def measured() -> Measured:
    """One run of all of it."""
    return measure(TINY)


@pytest.fixture(scope="module")
def results() -> list[Result]:
    """A case a number of drives."""
    return [result(case, TINY.search_s) for case in all_cases(len(COUNTS))]


def record_of(results: list[Result], *, longer: int = 0) -> Record:
    """A record in which the solver found FlexLBF's sessions, or longer ones by so many nanoseconds."""
    flexlbf = {each.case.name: each.makespans["FlexLBF"] for each in results}
    return Record({}, {name: makespan + longer for name, makespan in flexlbf.items()}, flexlbf)


@examples(60)
@given(workloads(hosts=False), pools())
def test_the_simpy_model_finds_the_same_makespan(jobs: list[Job], drives: list[Drive]) -> None:
    """Else the two would not be comparable."""
    slowed = Workload.of(within_rate_of(drives, jobs))
    assert simpy_model.makespan(slowed, drives) == simulate(jobs, drives, FlexLBF()).makespan


def test_every_range_has_a_figure(measured: Measured) -> None:
    """And every figure is a number."""
    assert set(expected()) <= set(measured.figures)
    assert all(math.isfinite(figure) for figure in measured.figures.values())
    assert measured.figures["simpy_makespan_difference_ns"] == 0
    assert measured.figures["optimized_behind_flexlbf"] == 0


def test_there_are_64_cases_and_a_sample_has_every_number_of_drives_and_every_size() -> None:
    """So that few cases tell of all."""
    assert len({case.name for case in all_cases()}) == 64
    sample = {(case.drives, case.of.size) for case in all_cases(16)}
    assert len(sample) == 16


def test_a_seed_draws_the_same_shapes_again_and_another_one_others() -> None:
    """Two dozen of them, each of a name of its own."""
    once, again, other = ([*shapes(seed)] for seed in (1, 1, 2))
    assert once == again
    assert [shape.name for shape in once] == [shape.name for shape in other]
    assert len({shape.name for shape in once}) == len(once) == 24
    assert sum(shape == different for shape, different in zip(once, other, strict=True)) == 1  # equal objects


def test_a_gap_is_the_mean_and_the_worst_over_the_bound(results: list[Result]) -> None:
    """By the number of drives; a solver has those of the cases that it was given."""
    one = results[0]
    found = gaps(results, {one.case.name: 2 * one.case.bound})
    assert found["CP-SAT"] == {"1 drive": {"mean": 100, "worst": 100}, "all": {"mean": 100, "worst": 100}}
    assert found["Optimized on those 1"].keys() == {"1 drive", "all"}
    over = [each.case.over_the_bound(each.makespans["FlexLBF"]) for each in results]
    assert found["FlexLBF"]["all"]["worst"] == max(over) > 0
    assert found["FlexLBF"]["all"]["mean"] == pytest.approx(sum(over) / len(over))


def test_as_good_as_the_solver_counts_for_the_search(results: list[Result]) -> None:
    """Ties are no defeat, and without any case of the solver nothing is said of it."""
    assert quality(results, record_of(results).makespans)["optimized_not_behind_cp_sat_percent"] == 100
    beaten = {name: makespan // 2 for name, makespan in record_of(results).makespans.items()}
    assert quality(results, beaten)["optimized_not_behind_cp_sat_percent"] == 0
    assert "optimized_not_behind_cp_sat_percent" not in quality(results, {})


def test_a_record_is_read_as_it_was_written(results: list[Result], tmp_path: Path) -> None:
    """Nothing of it is lost."""
    record_of(results).write(tmp_path / "record.json")
    assert read(tmp_path / "record.json") == record_of(results)


def test_the_kept_record_is_of_these_workloads(results: list[Result]) -> None:
    """Else the solver's sessions are of other objects than ours."""
    read().for_cases(results)
    others = Record({}, {}, record_of(results, longer=1).makespans)
    with pytest.raises(WrongRecordError, match=r"of other workloads .* run make bench-cp-sat ARGS=--record"):
        others.for_cases(results)


@examples(60)
@given(workloads(hosts=False), pools())
def test_a_solvers_session_stays_valid_and_gets_no_longer(jobs: list[Job], drives: list[Drive]) -> None:
    """What was rounded up to whole seconds starts as early as there is room."""
    slowed = within_rate_of(drives, jobs)
    rounded = [Job(job.name, -(-job.duration // NANOSECONDS) * NANOSECONDS, job.rate) for job in slowed]
    true = {job.name: job for job in slowed}
    session = simulate(rounded, drives, FlexLBF())
    places = [Placed(true[each.job.name], each.drive, each.start) for each in session]
    shifted = {each.job.name: each for each in as_early_as_possible(places, drives)}
    assert shifted.keys() == true.keys()
    assert all(shifted[each.job.name].start <= each.start for each in places)
    assert all(shifted[each.job.name].drive == each.drive for each in places)
    for index, drive in enumerate(drives):
        on = [each for each in shifted.values() if each.drive == index]
        for one in on:
            running = [each for each in on if each.start <= one.start < each.end]
            assert len(running) <= drive.max_agents
            assert sum(each.job.rate for each in running) <= drive.max_rate + RATE_TOLERANCE


def test_the_solver_is_never_behind_flexlbf() -> None:
    """Here it fills the drive, where FlexLBF blocks behind the object of 60 MB/s."""
    solver = pytest.importorskip("bench.cp_sat", reason="OR-Tools comes with make bench-cp-sat")
    rates = {"a": 50, "b": 60, "c": 30, "d": 20}
    jobs = [Job.of(name, 1000 - place, rate) for place, (name, rate) in enumerate(rates.items())]
    drives = equal_drives(1, 80, 10)
    found = max(each.end for each in solver.solve(jobs, drives, 5))
    assert found < simulate(jobs, drives, FlexLBF()).makespan


def test_a_record_is_gone_on_with(results: list[Result], tmp_path: Path) -> None:
    """What it has is not run again, unless it was made with other seconds."""
    pytest.importorskip("ortools", reason="OR-Tools comes with make bench-cp-sat")
    path = tmp_path / "record.json"
    first = run(results[:1], 0.1, keep=True, path=path)
    assert read(path) == first
    path.write_text(
        path.read_text(encoding="utf-8").replace('"makespan": ', '"makespan": 9'), encoding="utf-8"
    )
    longer = read(path).makespans
    both = run(results, 0.1, keep=True, path=path)
    assert both.makespans.keys() == {each.case.name for each in results}
    assert longer.items() <= both.makespans.items()
    assert run(results[:1], 0.2, keep=True, path=path).made["seconds"] == 0.2
    assert read(path).makespans.keys() == first.makespans.keys()


def test_a_record_of_other_workloads_is_no_figure(capsys: pytest.CaptureFixture[str]) -> None:
    """It is said what to do, and the status tells it from a figure out of its range."""

    def measured_by(*_: object) -> Measured:
        raise WrongRecordError("of other workloads")

    assert cli.main([], measured_by) == 2
    assert capsys.readouterr().err == "bench: of other workloads\n"


def test_a_run_shows_its_figures_and_what_broke(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In JSON too; the status says whether all is as expected."""
    gap = {"Optimized": {"1 drive": {"mean": 0.25, "worst": 1.5}}}
    found = Found("thirds", 100, 12.5, 0.75, 0.5)
    shown = Measured({"speed": 3.0, "other": 1.0}, gap, {"seconds": 40}, [found])
    monkeypatch.setattr(cli, "expected", lambda: {"speed": Range("times as fast", min=2)})
    assert cli.main([], lambda *_: shown) == 0
    out = capsys.readouterr().out
    assert "speed          3  at least 2  times as fast" in out
    assert "Optimized  0.25 (1.50)\nCP-SAT: seconds 40" in out
    assert out.split()[-5:] == ["thirds", "100", "12.50", "0.75", "0.50"]
    monkeypatch.setattr(cli, "expected", lambda: {"speed": Range("times as fast", min=4)})
    assert cli.main(["-o", "json"], lambda *_: shown) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["broken"] == ["speed is 3, not at least 4: times as fast"]
    assert json.loads(printed.out)["over_the_bound_percent"] == gap
    assert printed.err == "bench: speed is 3, not at least 4: times as fast\n"
    assert cli.main(["--quick"], lambda *_: shown) == 0


@pytest.mark.parametrize(
    ("arguments", "cases", "solver"),
    [
        pytest.param([], None, None, id="from the record"),
        pytest.param(["--cases", "8"], 8, None, id="a sample"),
        pytest.param(["--shapes-seed", "7"], None, None, id="other shapes"),
        pytest.param(["--cp-sat"], None, Solver(40), id="the solver anew"),
        pytest.param(
            ["--cp-sat", "--cp-sat-seconds", "2", "--record"], None, Solver(2, keep=True), id="kept"
        ),
    ],
)
def test_what_is_asked_is_measured(arguments: list[str], cases: int | None, solver: Solver | None) -> None:
    """How many cases, and whether the solver runs."""
    asked: list[tuple[Sizes, Solver | None]] = []

    def measured_by(sizes: Sizes, solver: Solver | None) -> Measured:
        asked.append((sizes, solver))
        return Measured({}, {}, {})

    cli.main(arguments, measured_by)
    assert asked[0][0].cases == cases
    assert asked[0][0].shapes_seed == (7 if "--shapes-seed" in arguments else Sizes().shapes_seed)
    assert asked[0][1] == solver


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
