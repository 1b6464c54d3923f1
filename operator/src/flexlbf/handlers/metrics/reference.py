"""The reference of all metrics as Markdown."""

from collections.abc import Iterator

from flexlbf.handlers.metrics.declared import SECTIONS, Metric

INTRODUCTION = """\
<!-- Generated from flexlbf/handlers/metrics/declared.py by `make generate`: do not edit. -->
# Metrics

`flexlbf operator --metrics 0.0.0.0:8081` answers Prometheus at `/metrics`; without the option nothing
listens. The chart and `config/` switch it on. Besides what is listed here there is what Prometheus' own
library tells of every process: `process_cpu_seconds_total`, `process_resident_memory_bytes` and so on.

**Scraping.** `namespace` is a policy's namespace. A scrape that sets a label of this name itself must keep
ours: `honor_labels: true`, as the ServiceMonitor has it.

**Several replicas.** Every replica tells of itself. Of policies, sessions, pools and drives only the one
that leads tells, since it plans and so knows. When another takes over, its series begin some seconds after
the old ones have ended, on another instance. So take all replicas together and name the labels to keep:

```promql
max by (namespace, policy) (flexlbf_policy_forecast_seconds)
sum by (pool, drive) (rate(flexlbf_drive_busy_seconds_total[10m]))
```

An alert outlasts a takeover with `keep_firing_for`. Counters begin at 0 with each process; `rate` and
`increase` know that. Of each histogram there are `_bucket`, `_sum` and `_count`.

**Cardinality.** No label has a value for each object. A policy has some thirty series, a pool three and six
for each of its drives.
"""


def render_metrics() -> str:
    """The page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield INTRODUCTION
    for section in SECTIONS:
        yield f"## {section.title}\n"
        only = " Only the leader exports them." if section.leader_only else ""
        yield f"{section.text}{only}\n"
        yield "| Metric | Type | Labels | Meaning |"
        yield "|---|---|---|---|"
        yield from map(_row, section.metrics)
        yield ""


def _row(metric: Metric) -> str:
    labels = ", ".join(f"`{each}`" for each in metric.labels) or "none"
    return f"| `{metric.name}` | {metric.kind} | {labels} | {metric.help} |"
