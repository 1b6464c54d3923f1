"""The drawings of a session show what was simulated."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from flexlbf.history.ledger import Entry, RecordedRun, Shard
from flexlbf.manifests.backuphistory import backup_history
from flexlbf.manifests.names import planned_session_name
from flexlbf.planning.reasons import Case
from flexlbf.report import policy_report
from flexlbf.report.axes import TimeAxis
from flexlbf.report.lastsession import LastSession, last_session
from flexlbf.report.model import PolicyReport
from flexlbf.report.overtime import Load
from flexlbf.scheduling import simulate
from flexlbf.scheduling.units import MINUTE, to_microbytes
from support.builders import a_session
from support.reports import NOW, a_fleet, large_fleet, page_of, parsed, planned_of, text_of
from support.resources import a_policy, a_pool, a_set

MEASURED = datetime(2026, 1, 3, 22, tzinfo=UTC)

SESSION = {
    "name": "weekly-29400000",
    "state": "Failed",
    "started": "2026-01-02T22:00:00Z",
    "ended": "2026-01-03T01:30:00Z",
    "objects": 12,
    "released": 12,
    "running": 0,
    "done": 10,
    "failed": 1,
    "skipped": 1,
    "bytes": "1.5T",
}


@pytest.fixture(scope="module")
def report() -> PolicyReport:
    return policy_report(planned_of(large_fleet())[0], 1)


def test_throughput_and_agents_are_those_of_the_streams():
    """Two streams of 30 MB/s for an hour, then one of 20 MB/s for another."""
    session = a_session().with_objects("a b", 3600, 30).with_object("c", 3600, 20).on_drive(80, 2).run()
    load = Load("load", "drive-0", [*session], to_microbytes(80), 2)
    axis = TimeAxis.to(session.makespan, 3)
    figure = load.figure(axis)
    assert figure.reading.startswith("40 MB/s on average and 60 MB/s at the peak (maxTput: 80)")
    assert figure.table.rows == (
        ("0 to 1h", "60.0", "60.0", "2"),
        ("1h to 2h", "20.0", "20.0", "1"),
    )
    rates, agents = re.findall(r'class="load" d="([^"]*)"', figure.drawing)
    # 1.12 times the limit is the top, and 1000 its foot.
    assert rates == "M0 330.357L500 330.357L500 776.786L1000 776.786L1000 1000"
    assert agents == "M0 107.143L500 107.143L500 553.571L1000 553.571L1000 1000"


def test_what_exceeds_a_limit_is_drawn_whole():
    """As what was measured may; the limit lies below it then."""
    session = a_session().with_objects("a b", 3600, 30).on_drive(80, 2).run()
    drawing = Load("load", "drive-0", [*session], to_microbytes(40), 1).figure(TimeAxis.to(MINUTE)).drawing
    heights = [float(y) for y in re.findall(r"[ML][0-9.]+ ([0-9.]+)", drawing)]
    assert min(heights) == pytest.approx(1000 * (1 - 1 / 1.12), abs=0.01)


def test_a_drive_without_streams_is_said_to_be_idle():
    """And drawn as nothing."""
    figure = Load("load", "drive-0", [], to_microbytes(80), 2).figure(TimeAxis.to(MINUTE))
    assert figure.reading == "Nothing runs here."
    assert 'class="load"' not in figure.drawing


def test_all_drives_together_come_first(report: PolicyReport):
    """Then each of those that are used."""
    planned = planned_of(large_fleet())[0]
    session = planned.examined.session
    assert session
    names = [drive.name for drive in session.schedule.drives]
    assert [each.title for each in report.over_time] == ["All drives together", *names]


def test_the_curves_mark_what_was_chosen(report: PolicyReport):
    """Their tables have every number of drives and of agents, with what a simulation gives."""
    case = Case(planned_of(large_fleet())[0].examined)
    drives, agents = report.curves
    assert [row[0] for row in drives.table.rows] == [
        f"{count} (chosen)" if count == case.drives else str(count) for count in range(1, 6)
    ]
    assert [row[0] for row in agents.table.rows] == [
        f"{count} (chosen)" if count == case.chosen.max_agents else str(count) for count in range(1, 11)
    ]
    for figure in report.curves:
        assert figure.drawing.count('class="chosen"') == 1
    for count in range(1, 6):
        point = case.sweep.point(count, case.chosen.max_agents)
        drives_used = tuple(
            replace(each, max_agents=min(each.max_agents, case.chosen.max_agents))
            for each in case.allowed[:count]
        )
        assert point.makespan == simulate(case.jobs, drives_used, case.scheduler, start_grid=MINUTE).makespan


def test_a_single_drive_with_a_single_agent_has_curves_all_the_same():
    """Of one point each."""
    fleet = a_fleet(pool=a_pool().with_drives(count=1, max_agents=1), sets=[a_set().with_objects(3)])
    report = policy_report(planned_of(fleet)[0], 1)
    assert [len(each.table.rows) for each in report.curves] == [1, 1]
    assert [each.title for each in report.over_time] == ["lto-0"]
    assert parsed(page_of(fleet)) is not None


def test_the_window_is_marked_where_it_is_in_sight():
    """A window of days would leave the picture of an hour empty."""
    sets = [a_set().with_objects(4, minutes=60)]
    near, far = (
        policy_report(planned_of(a_fleet(a_policy().setting(window=window), sets=sets))[0], 1)
        for window in ("80m", "48h")
    )
    assert near.session
    assert far.session
    assert "window ends" in near.session.drawing
    assert "window ends" not in far.session.drawing


def test_the_objects_that_the_session_hangs_on_are_the_first_of_all(report: PolicyReport):
    """By time, by bytes and by what a restore reads."""
    session = planned_of(large_fleet())[0].examined.session
    assert session
    longest, largest, _ = report.bounding
    by_time = max(session.schedule, key=lambda each: (each.end - each.start, each.job.name))
    assert longest.rows[0][0] == by_time.job.name
    by_bytes = max(session.schedule.jobs, key=lambda job: job.duration * job.rate)
    assert largest.rows[0][0] == by_bytes.name


def test_the_settings_stand_beside_others(report: PolicyReport):
    """The same figures as in the status."""
    status = planned_of(large_fleet())[0].policy["status"]
    best, (other,) = status["recommendation"], status["alternatives"]
    assert report.settings
    rows = {row[0]: row for row in report.settings.rows}
    assert rows["This plan"][1:4] == (str(best["drives"]), str(best["maxAgents"]), best["duration"])
    alternative = (str(other["drives"]), str(other["maxAgents"]), other["duration"])
    assert rows["Within 15 % of the fastest"][1:4] == alternative
    assert rows["In arbitrary order"][3] == best["comparedTo"]["traditional"]["duration"]
    assert rows["LBF: the longest first"][3] == best["comparedTo"]["lbf"]["duration"]


def test_the_last_session_is_read_from_the_status():
    """With its times in UTC."""
    last = last_session({"status": {"session": SESSION}})
    assert last
    assert (last.name, last.running, last.duration_s, last.done) == ("weekly-29400000", False, 12600, 10)


@pytest.mark.parametrize(
    "status",
    [None, {}, "broken", {"session": None}, {"session": {"name": "x"}}, {"session": []}],
    ids=str,
)
def test_a_status_without_a_session_is_none(status: object):
    """Nor is one that can't be read."""
    assert last_session({"status": status}) is None


def test_a_session_that_runs_has_the_end_that_is_expected():
    """And none if that can't be said."""
    running = {key: value for key, value in SESSION.items() if key != "ended"} | {"state": "Running"}
    known = last_session({"status": {"session": running | {"expectedEnd": "2026-01-02T23:00:00Z"}}})
    unknown = last_session({"status": {"session": running}})
    assert known
    assert known.running
    assert known.duration_s == 3600
    assert unknown
    assert unknown.duration_s is None


def test_forecast_and_last_session_stand_beside_each_other():
    """On the page, with what failed."""
    fleet = a_fleet()
    (policy,) = fleet.policies()
    place = ("BackupPolicy", "default", "weekly")
    fleet.resources[place] = {**policy, "status": {"session": SESSION}}
    shown = text_of(parsed(page_of(fleet)))
    assert "The plan beside session weekly-29400000, which failed" in shown
    assert "10 of 12 backed up" in shown
    assert "3h30m" in shown
    assert "1.5 TB" in shown


def test_a_report_of_a_policy_without_objects_says_so():
    """There is no session to draw."""
    fleet = a_fleet(sets=[a_set().setting(objects=[])])
    report = policy_report(planned_of(fleet)[0], 1)
    assert (report.planned, report.outcome) == (False, "the policy's sets have no objects")


def test_last_session_is_plain_data():
    """So that whoever knows more of a session can tell it."""
    last = LastSession("x", "Succeeded", NOW, NOW, 1, 1, 0, 0, "")
    report = policy_report(planned_of(a_fleet())[0], 1, last)
    assert report.beside[0].rows[0][2] == "0s"


def test_what_was_measured_stands_beside_the_plan():
    """Over time on one axis, from the runs that the operator recorded."""
    name = planned_session_name("weekly", MEASURED)
    runs = {
        "fs:/d0": RecordedRun(name, MEASURED, 30 * MINUTE, 36_000_000_000),
        "fs:/d1": RecordedRun(name, MEASURED + timedelta(minutes=30), 60 * MINUTE, 72_000_000_000),
    }
    shard = Shard(0, {obj: Entry((run,)) for obj, run in runs.items()})
    fleet = a_fleet(sets=[a_set().with_objects(2)])
    fleet.add(backup_history("default", "fleet", None, shard))
    report = policy_report(planned_of(fleet)[0], 1)
    table, *missed = report.beside
    assert [row[2] for row in table.rows] == ["1h30m", "2", "108 GB"]
    assert missed[0].rows[0] == ("fs:/d1", "5m7s", "1h")
    real, planned = report.measured
    assert real.reading.startswith("20 MB/s on average and 20 MB/s at the peak")
    assert real.table.rows[0][0] == "0 to 30m"
    assert planned.title == "As planned now"
    assert name in text_of(parsed(page_of(fleet)))
