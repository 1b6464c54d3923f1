"""A simulated session for people."""

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

from flexlbf.cli.page import Page, table
from flexlbf.cli.words import per_host, too_fast, what_restores_read, why_no_shorter
from flexlbf.planning.wording import amount, bytes_of_all, count_of, duration
from flexlbf.scheduling import Assignment, Drive, LowerBound, Schedule, restore_stretch
from flexlbf.scheduling.units import to_megabytes
from flexlbf.scheduling.usage import peak

TITLES = {
    "flexlbf": "FlexLBF",
    "flexlbf-backfill": "FlexLBF that searches its list",
    "optimized": "An order and a rule fitted to the workload",
    "lbf": "LBF",
    "traditional": "The traditional random order",
}
SHOWN_AT_FIRST = 10


def show(
    schedule: Schedule, bound: LowerBound, capped: Sequence[str], scheduler: str, *, show_all: bool
) -> None:
    """Print the session: in a sentence, by drive, and by object."""
    page = Page()
    drive = schedule.drives[0]
    page.heading(
        f"{TITLES[scheduler]} backs {count_of(len(schedule), 'object')} up in {duration(schedule.makespan)}."
    )
    each = " each" if len(schedule.drives) > 1 else ""
    page.paragraph(
        f"{count_of(len(schedule.drives), 'drive')} of {to_megabytes(drive.max_rate):g} MB/s with at most "
        f"{count_of(drive.max_agents, 'agent')}{each}, {amount(bytes_of_all(schedule.jobs))} to write."
    )
    page.paragraph(why_no_shorter(schedule.jobs, schedule.drives, bound, schedule.makespan))
    if stretch := restore_stretch(schedule):
        page.paragraph(what_restores_read(stretch))
    if limited := per_host(schedule.jobs):
        page.paragraph(limited)
    if capped:
        page.paragraph(too_fast(capped, to_megabytes(drive.max_rate)))
    limit = len(schedule) + len(schedule.drives) if show_all else SHOWN_AT_FIRST
    page.table(_by_drive(schedule, limit))
    _tell_hidden(page, len(schedule.drives), limit, "drive")
    page.table(_by_object(schedule, limit))
    _tell_hidden(page, len(schedule), limit, "object")
    page.show()


def _tell_hidden(page: Page, there: int, limit: int, noun: str) -> None:
    if there > limit:
        page.paragraph(f"and {count_of(there - limit, f'more {noun}')}: --all shows them")


def _by_drive(schedule: Schedule, limit: int) -> Table:
    shown = table("drive", "objects", "last ends", "written", "rate used", "most agents")
    of_drive: list[list[Assignment]] = [[] for _ in schedule.drives]
    for each in schedule:
        of_drive[each.drive].append(each)
    for index, assigned in enumerate(of_drive[:limit]):
        drive = schedule.drives[index : index + 1]
        shown.add_row(str(index), *_cells(drive, assigned, schedule.makespan), str(peak(assigned).agents))
    if len(of_drive) > 1:
        shown.add_row("all", *_cells(schedule.drives, list(schedule), schedule.makespan), "")
    return shown


def _cells(drives: Sequence[Drive], assigned: Sequence[Assignment], makespan: int) -> Iterable[str]:
    """Objects, the end of the last, bytes, and the share of the drives' rate over the whole session."""
    jobs = [each.job for each in assigned]
    yield f"{len(assigned):,}"
    yield f"+{duration(max(each.end for each in assigned))}" if assigned else "-"
    yield amount(bytes_of_all(jobs))
    possible = makespan * sum(drive.max_rate for drive in drives)
    yield f"{sum(job.duration * job.rate for job in jobs) / possible:.0%}".replace("%", " %")


def _by_object(schedule: Schedule, limit: int) -> Table:
    shown = table("<object", "drive", "starts", "ends", "takes", "MB/s")
    for each, _ in zip(schedule, range(limit), strict=False):
        shown.add_row(
            Text(each.job.name),
            str(each.drive),
            f"+{duration(each.start)}",
            f"+{duration(each.end)}",
            duration(each.end - each.start),
            f"{each.job.throughput_mbps:.1f}",
        )
    return shown
