"""History, pure: measured backups, the estimates that follow from them, and the CSV that carries both."""

from flexlbf.history.csvfile import CsvError, CsvWorkload, read_workload
from flexlbf.history.measurement import DEFAULT_WINDOW, Measurement, estimate

__all__ = ["DEFAULT_WINDOW", "CsvError", "CsvWorkload", "Measurement", "estimate", "read_workload"]
