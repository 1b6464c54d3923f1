"""The file of a workload: a CSV, or standard input."""

import sys
from pathlib import Path

from flexlbf.cli.errors import BadInput
from flexlbf.history import CsvError, read_workload
from flexlbf.scheduling import Job

STANDARD_INPUT = "-"


def read_jobs(path: str, window: int, per_host: int | None = None) -> list[Job]:
    """The jobs of a CSV.

    Args:
        path: the file, or `-`.
        window: the paper's l, for history rows.
        per_host: how many streams a host may send, None for any number.

    Raises:
        BadInput: it can't be read, or something in it is wrong.
    """
    source = "standard input" if path == STANDARD_INPUT else path
    try:
        return read_workload(_decoded(_content(path), source), source).jobs(window, per_host)
    except CsvError as error:
        raise BadInput(str(error)) from error


def _content(path: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if path == STANDARD_INPUT else Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}: name a CSV file, or - for standard input") from error


def _decoded(content: bytes, source: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{source}:{line}: this is not UTF-8 text: save the file as CSV in UTF-8") from error
