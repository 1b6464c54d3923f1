"""Metrics are called as Prometheus wants it, and the documents speak only of those that there are."""

import re
from pathlib import Path

import pytest

from flexlbf.handlers.metrics.declared import METRICS, Kind, Metric
from flexlbf.handlers.metrics.reference import render_metrics

ROOT = Path(__file__).resolve().parents[4]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
OF_OBJECTS = {"object", "job", "pod", "host", "set", "session"}
PARTS = ("_bucket", "_sum", "_count")


@pytest.mark.parametrize("metric", METRICS, ids=lambda each: each.name)
def test_a_name_says_kind_and_unit(metric: Metric):
    assert re.fullmatch(r"flexlbf(_[a-z]+)+", metric.name)
    assert metric.name.endswith("_total") == (metric.kind is Kind.COUNTER)
    assert bool(metric.buckets) == (metric.kind is Kind.HISTOGRAM)
    assert re.match(r"[A-Z0-9].*\.$", metric.help)
    if "timestamp" in metric.name:
        assert "Unix time" in metric.help
    assert not OF_OBJECTS & set(metric.labels), "a label with a value for each object"


def test_no_name_is_there_twice():
    assert len({each.name for each in METRICS}) == len(METRICS)


@pytest.mark.parametrize("page", PAGES, ids=lambda each: each.name)
def test_a_page_names_only_metrics_that_there_are(page: Path):
    named = set(re.findall(r"\bflexlbf_[a-z_]+\b", page.read_text()))
    series = {each.name + part for each in METRICS for part in ("", *PARTS)}
    assert named <= series


def test_the_reference_has_them_all():
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \|", render_metrics(), re.MULTILINE)
    assert rows == [(each.name, each.kind.value) for each in METRICS]
