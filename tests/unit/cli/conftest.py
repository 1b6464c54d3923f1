"""Workloads of the command line's tests."""

from pathlib import Path

import pytest

from unit.cli.terminal import a_file

ESTIMATES = "object,duration_s,throughput_mbps"


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    """Three objects, of which two fit on a drive of 80 MB/s at once."""
    return a_file(tmp_path, ESTIMATES, "a,100,50", "b,60,30", "c,40,40")


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """An object that sped up: 10, 20 and 30 MB/s."""
    rows = [
        f"a,2026-01-{day:02}T22:00:00Z,2026-01-{day:02}T22:01:40Z,{size}"
        for day, size in ((2, 1_000_000_000), (9, 2_000_000_000), (16, 3_000_000_000))
    ]
    return a_file(tmp_path, "object,start,end,bytes", *rows)
