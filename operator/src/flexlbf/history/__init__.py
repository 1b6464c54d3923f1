"""History, pure: measured backups, what is kept of them, the estimates that follow, and the CSV form."""

from flexlbf.history.csvfile import CsvError, CsvWorkload, read_workload
from flexlbf.history.measurement import DEFAULT_WINDOW, Measurement, estimate, lateness

__all__ = [
    "DEFAULT_WINDOW",
    "CsvError",
    "CsvWorkload",
    "Measurement",
    "estimate",
    "lateness",
    "read_workload",
]
