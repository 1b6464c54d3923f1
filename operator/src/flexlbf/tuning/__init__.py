"""Tuning, pure: objectives, the tuner of section V and the baselines that it is compared with."""

from flexlbf.tuning.baselines import Comparison, compare, saved_percent
from flexlbf.tuning.objective import Deadline, Fastest, Objective, WithinPercent
from flexlbf.tuning.tuner import Setting, Tuner, Tuning, allowed_drives, by_removal, tune

__all__ = [
    "Comparison",
    "Deadline",
    "Fastest",
    "Objective",
    "Setting",
    "Tuner",
    "Tuning",
    "WithinPercent",
    "allowed_drives",
    "by_removal",
    "compare",
    "saved_percent",
    "tune",
]
