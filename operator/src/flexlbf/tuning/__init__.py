"""Tuning, pure: objectives, the tuner of section V, baselines to compare it with, and what-if."""

from flexlbf.tuning.baselines import Comparison, compare, saved_percent
from flexlbf.tuning.objective import Deadline, Fastest, Objective, WithinPercent
from flexlbf.tuning.tuner import Setting, Tuner, Tuning, allowed_drives, by_removal, tune
from flexlbf.tuning.variation import Spread, Variation, live_makespans
from flexlbf.tuning.whatif import Answer, Change, Questions, Situation, Topic, WhatIf, what_if

__all__ = [
    "Answer",
    "Change",
    "Comparison",
    "Deadline",
    "Fastest",
    "Objective",
    "Questions",
    "Setting",
    "Situation",
    "Spread",
    "Topic",
    "Tuner",
    "Tuning",
    "Variation",
    "WhatIf",
    "WithinPercent",
    "allowed_drives",
    "by_removal",
    "compare",
    "live_makespans",
    "saved_percent",
    "tune",
    "what_if",
]
