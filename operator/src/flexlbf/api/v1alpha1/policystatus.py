"""What the operator tells about a BackupPolicy."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from flexlbf.api.model import ApiModel
from flexlbf.api.v1alpha1.common import AS_ATOMIC_LIST, Percent, ShortText, Times, Timestamp
from flexlbf.api.v1alpha1.conditions import Conditions, ObservedGeneration
from flexlbf.api.v1alpha1.tapepool import MAX_DRIVES

ObjectName = Annotated[str, StringConstraints(max_length=253)]
DriveName = Annotated[str, StringConstraints(max_length=48)]
Count = Annotated[int, Field(ge=0)]
Percentage = Annotated[int, Field(le=100)]
ShortReason = Annotated[str, StringConstraints(max_length=512)]
SHOWN_OBJECTS = 50
"""Of objects that failed or were left out so many are named."""


class Objective(StrEnum):
    """What the plan is to achieve with as few drives and agents as possible."""

    FASTEST = "Fastest"
    WITHIN_PERCENT = "WithinPercent"
    DEADLINE = "Deadline"


class Bound(StrEnum):
    """What keeps any plan from being shorter."""

    LONGEST_OBJECT = "LongestObject"
    THROUGHPUT = "Throughput"
    AGENTS = "Agents"
    HOST = "Host"


class Workload(ApiModel):
    """What is to be backed up."""

    objects: Count
    """How many objects."""
    bytes: ShortText
    """How much they are together, by their latest measurements."""
    longest_object: ObjectName | None = None
    """The object that takes longest."""
    longest_duration: ShortText | None = None
    """How long that one takes."""
    unmeasured: Count = 0
    """How many objects have neither history nor an estimate."""
    capped_objects: Count | None = None
    """How many objects are faster than every drive, and so are planned at the fastest drive's rate."""
    capped: tuple[ObjectName, ...] | None = Field(
        default=None, max_length=10, json_schema_extra=AS_ATOMIC_LIST
    )
    """The first ten of those."""


class RestoreStretch(ApiModel):
    """How much more than its own data a restore of an object reads, since other streams lie between it."""

    median: Times
    """That of the middle object: 1 is a stream that was alone on its drive."""
    worst: Times
    """The most that any object is stretched."""
    worst_object: ObjectName | None = None
    """The object that is stretched most; left out where several sessions were averaged."""


class Comparison(ApiModel):
    """What another scheduler would have needed."""

    duration: ShortText
    """How long its session takes."""
    saved_percent: Percentage
    """How much shorter the recommended session is, in percent; negative when it is longer."""
    restore_stretch: RestoreStretch | None = None
    """How much more than its data a restore reads after such a session."""


class ComparedTo(ApiModel):
    """The recommendation beside what is usual."""

    traditional: Comparison | None = None
    """Objects in arbitrary order, a fixed number of agents a drive."""
    lbf: Comparison | None = None
    """The longest backup first, a fixed number of agents a drive."""


class Recommendation(ApiModel):
    """The settings to use."""

    drives: Count
    """How many drives."""
    max_agents: Count
    """How many disk agents a drive takes at the most."""
    duration: ShortText
    """How long the session takes."""
    lower_bound: ShortText
    """What no plan on these drives can beat."""
    bound_by: Bound
    """What that bound comes from."""
    bound_host: ObjectName | None = None
    """With Host: the machine whose objects wait for each other."""
    optimal: bool | None = None
    """Whether it is proved that no plan on these drives is shorter; by cron, shorter by a whole minute."""
    restore_stretch: RestoreStretch | None = None
    """How much more than its data a restore reads: what so many agents cost."""
    peak_throughput: ShortText | None = None
    """The most that the session asks of its drives together, in bytes a second."""
    compared_to: ComparedTo | None = None
    """What other schedulers would have needed."""
    freed_drives: tuple[DriveName, ...] = Field(
        default=(), max_length=MAX_DRIVES, json_schema_extra=AS_ATOMIC_LIST
    )
    """The drives of the pool that the session does without."""


class Alternative(ApiModel):
    """Other settings, for another objective."""

    objective: Objective
    """What these settings achieve."""
    percent: Percent | None = None
    """With WithinPercent: how much longer the session may take."""
    drives: Count
    """How many drives."""
    max_agents: Count
    """How many disk agents a drive takes at the most."""
    duration: ShortText
    """How long the session takes."""
    restore_stretch: RestoreStretch | None = None
    """How much more than its data a restore reads."""


class ScheduleStatus(ApiModel):
    """The CronJobs that carry the plan out."""

    cron_jobs: Count
    """How many CronJobs there are."""
    duration: ShortText | None = None
    """How long the session takes with starts at whole minutes."""
    next_schedule_time: Timestamp | None = None
    """When the next session begins."""
    last_schedule_time: Timestamp | None = None
    """When the last session began."""


class SessionState(StrEnum):
    """How a session that the operator runs stands."""

    RUNNING = "Running"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"


class SessionWaiting(ApiModel):
    """What has not started yet."""

    objects: Count
    """How many objects wait."""
    head: ObjectName | None = None
    """The object that is considered first."""
    reason: ShortReason | None = None
    """Why that one waits."""


class SessionStatus(ApiModel):
    """The session that the operator runs, or ran last."""

    name: ObjectName
    """The session's Job."""
    state: SessionState
    """Whether it runs, and how it ended."""
    started: Timestamp
    """When it began."""
    expected_end: Timestamp | None = None
    """When it will be over, forecast from what has finished so far."""
    ended: Timestamp | None = None
    """When it was over."""
    objects: Count
    """How many objects it has to back up."""
    released: Count
    """How many of them were started."""
    running: Count
    """How many are being backed up."""
    waiting: SessionWaiting | None = None
    """What has not started yet."""
    done: Count
    """How many were backed up."""
    failed: Count
    """How many failed as often as their class lets them try."""
    failed_objects: tuple[ObjectName, ...] | None = Field(
        default=None, max_length=SHOWN_OBJECTS, json_schema_extra=AS_ATOMIC_LIST
    )
    """The first of those."""
    skipped: Count
    """How many were left out, since the window ended or nothing of the policy could be run any more."""
    skipped_objects: tuple[ObjectName, ...] | None = Field(
        default=None, max_length=SHOWN_OBJECTS, json_schema_extra=AS_ATOMIC_LIST
    )
    """The first of those."""
    bytes: ShortText | None = None
    """How much was written so far."""


class LastSession(ApiModel):
    """The last session that has ended and was measured."""

    name: Annotated[str, StringConstraints(max_length=63)]
    """What it is called in the history."""
    start_time: Timestamp
    """When its first backup began."""
    duration: ShortText
    """How long it took from there to the end of the last backup."""
    forecast: ShortText | None = None
    """How long the plan of that time had it take; left out if that is not known any more."""
    objects: Count
    """How many objects were backed up."""


class BackupPolicyStatus(ApiModel):
    """Which settings to use, what they cost and what they save."""

    observed_generation: ObservedGeneration | None = None
    """The version of the spec that this status was made from; -1 until there is one."""
    conditions: Conditions | None = None
    """Ready, Reconciling and Stalled, whether the session fits its window (WindowFit), whether the last
    session of the operator backed everything up (SessionComplete), and whether forecast and reality have
    parted (Drifted)."""
    workload: Workload | None = None
    """What is to be backed up."""
    recommendation: Recommendation | None = None
    """The settings to use."""
    alternatives: tuple[Alternative, ...] | None = Field(
        default=None, max_length=10, json_schema_extra=AS_ATOMIC_LIST
    )
    """Other settings to choose from."""
    schedule: ScheduleStatus | None = None
    """The CronJobs that carry the plan out."""
    session: SessionStatus | None = None
    """The session that the operator runs, or ran last."""
    run_token: Annotated[str, StringConstraints(max_length=64)] | None = None
    """The last `spec.runToken` whose session has ended."""
    last_session: LastSession | None = None
    """What the last session came to, beside its forecast."""
