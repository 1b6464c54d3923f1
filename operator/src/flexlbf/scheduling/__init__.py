"""Scheduling, pure: jobs, drives, the simulator, the schedulers and the lower bound.

Times are whole nanoseconds and rates whole micro-bytes a second throughout (`units` says why).
"""

from flexlbf.scheduling.backfill import FlexLBFBackfill
from flexlbf.scheduling.bounds import BoundBy, LowerBound, lower_bound
from flexlbf.scheduling.flexlbf import FlexLBF
from flexlbf.scheduling.lbf import LBF
from flexlbf.scheduling.model import (
    Drive,
    Host,
    Job,
    equal_drives,
    longest_first,
    with_agents,
    within_rate_of,
)
from flexlbf.scheduling.optimized import Optimized
from flexlbf.scheduling.protocol import DriveLoads, Scheduler
from flexlbf.scheduling.simulator import Assignment, Schedule, simulate
from flexlbf.scheduling.stretch import Stretch, mean_stretch, restore_stretch, restore_stretches
from flexlbf.scheduling.traditional import Traditional

__all__ = [
    "LBF",
    "Assignment",
    "BoundBy",
    "Drive",
    "DriveLoads",
    "FlexLBF",
    "FlexLBFBackfill",
    "Host",
    "Job",
    "LowerBound",
    "Optimized",
    "Schedule",
    "Scheduler",
    "Stretch",
    "Traditional",
    "equal_drives",
    "longest_first",
    "lower_bound",
    "mean_stretch",
    "restore_stretch",
    "restore_stretches",
    "simulate",
    "with_agents",
    "within_rate_of",
]
