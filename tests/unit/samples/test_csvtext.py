"""Sample CSVs are what the reader of workloads reads."""

import pytest

from flexlbf.history import read_workload
from flexlbf.samples import server, workload
from flexlbf.samples.csvtext import estimates_csv, history_csv


@pytest.mark.parametrize("n", [1, 5])
def test_history_rows_read_back_as_the_measurements(n: int):
    read = read_workload(history_csv(server(n).objects), "a.csv").measurements
    assert {name: tuple(runs) for name, runs in read.items()} == {
        one.name: one.measurements for one in server(n).objects
    }


def test_history_rows_are_in_the_order_of_time():
    starts = [line.split(",")[1] for line in history_csv(server(2).objects).splitlines()[1:]]
    assert starts == sorted(starts)


def test_estimates_read_back_as_the_jobs():
    jobs = workload(900)
    assert read_workload(estimates_csv(jobs), "a.csv").jobs() == jobs
