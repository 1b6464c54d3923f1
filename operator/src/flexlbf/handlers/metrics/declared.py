"""Every metric that the operator exports: what is collected, documented and drawn is held against this.

No label has a value for each object: a policy may have ten thousand.
"""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Prometheus' types."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric.

    Attributes:
        help: what it says, with its unit.
        buckets: the upper bounds of a histogram, in seconds.
    """

    name: str
    kind: Kind
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Metrics that tell of the same thing.

    Attributes:
        leader_only: whether only the replica that leads exports them.
    """

    title: str
    text: str
    leader_only: bool
    metrics: tuple[Metric, ...]


OF_POLICY = ("namespace", "policy")
OF_DRIVE = ("pool", "drive")
SHORT = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
LONG = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0)


def _counter(name: str, text: str, *labels: str) -> Metric:
    return Metric(f"flexlbf_{name}", Kind.COUNTER, text, labels)


def _gauge(name: str, text: str, *labels: str) -> Metric:
    return Metric(f"flexlbf_{name}", Kind.GAUGE, text, labels)


def _histogram(name: str, text: str, buckets: tuple[float, ...], *labels: str) -> Metric:
    return Metric(f"flexlbf_{name}", Kind.HISTOGRAM, text, labels, buckets)


BUILD_INFO = _gauge("build_info", "1, with the operator's version.", "version")
LEADER = _gauge("leader", "1 if this replica leads, and so plans and writes; else 0.")
TAKEOVERS = _counter("lease_takeovers_total", "How often this replica began to lead.")
PLANS = _counter(
    "plans_total",
    "Plans made: planned, stalled (only other input helps) or failed (tried again by itself).",
    "result",
)
PLAN_SECONDS = _histogram("plan_seconds", "Seconds from asking for a plan to having it.", LONG)
RECONCILED = _counter(
    "reconcile_total",
    "Reconciliations by what was reconciled and how it ended: success, requeue_after or error.",
    "kind",
    "result",
)
RECONCILE_SECONDS = _histogram("reconcile_seconds", "Seconds that a reconciliation took.", SHORT, "kind")
API_ERRORS = _counter(
    "api_errors_total",
    "Requests that the API server refused (4xx), failed at (5xx), or that did not reach it (unreachable).",
    "code",
)
LAST_EVENT = _gauge(
    "watch_last_event_timestamp_seconds",
    "When something was last heard of a kind by watch or list, as a Unix time.",
    "resource",
)
QUEUE_DEPTH = _gauge("workqueue_depth", "How many keys wait for a worker.", "name")
QUEUE_ADDS = _counter("workqueue_adds_total", "Keys that came into the queue.", "name")
QUEUE_RETRIES = _counter("workqueue_retries_total", "Keys that came again since they failed.", "name")
QUEUE_WAIT = _histogram(
    "workqueue_queue_duration_seconds", "Seconds that a key waited for a worker.", SHORT, "name"
)
QUEUE_WORK = _histogram("workqueue_work_duration_seconds", "Seconds that a worker had a key.", LONG, "name")
QUEUE_UNFINISHED = _gauge(
    "workqueue_unfinished_work_seconds", "Seconds that workers have had their keys until now, summed.", "name"
)
QUEUE_LONGEST = _gauge(
    "workqueue_longest_running_processor_seconds",
    "Seconds that the worker with the longest work has had its key.",
    "name",
)

INFO = _gauge(
    "policy_info", "1, with the policy's pool and execution.", *OF_POLICY, "pool", "execution", "scheduler"
)
CONDITION = _gauge(
    "policy_condition",
    "1 if a condition of the policy's status is True, 0 if False; left out while Unknown.",
    *OF_POLICY,
    "condition",
)
FORECAST = _gauge("policy_forecast_seconds", "Seconds that the plan has a session take.", *OF_POLICY)
WINDOW = _gauge("policy_window_seconds", "Seconds that a session may take, by the policy.", *OF_POLICY)
PLANNED_DRIVES = _gauge("policy_drives", "How many drives the plan uses.", *OF_POLICY)
PLANNED_AGENTS = _gauge("policy_max_agents", "How many disk agents a drive the plan uses.", *OF_POLICY)
OBJECTS = _gauge("policy_objects", "How many objects the policy backs up.", *OF_POLICY)
NEVER_BACKED_UP = _gauge(
    "policy_objects_never_backed_up", "How many of them no session has backed up yet.", *OF_POLICY
)
LAST_SUCCESS = _gauge(
    "policy_last_success_timestamp_seconds",
    "The oldest of the objects' last good backups, as a Unix time: every object that was ever backed up "
    "has been since then.",
    *OF_POLICY,
)
APPLIED_SINCE = _gauge(
    "policy_applied_timestamp_seconds",
    "Since when a policy that is planned is carried out, as a Unix time: when the oldest of its CronJobs was "
    "made, or while it has none the policy itself.",
    *OF_POLICY,
)
NEXT_SCHEDULE = _gauge(
    "policy_next_schedule_timestamp_seconds", "When the next session begins, as a Unix time.", *OF_POLICY
)
LONGEST_GAP = _gauge(
    "policy_schedule_longest_gap_seconds",
    "The longest time from one session to the next that the schedule has; left out while it is suspended.",
    *OF_POLICY,
)

RUNNING = _gauge("session_running", "1 while a session of the policy runs, else 0.", *OF_POLICY)
STREAMS = _gauge("session_streams", "How many objects stream to drives.", *OF_POLICY)
SESSION_OBJECTS = _gauge(
    "session_objects",
    "Objects of the session that the operator runs, and of an Adaptive policy those of the last one: "
    "waiting, running, done, failed or skipped.",
    *OF_POLICY,
    "state",
)
SESSION_BYTES = _gauge("session_bytes", "Bytes of the objects that the running session has done.", *OF_POLICY)
STARTED = _gauge(
    "session_start_timestamp_seconds", "When the running session began, as a Unix time.", *OF_POLICY
)
EXPECTED_END = _gauge(
    "session_expected_end_timestamp_seconds",
    "When the running session is forecast to be over, as a Unix time.",
    *OF_POLICY,
)
WINDOW_END = _gauge(
    "session_window_end_timestamp_seconds",
    "When the running session's window ends, as a Unix time.",
    *OF_POLICY,
)
LAST_SECONDS = _gauge("last_session_seconds", "Seconds that the last session really took.", *OF_POLICY)
LAST_FORECAST = _gauge(
    "last_session_forecast_seconds", "Seconds that the plan of that time had it take.", *OF_POLICY
)
LAST_BYTES = _gauge("last_session_bytes", "Bytes that the last session backed up.", *OF_POLICY)
LAST_OBJECTS = _gauge("last_session_objects", "Objects that the last session backed up.", *OF_POLICY)

POOL_DRIVES = _gauge("pool_drives", "How many drives the pool has.", "pool")
POOL_PEAK = _gauge("pool_peak_drives", "The most drives that policies ask for at the same time.", "pool")
OVERSUBSCRIBED = _gauge(
    "pool_oversubscribed", "1 if policies ask for more than there is at the same time, else 0.", "pool"
)
DRIVE_STREAMS = _gauge("drive_streams", "How many streams a drive has now.", *OF_DRIVE)
DRIVE_RATE = _gauge(
    "drive_assigned_bytes_per_second", "The rate that these streams were given together.", *OF_DRIVE
)
DRIVE_BUSY = _counter("drive_busy_seconds_total", "Seconds in which a drive had a stream.", *OF_DRIVE)
DRIVE_MAX_RATE = _gauge("drive_max_throughput_bytes_per_second", "The rate that a drive sustains.", *OF_DRIVE)
DRIVE_MAX_AGENTS = _gauge("drive_max_agents", "How many streams a drive may have.", *OF_DRIVE)
DRIVE_AVAILABLE = _gauge("drive_available", "1 unless the pool marks the drive unavailable.", *OF_DRIVE)

SECTIONS = (
    Section(
        "The operator",
        "How each replica is doing. Every replica exports these.",
        leader_only=False,
        metrics=(
            BUILD_INFO,
            LEADER,
            TAKEOVERS,
            PLANS,
            PLAN_SECONDS,
            RECONCILED,
            RECONCILE_SECONDS,
            API_ERRORS,
            LAST_EVENT,
            QUEUE_DEPTH,
            QUEUE_ADDS,
            QUEUE_RETRIES,
            QUEUE_WAIT,
            QUEUE_WORK,
            QUEUE_UNFINISHED,
            QUEUE_LONGEST,
        ),
    ),
    Section(
        "Policies",
        "What is planned, and how far what was promised is kept.",
        leader_only=True,
        metrics=(
            INFO,
            CONDITION,
            FORECAST,
            WINDOW,
            PLANNED_DRIVES,
            PLANNED_AGENTS,
            OBJECTS,
            NEVER_BACKED_UP,
            LAST_SUCCESS,
            APPLIED_SINCE,
            NEXT_SCHEDULE,
            LONGEST_GAP,
        ),
    ),
    Section(
        "Sessions",
        "What runs now, and what the last session came to.",
        leader_only=True,
        metrics=(
            RUNNING,
            STREAMS,
            SESSION_OBJECTS,
            SESSION_BYTES,
            STARTED,
            EXPECTED_END,
            WINDOW_END,
            LAST_SECONDS,
            LAST_FORECAST,
            LAST_BYTES,
            LAST_OBJECTS,
        ),
    ),
    Section(
        "Pools and drives",
        "What drives do, and what they could.",
        leader_only=True,
        metrics=(
            POOL_DRIVES,
            POOL_PEAK,
            OVERSUBSCRIBED,
            DRIVE_STREAMS,
            DRIVE_RATE,
            DRIVE_BUSY,
            DRIVE_MAX_RATE,
            DRIVE_MAX_AGENTS,
            DRIVE_AVAILABLE,
        ),
    ),
)
METRICS = tuple(metric for section in SECTIONS for metric in section.metrics)
