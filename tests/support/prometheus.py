"""promtool as a person runs it, and the queries that we ship."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

from localcluster import gobuild
from localcluster.versions import PROMETHEUS_TOOLS
from support.charttools import ROOT, run_tool

RULES = ROOT / "config/prometheus/prometheus_rule.yaml"
DASHBOARD = ROOT / "config/prometheus/flexlbf.json"
# Grafana fills these in before it asks.
GRAFANA = {"$__rate_interval": "5m", "$namespace": ".*", "$policy": ".*", "$pool": ".*"}
_SELECTOR = re.compile(r"\b(flexlbf_\w+)(?:\{([^}]*)\})?")
_MATCHER = re.compile(r'(\w+)\s*=~?\s*"((?:[^"\\]|\\.)*)"')
_GROUPED = re.compile(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)")


def promtool(*arguments: str | Path, text: str = "") -> str:
    """Run it and give what it prints; raises ToolRefusedError."""
    return run_tool(gobuild.programs(PROMETHEUS_TOOLS) / "promtool", *arguments, text=text)


def rules() -> dict[str, Any]:
    """The groups of alerts as Prometheus reads them from a file."""
    spec: dict[str, Any] = yaml.safe_load(RULES.read_text())["spec"]
    return spec


def alerts() -> list[dict[str, Any]]:
    """All alerts."""
    return [rule for group in rules()["groups"] for rule in group["rules"]]


def queries() -> list[tuple[str, str]]:
    """Every query that we ship, and where it is."""
    of_alerts = [(alert["alert"], alert["expr"]) for alert in alerts()]
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return of_alerts + [
        (f"{panel['title']} {target['refId']}", filled_in(target["expr"]))
        for panel in panels
        for target in panel.get("targets", ())
    ]


def filled_in(query: str) -> str:
    """A query of the dashboard as Prometheus gets it."""
    for name, value in GRAFANA.items():
        query = query.replace(name, value)
    return query


def selectors(query: str) -> list[tuple[str, dict[str, str]]]:
    """The series that a query asks for: each name with the pattern that it wants of each label."""
    return [(name, dict(_MATCHER.findall(inside or ""))) for name, inside in _SELECTOR.findall(query)]


def grouped_by(query: str) -> set[str]:
    """The labels that a query groups or matches by."""
    return {each.strip() for inside in _GROUPED.findall(query) for each in inside.split(",") if each.strip()}
