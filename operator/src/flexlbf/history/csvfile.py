"""Workloads as CSV: estimates (`object,duration_s,throughput_mbps`) or history rows, several an object.

Either may have the column `host` too, the machine that the object is on.

The command line reads files of both forms, the operator reads them from ConfigMaps. Whatever is wrong is
told in one line that names the source, the line and what to write instead.
"""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from flexlbf.history.measurement import DEFAULT_WINDOW, Measurement, estimate
from flexlbf.scheduling.model import Job, on_host
from flexlbf.scheduling.units import NANOSECONDS

ESTIMATE_COLUMNS = ("object", "duration_s", "throughput_mbps")
HISTORY_COLUMNS = ("object", "start", "end", "bytes")
HOST_COLUMN = "host"

LARGEST = 10**18
"""No seconds, MB/s or bytes are more than this; what is would only overflow further on."""


class CsvError(ValueError):
    """Bad input, told as one line: source, line number, what is wrong and the mend."""

    def __init__(self, source: str, line: int, message: str) -> None:
        one_line = message.replace("\r", "\\r").replace("\n", "\\n")
        super().__init__(f"{source}:{line}: {one_line}")


@dataclass(frozen=True)
class CsvWorkload:
    """What a CSV says of each object: an estimate, or its measured backups; never both.

    Attributes:
        estimates: by the object's name.
        measurements: likewise.
        hosts: the names of the machines that objects are on, of those that have one.
    """

    estimates: dict[str, Job]
    measurements: dict[str, list[Measurement]]
    hosts: dict[str, str]

    def jobs(self, window: int = DEFAULT_WINDOW, per_host: int | None = None) -> list[Job]:
        """A job for each object; `window` is the paper's l, `per_host` how many streams a host may send."""
        jobs = [*self.estimates.values()]
        jobs += [estimate(name, runs, window) for name, runs in self.measurements.items()]
        return [on_host(job, self.hosts.get(job.name), per_host) for job in jobs]


def read_workload(text: str, source: str) -> CsvWorkload:
    """Read a CSV of either form.

    Args:
        text: the file's content.
        source: its name, for messages.

    Raises:
        CsvError: a wrong or missing column, a bad value, an object twice among estimates, no row.
    """
    rows = _rows(text.removeprefix("\ufeff"), source)
    line, header = next(rows, (1, []))
    columns = [column.strip() for column in header]
    kind = sorted(columns)
    if HOST_COLUMN in kind:
        kind.remove(HOST_COLUMN)
    if kind == sorted(ESTIMATE_COLUMNS):
        workload = _read_estimates(_records(columns, rows, source, (*ESTIMATE_COLUMNS, HOST_COLUMN)), source)
    elif kind == sorted(HISTORY_COLUMNS):
        workload = _read_history(_records(columns, rows, source, (*HISTORY_COLUMNS, HOST_COLUMN)), source)
    else:
        raise CsvError(
            source,
            line,
            f"the columns are {', '.join(columns) or 'missing'}: write a header line with either "
            f"{','.join(ESTIMATE_COLUMNS)} or {','.join(HISTORY_COLUMNS)}, with or without host",
        )
    if not workload.estimates and not workload.measurements:
        raise CsvError(source, line, "there is no object: write one line for each below the header")
    return workload


def _rows(text: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not blank, numbered as an editor does."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if any(map(str.strip, row)):
                yield reader.line_num, row
    except csv.Error as error:
        raise CsvError(
            source, reader.line_num, f"this is no CSV ({error}): quote cells with commas"
        ) from error


_Records = Iterator[tuple[int, list[str]]]
"""Lines with their cells, in the order of the columns that the reader asked for."""


def _records(
    columns: list[str], rows: Iterator[tuple[int, list[str]]], source: str, asked: Sequence[str]
) -> _Records:
    """Those columns that are asked for; the first is the object's name, and the last may not be there."""
    places = [columns.index(column) if column in columns else None for column in asked]
    for line, row in rows:
        if len(row) != len(columns):
            raise CsvError(source, line, f"{len(row)} cells: write {len(columns)}, {','.join(columns)}")
        record = [row[place].strip() if place is not None else "" for place in places]
        if not record[0]:
            raise CsvError(source, line, "the object has no name: write one in the column object")
        yield line, record


def _read_estimates(records: _Records, source: str) -> CsvWorkload:
    found = CsvWorkload({}, {}, {})
    for line, (name, duration_s, throughput_mbps, host) in records:
        if name in found.estimates:
            raise CsvError(source, line, f"object {name!r} is there twice: keep one of its lines")
        try:
            duration = _number(duration_s, "duration_s", "seconds of more than 0, such as 5400")
            rate = _number(throughput_mbps, "throughput_mbps", "MB/s of 0 or more, such as 12.5")
            found.estimates[name] = Job.of(name, duration, rate)
        except ValueError as error:
            raise CsvError(source, line, str(error)) from error
        if host:
            found.hosts[name] = host
    return found


def _read_history(records: _Records, source: str) -> CsvWorkload:
    """An object is on the host of its latest backup: it may have moved."""
    found = CsvWorkload({}, {}, {})
    latest: dict[str, datetime] = {}
    for line, (name, begun, ended, size, host) in records:
        try:
            start, end = parse_timestamp(begun, "start"), parse_timestamp(ended, "end")
            run = Measurement(start, nanoseconds_between(start, end), _whole(size, "bytes"))
        except ValueError as error:
            raise CsvError(source, line, str(error)) from error
        found.measurements.setdefault(name, []).append(run)
        if host and (name not in latest or start >= latest[name]):
            latest[name], found.hosts[name] = start, host
    return found


def _number(cell: str, column: str, expected: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not 0 <= value <= LARGEST or "_" in cell or not cell.isascii():
        raise ValueError(f"{column} is {cell!r}: write {expected}")
    return value


def _whole(cell: str, column: str) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) <= len(str(LARGEST))):
        raise ValueError(f"{column} is {cell!r}: write a whole number, such as 1500000000")
    return int(cell)


def parse_timestamp(text: str, what: str) -> datetime:
    """An RFC 3339 timestamp; raises a ValueError that says what to write."""
    try:
        parsed = datetime.fromisoformat(text.upper())
    except ValueError:
        parsed = None
    if parsed is None or parsed.tzinfo is None:  # a date alone has no zone either
        raise ValueError(f"{what} is {text!r}: write date, time and zone as in 2026-01-31T22:00:00Z")
    return parsed


def nanoseconds_between(start: datetime, end: datetime) -> int:
    """How long a backup took; one that starts and ends in the same second counts as a second.

    Catalogs record whole seconds, so the smallest objects seem to take no time at all.

    Raises:
        ValueError: it ends before it starts.
    """
    elapsed = end - start
    if elapsed < timedelta(0):
        raise ValueError(f"end {end.isoformat()} is before start {start.isoformat()}: swap them")
    microseconds = elapsed // timedelta(microseconds=1)
    return microseconds * 1000 or NANOSECONDS
