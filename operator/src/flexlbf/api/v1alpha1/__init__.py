"""Version v1alpha1 of the API: five kinds, read with `read` and written with `to_api`."""

from flexlbf.api.v1alpha1.backupclass import BackupClass, BackupClassSpec, ClassSource, Override, PodTemplate
from flexlbf.api.v1alpha1.backuphistory import BackupHistory
from flexlbf.api.v1alpha1.backuppolicy import (
    BackupPolicy,
    BackupPolicySpec,
    BackupSetRefs,
    Execution,
    Limits,
    Mode,
    OnWindowEnd,
    Scheduler,
)
from flexlbf.api.v1alpha1.backupset import (
    BackupObject,
    BackupSet,
    BackupSetSpec,
    ConfigMapKey,
    Estimate,
    Estimator,
    Measurement,
    Source,
)
from flexlbf.api.v1alpha1.common import LabelSelector, ObjectMeta, SelectorRequirement
from flexlbf.api.v1alpha1.conditions import (
    Condition,
    ConditionStatus,
    ConditionType,
    WindowFitReason,
    merge_conditions,
)
from flexlbf.api.v1alpha1.overrides import PodOverrides, Resources, Toleration
from flexlbf.api.v1alpha1.policystatus import (
    Alternative,
    BackupPolicyStatus,
    Bound,
    ComparedTo,
    Comparison,
    LastSession,
    Objective,
    Recommendation,
    RestoreStretch,
    ScheduleStatus,
    SessionState,
    SessionStatus,
    SessionWaiting,
    Workload,
)
from flexlbf.api.v1alpha1.tapepool import (
    DriveGroup,
    PoolUse,
    TapePool,
    TapePoolSpec,
    TapePoolStatus,
    UnavailableDrive,
)

KINDS: tuple[
    type[BackupPolicy] | type[BackupSet] | type[BackupHistory] | type[TapePool] | type[BackupClass], ...
] = (
    TapePool,
    BackupClass,
    BackupSet,
    BackupHistory,
    BackupPolicy,
)
"""Every kind of the API, the administrator's first."""

__all__ = [
    "KINDS",
    "Alternative",
    "BackupClass",
    "BackupClassSpec",
    "BackupHistory",
    "BackupObject",
    "BackupPolicy",
    "BackupPolicySpec",
    "BackupPolicyStatus",
    "BackupSet",
    "BackupSetRefs",
    "BackupSetSpec",
    "Bound",
    "ClassSource",
    "ComparedTo",
    "Comparison",
    "Condition",
    "ConditionStatus",
    "ConditionType",
    "ConfigMapKey",
    "DriveGroup",
    "Estimate",
    "Estimator",
    "Execution",
    "LabelSelector",
    "LastSession",
    "Limits",
    "Measurement",
    "Mode",
    "ObjectMeta",
    "Objective",
    "OnWindowEnd",
    "Override",
    "PodOverrides",
    "PodTemplate",
    "PoolUse",
    "Recommendation",
    "Resources",
    "RestoreStretch",
    "ScheduleStatus",
    "Scheduler",
    "SelectorRequirement",
    "SessionState",
    "SessionStatus",
    "SessionWaiting",
    "Source",
    "TapePool",
    "TapePoolSpec",
    "TapePoolStatus",
    "Toleration",
    "UnavailableDrive",
    "WindowFitReason",
    "Workload",
    "merge_conditions",
]
