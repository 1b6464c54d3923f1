"""The schedulers that keep to the drives' rates, by the names that users give them."""

from flexlbf.scheduling.backfill import FlexLBFBackfill
from flexlbf.scheduling.flexlbf import FlexLBF
from flexlbf.scheduling.optimized import DEFAULT_BUDGET_S, Optimized
from flexlbf.scheduling.protocol import Scheduler

NAMES = {
    "FlexLBF": "flexlbf",  # the paper's
    "FlexLBFBackfill": "flexlbf-backfill",  # its future work: what fits goes before what does not
    "Optimized": "optimized",  # a planned order and a rule for other nights, or a rule alone
}
"""The policy's value for each, and the command line's."""

TUNING_BUDGET_S = 0.25
"""The tuner fits a scheduler a dozen times, once a setting."""


def scheduler_named(name: str, *, seed: int = 0, budget_s: float = DEFAULT_BUDGET_S) -> Scheduler:
    """The scheduler of a policy's or the command line's name.

    Raises:
        KeyError: there is none of that name.
    """
    known: dict[str, Scheduler] = {
        "flexlbf": FlexLBF(),
        "flexlbf-backfill": FlexLBFBackfill(),
        "optimized": Optimized(seed, budget_s),
    }
    return known[NAMES.get(name, name)]
