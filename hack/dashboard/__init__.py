"""The Grafana dashboard as JSON: sessions against their windows, drives, plans and queues."""

import json
from typing import Any

from dashboard.panels import ROWS, Panel

TITLE = "FlexLBF Operator"
COLUMNS = 24
ROW_HEIGHT = 1
SOURCE = {"type": "prometheus", "uid": "${datasource}"}


def dashboard() -> str:
    """The dashboard as Grafana imports it, and as its sidecar finds it in a ConfigMap."""
    model = {
        "title": TITLE,
        "uid": "flexlbf-operator",
        "tags": ["flexlbf", "backup"],
        "schemaVersion": 39,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-24h", "to": "now"},
        "templating": {"list": _variables()},
        "panels": _placed(),
    }
    return json.dumps(model, indent=2) + "\n"


def _variables() -> list[dict[str, Any]]:
    source = {"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Data source"}
    return [
        source,
        _variable("namespace", "label_values(flexlbf_policy_info, namespace)"),
        _variable("policy", 'label_values(flexlbf_policy_info{namespace=~"$namespace"}, policy)'),
        _variable("pool", "label_values(flexlbf_pool_drives, pool)"),
    ]


def _variable(name: str, query: str) -> dict[str, Any]:
    return {
        "name": name,
        "type": "query",
        "label": name.capitalize(),
        "datasource": SOURCE,
        "query": {"query": query, "refId": name},
        "definition": query,
        "refresh": 2,
        "multi": True,
        "includeAll": True,
        "allValue": ".*",
        "current": {"selected": True, "text": "All", "value": "$__all"},
        "sort": 1,
    }


def _placed() -> list[dict[str, Any]]:
    """Rows from the top, their panels from the left; a row is as high as its panels."""
    placed: list[dict[str, Any]] = []
    top = 0
    for title, panels in ROWS:
        where = {"h": ROW_HEIGHT, "w": COLUMNS, "x": 0, "y": top}
        placed.append({"id": len(placed) + 1, "type": "row", "title": title, "gridPos": where, "panels": []})
        top += ROW_HEIGHT
        left = 0
        for panel in panels:
            if left + panel.width > COLUMNS:
                left, top = 0, top + panel.height
            where = {"h": panel.height, "w": panel.width, "x": left, "y": top}
            placed.append(_panel(panel, len(placed) + 1, where))
            left += panel.width
        top += max(panel.height for panel in panels)
    return placed


def _panel(panel: Panel, number: int, where: dict[str, int]) -> dict[str, Any]:
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.description,
        "datasource": SOURCE,
        "gridPos": where,
        "fieldConfig": {"defaults": {"unit": panel.unit, **_limits(panel)}, "overrides": []},
        "options": _options(panel),
        "targets": [
            {
                "refId": chr(ord("A") + place),
                "datasource": SOURCE,
                "expr": query.expression,
                "legendFormat": query.legend,
                "instant": panel.kind != "timeseries",
                "range": panel.kind == "timeseries",
            }
            for place, query in enumerate(panel.queries)
        ],
    }


def _limits(panel: Panel) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    steps += [{"color": "red", "value": panel.bad_from}] if panel.bad_from is not None else []
    limits: dict[str, Any] = {"thresholds": {"mode": "absolute", "steps": steps}}
    ends = {"min": panel.least, "max": panel.most}
    return limits | {name: value for name, value in ends.items() if value is not None}


def _options(panel: Panel) -> dict[str, Any]:
    if panel.kind == "timeseries":
        return {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}}
    return {"reduceOptions": {"calcs": ["lastNotNull"]}}
