"""What the dashboard shows, row by row.

Only the replica that leads exports what policies and pools come to, so every query takes all replicas
together.
"""

from dataclasses import dataclass
from typing import Literal

MINE = 'namespace=~"$namespace",policy=~"$policy"'
STALLED = ',condition="Stalled"'
BUSY = 'flexlbf_drive_busy_seconds_total{pool=~"$pool"}[$__rate_interval]'
POLICY = "{{namespace}}/{{policy}}"
BY_POLICY = "by (namespace, policy)"


@dataclass(frozen=True)
class Query:
    """One query and what its series are called."""

    expression: str
    legend: str


@dataclass(frozen=True)
class Panel:
    """One panel.

    Attributes:
        unit: Grafana's name of it.
        width, height: on a grid of 24 columns.
        least, most: where its axis begins and ends; None for where the values do.
        bad_from: the value from which on it is red.
    """

    title: str
    description: str
    queries: tuple[Query, ...]
    unit: str = "short"
    kind: Literal["timeseries", "stat", "bargauge"] = "timeseries"
    width: int = 8
    height: int = 8
    least: float | None = 0
    most: float | None = None
    bad_from: float | None = None


def _of(metric: str, extra: str = "") -> str:
    return f"max {BY_POLICY} ({metric}{{{MINE}{extra}}})"


def _stat(title: str, description: str, expression: str, *, bad_from: float | None = None) -> Panel:
    query = (Query(expression, title),)
    return Panel(title, description, query, kind="stat", width=4, height=4, bad_from=bad_from)


OVERVIEW = (
    _stat("Leaders", "One replica leads; the others wait for its Lease.", "sum(flexlbf_leader)"),
    _stat("Policies", "Policies that there are.", f"count({_of('flexlbf_policy_info')})"),
    _stat(
        "Stalled",
        "Policies that can't be planned as they are.",
        f"sum({_of('flexlbf_policy_condition', STALLED)})",
        bad_from=1,
    ),
    _stat("Sessions", "Sessions that run now.", f"sum({_of('flexlbf_session_running')})"),
    _stat(
        "Late sessions",
        "Sessions that are forecast to miss their windows, or go on after them.",
        # The second half is for a session whose end can't be told.
        f"count({_of('flexlbf_session_expected_end_timestamp_seconds')} > "
        f"{_of('flexlbf_session_window_end_timestamp_seconds')} or "
        f"time() > {_of('flexlbf_session_window_end_timestamp_seconds')}) or vector(0)",
        bad_from=1,
    ),
    _stat(
        "Oversubscribed pools",
        "Pools of which policies ask for more than there is.",
        'sum(max by (pool) (flexlbf_pool_oversubscribed{pool=~"$pool"}))',
        bad_from=1,
    ),
)
SESSIONS = (
    Panel(
        "Forecast against window",
        "The part of its window that each plan takes.",
        (
            Query(
                f"{_of('flexlbf_policy_forecast_seconds')} / {_of('flexlbf_policy_window_seconds')}", POLICY
            ),
        ),
        unit="percentunit",
        kind="bargauge",
        bad_from=1,
    ),
    Panel(
        "Time left at the end of the window",
        "Of running sessions: the end of the window less the forecast end. Below 0 it will be missed.",
        (
            Query(
                f"{_of('flexlbf_session_window_end_timestamp_seconds')} - "
                f"{_of('flexlbf_session_expected_end_timestamp_seconds')}",
                POLICY,
            ),
        ),
        unit="s",
        least=None,
    ),
    Panel(
        "Objects of the session",
        "Of the session that the operator runs, or ran last.",
        (
            Query(
                f"sum by (state) (max by (namespace, policy, state) (flexlbf_session_objects{{{MINE}}}))",
                "{{state}}",
            ),
        ),
    ),
    Panel(
        "Last session beside its forecast",
        "What the last session really took, and what was forecast for it.",
        (
            Query(_of("flexlbf_last_session_seconds"), f"{POLICY} took"),
            Query(_of("flexlbf_last_session_forecast_seconds"), f"{POLICY} forecast"),
        ),
        unit="s",
    ),
    Panel(
        "Since the last good backup",
        "The age of the oldest last backup of an object, and what the schedule lets it be.",
        (
            Query(f"time() - {_of('flexlbf_policy_last_success_timestamp_seconds')}", POLICY),
            Query(_of("flexlbf_policy_schedule_longest_gap_seconds"), f"{POLICY} longest gap"),
        ),
        unit="s",
    ),
    Panel(
        "Objects never backed up",
        "Objects that no session has backed up yet. After a session there should be none.",
        (Query(_of("flexlbf_policy_objects_never_backed_up"), POLICY),),
    ),
    Panel(
        "Bytes of the last session",
        "What the last session of each policy backed up.",
        (Query(_of("flexlbf_last_session_bytes"), POLICY),),
        unit="decbytes",
    ),
)
DRIVES = (
    Panel(
        "Drives busy",
        "The part of the time in which each drive has a stream.",
        (
            Query(
                f"sum by (pool, drive) (rate({BUSY}))",
                "{{pool}} {{drive}}",
            ),
        ),
        unit="percentunit",
        most=1,
    ),
    Panel(
        "Rate assigned",
        "The part of its rate that each drive has assigned.",
        (
            Query(
                'max by (pool, drive) (flexlbf_drive_assigned_bytes_per_second{pool=~"$pool"}) / '
                'max by (pool, drive) (flexlbf_drive_max_throughput_bytes_per_second{pool=~"$pool"})',
                "{{pool}} {{drive}}",
            ),
        ),
        unit="percentunit",
        most=1,
    ),
    Panel(
        "Streams",
        "How many streams each pool has.",
        (Query('sum by (pool) (max by (pool, drive) (flexlbf_drive_streams{pool=~"$pool"}))', "{{pool}}"),),
    ),
)
OPERATOR = (
    Panel(
        "Plans",
        "Plans made, by their results.",
        (Query("sum by (result) (rate(flexlbf_plans_total[$__rate_interval]))", "{{result}}"),),
        unit="ops",
    ),
    Panel(
        "Time to plan",
        "The slowest twentieth of the plans takes longer than this.",
        (
            Query(
                "histogram_quantile(0.95, sum by (le) (rate(flexlbf_plan_seconds_bucket[$__rate_interval])))",
                "95 %",
            ),
        ),
        unit="s",
    ),
    Panel(
        "Queue",
        "Keys that wait for a worker.",
        (Query("sum by (name) (flexlbf_workqueue_depth)", "{{name}}"),),
    ),
    Panel(
        "Wait in the queue",
        "The slowest twentieth of the keys waits longer than this.",
        (
            Query(
                "histogram_quantile(0.95, sum by (le, name) "
                "(rate(flexlbf_workqueue_queue_duration_seconds_bucket[$__rate_interval])))",
                "{{name}}",
            ),
        ),
        unit="s",
    ),
    Panel(
        "Failed reconciliations",
        "They are tried again, later each time.",
        (
            Query(
                'sum by (kind) (rate(flexlbf_reconcile_total{result="error"}[$__rate_interval]))', "{{kind}}"
            ),
        ),
        unit="ops",
    ),
    Panel(
        "Failed requests",
        "By the class of the answer's code.",
        (Query("sum by (code) (rate(flexlbf_api_errors_total[$__rate_interval]))", "{{code}}"),),
        unit="ops",
    ),
)
ROWS = (("Overview", OVERVIEW), ("Sessions", SESSIONS), ("Drives", DRIVES), ("Operator", OPERATOR))
