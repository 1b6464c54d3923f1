"""Alerts and dashboard ask only for what is declared; each alert fires, ends, and leads to what to do."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from flexlbf.handlers.metrics.declared import METRICS, Kind, Metric
from support.charttools import ROOT, ToolRefusedError
from support.prometheus import DASHBOARD, alerts, filled_in, grouped_by, promtool, queries, rules, selectors

pytestmark = pytest.mark.integration

CASES = Path(__file__).with_name("alerts.yaml")
CASES_OF_DAYS = Path(__file__).with_name("days.yaml")
PAGE = ROOT / "docs/alerts.md"


@pytest.fixture
def rule_file(tmp_path: Path) -> Path:
    """The alerts as Prometheus reads them from a file."""
    file = tmp_path / "rules.yaml"
    file.write_text(yaml.safe_dump(rules()))
    return file


def test_the_alerts_are_rules(rule_file: Path):
    assert f"{len(alerts())} rules found" in promtool("check", "rules", "--lint-fatal", rule_file)


def test_each_alert_fires_and_ends(rule_file: Path):
    """By Prometheus' own rules engine, with the words that people will read."""
    told = []
    for file in (CASES, CASES_OF_DAYS):
        cases = rule_file.with_name(file.name)
        cases.write_text(file.read_text())
        assert "SUCCESS" in promtool("test", "rules", cases)
        tests = yaml.safe_load(file.read_text())["tests"]
        told += [case for each in tests for case in each.get("alert_rule_test", ())]
    by_name = {name: [case for case in told if case["alertname"] == name] for name in names_of(told)}
    counts = {name: [len(case["exp_alerts"]) for case in cases] for name, cases in by_name.items()}
    assert counts.keys() == {each["alert"] for each in alerts()}
    for name, firing in counts.items():
        assert firing[0] == 0 < max(firing) > firing[-1], name


def names_of(told: list[dict[str, Any]]) -> set[str]:
    return {case["alertname"] for case in told}


def test_an_alert_that_does_not_fire_would_be_found(rule_file: Path):
    """The test above can fail."""
    cases = rule_file.with_name("alerts.yaml")
    cases.write_text(CASES.read_text().replace("35000x9 36600x19", "35000x9 35000x19"))
    with pytest.raises(ToolRefusedError, match="FlexLBFSessionWillMissWindow"):
        promtool("test", "rules", cases)


@pytest.mark.parametrize("alert", alerts(), ids=lambda each: each["alert"])
def test_each_alert_says_what_is_wrong_and_where_to_read_on(alert: dict[str, Any]):
    assert alert["labels"]["severity"] in {"critical", "warning", "info"}
    assert alert["annotations"].keys() == {"summary", "description", "runbook_url"}
    page, anchor = alert["annotations"]["runbook_url"].split("#")
    assert ROOT / page == PAGE
    assert anchor == alert["alert"].lower()


def test_the_page_has_an_entry_for_each_alert_and_no_other():
    entries = re.findall(r"^### (\w+)\n\n\*\*(\w+)\.\*\*", PAGE.read_text(), re.MULTILINE)
    want = [(each["alert"], each["labels"]["severity"].capitalize()) for each in alerts()]
    assert sorted(entries) == sorted(want)
    assert len(re.findall("^### ", PAGE.read_text(), re.MULTILINE)) == len(want)


@pytest.mark.parametrize(("where", "query"), queries(), ids=[where for where, _ in queries()])
def test_a_query_asks_only_for_what_there_is(where: str, query: str):
    """Its metrics are declared, and its labels are theirs; that a scrape has them, test_metrics shows."""
    declared = {name: metric for metric in METRICS for name in names(metric)}
    found = selectors(query)
    assert found, where
    labels: set[str] = set()
    for name, matched in found:
        assert name in declared
        own = set(declared[name].labels) | ({"le"} if name.endswith("_bucket") else set())
        assert matched.keys() <= own, name
        labels |= own
    assert grouped_by(query) <= labels
    promtool("promql", "--experimental", "format", query)


def names(metric: Metric) -> set[str]:
    """What its series are called."""
    if metric.kind is Kind.HISTOGRAM:
        return {f"{metric.name}_{part}" for part in ("bucket", "sum", "count")}
    return {metric.name}


@pytest.mark.parametrize(
    "variable", json.loads(DASHBOARD.read_text())["templating"]["list"][1:], ids=lambda e: e["name"]
)
def test_a_variable_of_the_dashboard_asks_only_for_what_there_is(variable: dict[str, Any]):
    found = re.fullmatch(r"label_values\((.*), (\w+)\)", variable["definition"])
    assert found
    inside, label = found.groups()
    declared = {metric.name: set(metric.labels) for metric in METRICS}
    ((name, matched),) = selectors(filled_in(inside))
    assert {label, *matched} <= declared[name]


def test_the_dashboard_has_a_place_for_each_panel():
    """None lies upon another."""
    panels = json.loads(DASHBOARD.read_text())["panels"]
    cells = [
        (x, y)
        for panel in panels
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
    assert len({panel["id"] for panel in panels}) == len(panels)
