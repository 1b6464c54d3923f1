"""Differences for programs, and the words that all forms for people share."""

from collections.abc import Iterator
from typing import Any

from flexlbf.planning.difference import Difference, Fact
from flexlbf.planning.wording import count_of

LABELS = {
    "verdict": "plan",
    "drives": "drives",
    "maxAgents": "agents a drive",
    "duration": "duration",
    "window": "window",
    "saved": "saved",
    "objects": "objects",
    "bytes": "bytes",
    "schedule": "schedule",
    "runs": "runs",
}
"""What each fact is called."""

NOT_THERE = "-"


def difference_data(each: Difference) -> dict[str, Any]:
    """A policy before and after, what differs of it, and what becomes of its schedule."""
    starts, cron_jobs = each.starts, each.cron_jobs
    return {
        "policy": each.name,
        "change": each.change,
        "before": {name: fact.value for name, fact in each.before.items()} or None,
        "after": {name: fact.value for name, fact in each.after.items()} or None,
        "differs": [*each.changed],
        "starts": {
            "objects": starts.objects,
            "moved": [*starts.moved],
            "otherDrive": [*starts.changed_drive],
            "added": [*starts.added],
            "removed": [*starts.removed],
        },
        "cronJobs": {
            "rewritten": cron_jobs.rewritten,
            "created": cron_jobs.created,
            "deleted": cron_jobs.deleted,
        },
    }


def words_of(fact: Fact | None) -> str:
    """A fact for people, a dash for none."""
    return fact.words if fact else NOT_THERE


def schedule_words(each: Difference) -> Iterator[str]:
    """What becomes of the objects' starts and of the CronJobs, a phrase each."""
    starts, cron_jobs = each.starts, each.cron_jobs
    if starts.moved:
        yield f"{len(starts.moved):,} of {count_of(starts.objects, 'start')} {_verb(starts.moved, 'move')}"
    if starts.changed_drive:
        yield f"{count_of(len(starts.changed_drive), 'object')} {_verb(starts.changed_drive, 'change')} drive"
    if each.change == "changed" and starts.added:
        yield f"{count_of(len(starts.added), 'object')} added"
    if each.change == "changed" and starts.removed:
        yield f"{count_of(len(starts.removed), 'object')} removed"
    for number, what in (
        (cron_jobs.rewritten, "rewritten"),
        (cron_jobs.created, "created"),
        (cron_jobs.deleted, "deleted"),
    ):
        if number:
            yield f"{count_of(number, 'CronJob')} {what}"


def _verb(subjects: tuple[str, ...], verb: str) -> str:
    return verb if len(subjects) > 1 else f"{verb}s"
