"""Version v1alpha1 of the API: four kinds, read with `read` and written with `to_api`."""

from flexlbf.api.v1alpha1.backupclass import BackupClass, BackupClassSpec, ClassSource, Override, PodTemplate
from flexlbf.api.v1alpha1.backuppolicy import (
    BackupPolicy,
    BackupPolicySpec,
    BackupSetRefs,
    Execution,
    Limits,
    Mode,
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
    Objective,
    Recommendation,
    RestoreStretch,
    ScheduleStatus,
    Workload,
)
from flexlbf.api.v1alpha1.tapepool import DriveGroup, PoolUse, TapePool, TapePoolSpec, TapePoolStatus

KINDS: tuple[type[BackupPolicy] | type[BackupSet] | type[TapePool] | type[BackupClass], ...] = (
    TapePool,
    BackupClass,
    BackupSet,
    BackupPolicy,
)
"""Every kind of the API, the administrator's first."""

__all__ = [
    "KINDS",
    "Alternative",
    "BackupClass",
    "BackupClassSpec",
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
    "Limits",
    "Measurement",
    "Mode",
    "ObjectMeta",
    "Objective",
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
    "Source",
    "TapePool",
    "TapePoolSpec",
    "TapePoolStatus",
    "Toleration",
    "WindowFitReason",
    "Workload",
    "merge_conditions",
]
