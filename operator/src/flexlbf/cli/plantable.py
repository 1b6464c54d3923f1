"""A plan as tables for people."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from flexlbf.cli.words import restores
from flexlbf.manifests.names import (
    ANNOTATION_OBJECT,
    ANNOTATION_OFFSET,
    LABEL_DRIVE,
    LABEL_ROLE,
    ROLE_SESSION,
)
from flexlbf.planning.offline import PlannedPolicy
from flexlbf.scheduling import Stretch

SHOWN_AT_FIRST = 10


def show(planned: Sequence[PlannedPolicy], *, show_all: bool) -> None:
    """Print every policy's verdict, settings, alternatives and CronJobs."""
    console = Console(highlight=False, soft_wrap=True)
    for each in planned:
        console.print(_title(each), style="bold")
        if each.plan.stalled:
            console.print(f"  can't be planned: {each.plan.stalled.message}\n", markup=False)
            continue
        for line in _verdict(each):
            console.print(f"  {line}", markup=False)
        status = each.policy["status"]
        if "recommendation" in status:
            console.print(_settings(status))
        if each.cron_jobs:
            _print_cron_jobs(console, each.cron_jobs, show_all=show_all)
        console.print()


def _title(each: PlannedPolicy) -> Text:
    metadata, spec = each.policy["metadata"], each.policy.get("spec") or {}
    when = f"{spec.get('schedule')} {spec.get('timeZone') or 'Etc/UTC'}"
    return Text(f"BackupPolicy {metadata['namespace']}/{metadata['name']}  ({when})")


def _verdict(each: PlannedPolicy) -> Iterable[str]:
    if each.plan.outcome:
        yield each.plan.outcome.message
    yield each.plan.window.message
    status = each.policy["status"]
    workload, best = status.get("workload", {}), status.get("recommendation")
    if best:
        longest = f"{workload['longestObject']} ({workload['longestDuration']})"
        bound = f"{best['lowerBound']} ({_BOUNDS[best['boundBy']].format(host=best.get('boundHost'))})"
        proved = f"no plan on these drives beats {bound}" + (
            ", so this one is optimal" if best.get("optimal") else ""
        )
        yield f"{workload['bytes']}B; longest object {longest}; {proved}"
        if best["freedDrives"]:
            yield f"drives freed for other work: {', '.join(best['freedDrives'])}"


_BOUNDS = {
    "LongestObject": "its longest object",
    "Throughput": "what its objects ask of the drives' rate",
    "Agents": "its objects' time over the agents",
    "Host": "the objects of host {host}, which wait for each other",
}


def _settings(status: dict[str, Any]) -> Table:
    table = _table(
        "",
        ("drives", "right"),
        ("max agents", "right"),
        ("duration", "right"),
        ("restores read", "right"),
        ("saves", "right"),
    )
    best = status["recommendation"]
    table.add_row(
        "recommended", str(best["drives"]), str(best["maxAgents"]), best["duration"], _restores(best), ""
    )
    for other in status.get("alternatives") or ():
        name = f"within {other['percent']:g} %" if "percent" in other else other["objective"]
        table.add_row(
            name, str(other["drives"]), str(other["maxAgents"]), other["duration"], _restores(other), ""
        )
    for name, label in (("lbf", "LBF, 4 agents"), ("traditional", "random order, 4 agents")):
        beside = best["comparedTo"][name]
        table.add_row(
            label,
            str(best["drives"]),
            "4",
            beside["duration"],
            _restores(beside),
            f"{beside['savedPercent']} %",
        )
    return table


def _restores(figures: dict[str, Any]) -> str:
    stretch = figures.get("restoreStretch")
    return restores(Stretch(stretch["median"], stretch["worst"], None)) if stretch else "-"


def _print_cron_jobs(console: Console, jobs: Sequence[dict[str, Any]], *, show_all: bool) -> None:
    table = _table("CronJob", ("schedule", "left"), ("at", "right"), ("drive", "left"), ("object", "left"))
    shown = jobs if show_all else jobs[:SHOWN_AT_FIRST]
    for job in shown:
        table.add_row(job["metadata"]["name"], job["spec"]["schedule"], *_started(job["metadata"]))
    console.print(table)
    if len(shown) < len(jobs):
        console.print(f"  and {len(jobs) - len(shown):,} more CronJobs: --all shows them", markup=False)


def _started(metadata: Mapping[str, Any]) -> tuple[str | Text, ...]:
    """When, where and what a CronJob starts; that of an adaptive policy starts the whole session."""
    if metadata["labels"].get(LABEL_ROLE) == ROLE_SESSION:
        return "+0m", "any", "the session, object by object"
    notes = metadata["annotations"]
    return f"+{notes[ANNOTATION_OFFSET]}", metadata["labels"][LABEL_DRIVE], Text(notes[ANNOTATION_OBJECT])


def _table(first: str, *columns: tuple[str, str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim")
    table.add_column(f"  {first}", no_wrap=True)
    for name, justify in columns:
        table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    return table
