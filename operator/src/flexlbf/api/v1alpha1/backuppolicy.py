"""BackupPolicy: when which sets are backed up, and what the plan is to achieve."""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field, StringConstraints

from flexlbf.api.lists import Distinct
from flexlbf.api.model import ApiModel, Column, Definition, Scope
from flexlbf.api.rules import Rule, exactly_one
from flexlbf.api.v1alpha1.common import (
    VERSION,
    Duration,
    LabelSelector,
    ObjectMeta,
    Percent,
    ResourceName,
)
from flexlbf.api.v1alpha1.conditions import UNSEEN
from flexlbf.api.v1alpha1.overrides import PodOverrides
from flexlbf.api.v1alpha1.policystatus import BackupPolicyStatus, Objective
from flexlbf.api.v1alpha1.schedules import CronSchedule, TimeZone
from flexlbf.api.v1alpha1.tapepool import MAX_DRIVES


class Scheduler(StrEnum):
    """In which order, and where, objects start. The command line knows more, to compare with."""

    FLEX_LBF = "FlexLBF"
    FLEX_LBF_BACKFILL = "FlexLBFBackfill"
    OPTIMIZED = "Optimized"


class Execution(StrEnum):
    """Who starts the objects."""

    PLANNED = "Planned"
    ADAPTIVE = "Adaptive"


class OnWindowEnd(StrEnum):
    """What becomes of the objects that have not started when the window ends."""

    CONTINUE = "Continue"
    SKIP_REMAINING = "SkipRemaining"


class Mode(StrEnum):
    """Whether the plan is carried out."""

    APPLY = "Apply"
    RECOMMEND = "Recommend"


class BackupSetRefs(ApiModel):
    """Sets of the policy's namespace, by name or by label."""

    RULES: ClassVar = (
        exactly_one(
            ("names", "names"),
            ("selector", "selector"),
            message="give either names or a selector: {names: [nightly]} or {selector: {matchLabels: {...}}}",
        ),
    )

    names: (
        Annotated[
            tuple[ResourceName, ...],
            Field(max_length=64),
            Rule(
                cel="size(self) > 0",
                message="name at least one set, or give a selector instead",
                holds=lambda names: len(names) > 0,
                reason="FieldValueRequired",
            ),
            Distinct(),
        ]
        | None
    ) = None
    """The sets' names."""
    selector: LabelSelector | None = None
    """Labels of the sets; an empty selector takes all of the namespace."""


class Limits(ApiModel):
    """What the plan may use at the most."""

    drives: Annotated[int, Field(ge=1, le=MAX_DRIVES)] | None = None
    """How many drives; all of the pool when left out."""
    max_agents: Annotated[int, Field(ge=1, le=64)] | None = None
    """How many disk agents a drive: the interleaving that restores can bear. The pool's when left out."""
    per_host: Annotated[int, Field(ge=1, le=64)] | None = None
    """How many streams at a time the objects of one `host` may have together, whichever drives they go to: 1
    lets them come one after another. Objects without a host are not limited, and none is when left out."""


class BackupPolicySpec(ApiModel):
    """What to back up, when, on what, and how the settings are chosen."""

    RULES: ClassVar = (
        Rule(
            cel="self.objective != 'WithinPercent' || has(self.percent)",
            message="WithinPercent needs percent: how much longer than the shortest a session may be: 15",
            holds=lambda spec: spec.objective != Objective.WITHIN_PERCENT or spec.percent is not None,
            reason="FieldValueRequired",
            field_path=".percent",
        ),
        Rule(
            cel="self.objective == 'WithinPercent' || !has(self.percent)",
            message="percent goes with objective: WithinPercent only; leave it out",
            holds=lambda spec: spec.objective == Objective.WITHIN_PERCENT or spec.percent is None,
            reason="FieldValueForbidden",
            field_path=".percent",
        ),
        Rule(
            cel="self.objective != 'Deadline' || has(self.window)",
            message="Deadline needs window: the time that the session may take, such as 8h",
            holds=lambda spec: spec.objective != Objective.DEADLINE or spec.window is not None,
            reason="FieldValueRequired",
            field_path=".window",
        ),
        Rule(
            cel="self.onWindowEnd != 'SkipRemaining' || has(self.window)",
            message="SkipRemaining needs window: the time after which nothing more is started, such as 8h",
            holds=lambda spec: spec.on_window_end != OnWindowEnd.SKIP_REMAINING or spec.window is not None,
            reason="FieldValueRequired",
            field_path=".window",
        ),
    )

    schedule: CronSchedule
    """When a session begins, as a cron expression: `0 22 * * 5`."""
    time_zone: TimeZone = "Etc/UTC"
    """The time zone of the schedule: `Europe/Berlin`."""
    window: Duration | None = None
    """How long a session may take: `8h`. Needed for Deadline; otherwise only reported on."""
    backup_sets: BackupSetRefs
    """What is backed up."""
    tape_pool: ResourceName
    """The TapePool whose drives are used."""
    backup_class: ResourceName
    """The BackupClass that says how an object is backed up."""
    objective: Objective = Objective.FASTEST
    """What to achieve with as few drives and agents as possible: the shortest session (Fastest), one that is
    at most `percent` longer (WithinPercent), or one that fits the window (Deadline)."""
    percent: Percent | None = None
    """With WithinPercent: how much longer than the shortest the session may be."""
    scheduler: Scheduler = Scheduler.FLEX_LBF
    """In which order, and on which drive, objects start: FlexLBF the longest first; FlexLBFBackfill with the
    first that fits before one that does not; Optimized by an order with a drive for each object, and a rule
    for nights that go another way, both fitted to the workload (by a rule alone with more than 1,000 objects
    or limits per host). No plan of it is longer than those of the others."""
    limits: Limits | None = None
    """What the plan may use at the most."""
    execution: Execution = Execution.PLANNED
    """Planned: a CronJob for each object, at its planned start, which runs on without the operator.
    Adaptive: a CronJob for the session, whose objects the operator starts when a drive really has room."""
    priority: Annotated[int, Field(ge=-1000, le=1000)] = 0
    """Among the sessions of the operator that share a pool, those of the highest priority start objects
    first."""
    on_window_end: OnWindowEnd = OnWindowEnd.CONTINUE
    """With Adaptive: whether objects that have not started when the window ends are still backed up
    (Continue) or left out and named in status and events (SkipRemaining)."""
    run_token: Annotated[str, StringConstraints(min_length=1, max_length=64)] | None = None
    """Any text; another one than before asks for a session now. When that has ended, `status.runToken` is
    the same."""
    drift_percent: Annotated[int, Field(ge=1, le=1000)] = 25
    """By how many percent of its forecast a session, or an object of weight in it, may be off before the
    policy is `Drifted`."""
    mode: Mode = Mode.APPLY
    """Apply carries the plan out; Recommend only writes it to the status."""
    suspend: bool = False
    """Whether to start nothing more; what runs goes on."""
    pod_overrides: PodOverrides | None = None
    """What the policy sets of its pods, as far as the class allows it."""


class BackupPolicy(ApiModel):
    """Backs sets up on a schedule, with the fewest drives and disk agents that its objective allows."""

    DEFINITION: ClassVar = Definition(
        kind="BackupPolicy",
        plural="backuppolicies",
        short_name="bpol",
        scope=Scope.NAMESPACED,
        version=VERSION,
        columns=(
            Column("Ready", '.status.conditions[?(@.type=="Ready")].status', "Whether the plan is in place"),
            Column("Drives", ".status.recommendation.drives", "How many drives to use", type="integer"),
            Column("Agents", ".status.recommendation.maxAgents", "How many agents a drive", type="integer"),
            Column("Duration", ".status.recommendation.duration", "How long a session takes"),
            Column(
                "Window", '.status.conditions[?(@.type=="WindowFit")].reason', "Whether it fits the window"
            ),
            Column(
                "Saved",
                ".status.recommendation.comparedTo.traditional.savedPercent",
                "How much shorter than with a traditional scheduler, in percent",
                type="integer",
            ),
            Column("Next", ".status.schedule.nextScheduleTime", "When the next session begins"),
            Column("Schedule", ".spec.schedule", "When sessions begin", wide=True),
            Column("Pool", ".spec.tapePool", "The drives that are used", wide=True),
            Column("Objects", ".status.workload.objects", "How many objects", type="integer", wide=True),
            Column("LowerBound", ".status.recommendation.lowerBound", "What no plan can beat", wide=True),
            Column("Age", ".metadata.creationTimestamp", "How long the policy exists", type="date"),
        ),
    )

    api_version: Literal["flexlbf.io/v1alpha1"] = "flexlbf.io/v1alpha1"
    """The group and version of this schema."""
    kind: Literal["BackupPolicy"] = "BackupPolicy"
    """The kind of this resource."""
    metadata: ObjectMeta
    """The object's metadata."""
    spec: BackupPolicySpec
    """What the user asks for."""
    status: BackupPolicyStatus | None = Field(default=None, json_schema_extra={"default": UNSEEN})
    """What the operator answers."""
