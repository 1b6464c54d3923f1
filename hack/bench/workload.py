"""Fleets to simulate, spread as the paper's section III.A found its eight servers' objects."""

import random

from flexlbf.scheduling import Job

LONG_SHARE = 0.25
"""A quarter of all backups take between 1 and 16 hours."""


def fleet(count: int, seed: int = 1) -> list[Job]:
    """So many objects: 1 min to 16 h, 0.1 to 35 MB/s, spread evenly over the orders of magnitude."""
    draw = random.Random(seed)  # noqa: S311 - a workload, no secret
    jobs = []
    for number in range(count):
        low, high = (3600, 57600) if draw.random() < LONG_SHARE else (60, 3600)
        seconds = low * (high / low) ** draw.random()
        mbps = 0.1 * 350 ** draw.random()
        jobs.append(Job.of(f"fs{number:06}:/data", round(seconds, 1), round(mbps, 2)))
    return jobs
