"""From a planned policy to what a page shows of it."""

from collections.abc import Iterator
from typing import Any

from flexlbf.api.durations import format_duration
from flexlbf.planning.offline import PlannedPolicy
from flexlbf.planning.reasons import Case, reasons
from flexlbf.planning.remedies import remedies
from flexlbf.planning.wording import amount, bytes_of, bytes_told, count_of, duration
from flexlbf.report.axes import TimeAxis
from flexlbf.report.curve import Curve
from flexlbf.report.gantt import Gantt
from flexlbf.report.headlines import headlines
from flexlbf.report.lanes import DriveLanes, drive_lanes
from flexlbf.report.lastsession import LastSession
from flexlbf.report.measured import Measured
from flexlbf.report.model import Figure, PolicyReport, Table
from flexlbf.report.objects import SessionObjects
from flexlbf.report.overtime import Load
from flexlbf.report.settings import settings_table

WINDOW_IN_SIGHT = 1.5
"""A window of more times the session's duration would leave the picture half empty."""

DESCRIBED_DRIVES = 6


def policy_report(planned: PlannedPolicy, number: int, last: LastSession | None = None) -> PolicyReport:
    """What is shown of a policy.

    Args:
        planned: the policy with its plan.
        number: its place on the page, from 1.
        last: its last real session, if one is known.
    """
    spec = planned.policy.get("spec") or {}
    anchor, when = f"policy-{number}", f"{spec.get('schedule')} {spec.get('timeZone') or 'Etc/UTC'}"
    plan = planned.plan
    if planned.examined.session is None:
        told = plan.stalled or plan.outcome or plan.window
        return PolicyReport(anchor, planned.name, when, told.message, planned=False)
    return _Builder(planned, anchor).report(when, last)


class _Builder:
    def __init__(self, planned: PlannedPolicy, anchor: str) -> None:
        self._planned, self._anchor = planned, anchor
        self._case = Case(planned.examined)
        self._schedule = self._case.session.schedule
        self._lanes = drive_lanes(self._schedule)
        self._measured = Measured.of(planned.examined)
        self._objects = SessionObjects.of(planned.examined.objects, self._schedule)

    def report(self, when: str, last: LastSession | None) -> PolicyReport:
        outcome, measured = self._planned.plan.outcome, self._measured
        return PolicyReport(
            self._anchor,
            self._planned.name,
            when,
            outcome.message if outcome else "",
            planned=True,
            headlines=headlines(self._case, self._planned.plan),
            reasons=tuple(each.words for each in reasons(self._case)),
            helps=tuple(each.words for each in remedies(self._case)),
            session=self._session(),
            over_time=tuple(self._over_time()),
            curves=tuple(self._curves()),
            bounding=self._objects.bounding(),
            settings=settings_table(self._case),
            beside=tuple(self._beside(last)),
            measured=measured.figures(self._anchor, self._schedule) if measured else (),
        )

    def _beside(self, last: LastSession | None) -> Iterator[Table]:
        if last:
            yield _told(self._case, last)
        if self._measured:
            yield from self._measured.tables(self._schedule, sum(map(bytes_of, self._schedule.jobs)))

    def _session(self) -> Figure:
        title = "The session, by drives and time"
        name, reading = f"{self._anchor}-session", self._session_reading()
        window = self._case.window
        makespan = self._schedule.makespan
        axis = TimeAxis.to(
            max(makespan, window) if window and window <= WINDOW_IN_SIGHT * makespan else makespan
        )
        gantt = Gantt(name, title, reading, self._lanes, axis, self._objects.looks(), window)
        return Figure(name, title, reading, gantt.draw(), self._objects.table(), self._objects.legends())

    def _session_reading(self) -> str:
        drives, takes = len(self._lanes), duration(self._schedule.makespan)
        parts = [f"{count_of(len(self._schedule), 'object')} on {count_of(drives, 'drive')} in {takes}"]
        parts += [_of_drive(each) for each in self._lanes[:DESCRIBED_DRIVES]]
        if drives > DESCRIBED_DRIVES:
            parts.append(f"and {drives - DESCRIBED_DRIVES:,} drives more")
        return "; ".join(parts) + "."

    def _over_time(self) -> Iterator[Figure]:
        axis = TimeAxis.to(self._schedule.makespan, 6)
        drives = self._schedule.drives
        if len(drives) > 1:
            rate, agents = sum(each.max_rate for each in drives), sum(each.max_agents for each in drives)
            name = f"{self._anchor}-load"
            yield Load(name, "All drives together", self._objects.streams, rate, agents).figure(axis)
        for number, each in enumerate(self._lanes, 1):
            name = f"{self._anchor}-load-{number}"
            drive = each.drive
            yield Load(name, drive.name, each.streams, drive.max_rate, drive.max_agents).figure(axis)

    def _curves(self) -> Iterator[Figure]:
        case, sweep = self._case, self._case.sweep
        drives, agents = case.drives, case.chosen.max_agents
        most = max(each.max_agents for each in case.allowed)
        words = f"at most {count_of(agents, 'agent')}"
        yield Curve(
            f"{self._anchor}-drives",
            "drives",
            tuple((each.drives, each) for each in sweep.over_drives(agents, drives)),
            tuple((each.drives, each) for each in sweep.over_drives(most, drives)) if most > agents else (),
            (words, f"at most {count_of(most, 'agent')}"),
            drives,
            case.window,
        ).figure()
        yield Curve(
            f"{self._anchor}-agents",
            "agents a drive",
            tuple((each.max_agents, each) for each in sweep.over_agents(drives, agents)),
            (),
            (count_of(drives, "drive"), ""),
            agents,
            case.window,
        ).figure()


def _of_drive(each: DriveLanes) -> str:
    streams = each.streams
    if not streams:
        return f"{each.drive.name}: nothing"
    end = duration(max(stream.end for stream in streams))
    return f"{each.drive.name}: {count_of(len(streams), 'object')}, {len(each.lanes)} at a time, until {end}"


def _told(case: Case, last: LastSession) -> Table:
    """What a status tells of a session that the operator runs or ran."""
    seconds = last.duration_s
    took = format_duration(seconds) if seconds is not None else "not known"
    done: Any = last.done
    rows = [
        ("Duration", duration(case.chosen.makespan), f"{took}, as forecast" if last.running else took),
        ("Objects", f"{len(case.jobs):,}", f"{done:,} of {last.objects:,} backed up"),
        ("Failed", "", f"{last.failed:,}"),
        ("Left out", "", f"{last.skipped:,}"),
        ("Written", amount(sum(map(bytes_of, case.chosen.schedule.jobs))), bytes_told(last.size)),
    ]
    told = {"Running": "which runs now", "Failed": "which failed"}.get(last.state, "which succeeded")
    titles = ("<", "This plan", f"Session of {last.started:%Y-%m-%d %H:%M} UTC")
    return Table.of(f"The plan beside session {last.name}, {told}", titles, rows)
