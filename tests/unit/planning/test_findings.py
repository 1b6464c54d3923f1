"""Every reason that a condition may have is explained."""

import re
from pathlib import Path

import pytest

from flexlbf.planning.findings import Reason

TROUBLESHOOTING = Path(__file__).parents[3] / "docs/troubleshooting.md"
POOL_REASONS = {"Enough", "Overlapping"}


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_its_entry(reason: Reason):
    """Whoever meets it at three in the morning finds what to do."""
    assert f"`{reason.value}`" in TROUBLESHOOTING.read_text()


def test_no_entry_is_about_a_reason_that_there_is_not():
    """Nobody looks for what can't happen."""
    rows = re.findall(r"^\| (`.*?) \|", TROUBLESHOOTING.read_text(), re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert told <= {reason.value for reason in Reason} | POOL_REASONS
