"""Workloads as the CSV that `flexlbf tune` and `flexlbf simulate` read."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from flexlbf.history.csvfile import ESTIMATE_COLUMNS, HISTORY_COLUMNS
from flexlbf.samples.generator import SampleObject
from flexlbf.scheduling import Job
from flexlbf.scheduling.units import NANOSECONDS


def history_csv(objects: Iterable[SampleObject]) -> str:
    """History rows, the oldest session first and in each the objects as they started."""
    runs = sorted(
        (run.start, each.name, run.start + timedelta(seconds=run.duration // NANOSECONDS), run.size)
        for each in objects
        for run in each.measurements
    )
    rows = ((name, timestamp(start), timestamp(end), size) for start, name, end, size in runs)
    return _written(HISTORY_COLUMNS, rows)


def estimates_csv(jobs: Iterable[Job]) -> str:
    """One row for each job."""
    return _written(ESTIMATE_COLUMNS, ((job.name, job.duration_s, job.throughput_mbps) for job in jobs))


def timestamp(moment: datetime) -> str:
    """A moment in UTC as RFC 3339."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _written(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()
