"""What `flexlbf tune` found, for its table and its data."""

from dataclasses import dataclass

from flexlbf.tuning import Comparison, Tuning


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found.

    Attributes:
        tuning: the settings, on as many drives as there are objects at the most.
        comparison: the baselines on the drives recommended.
        drives: how many drives are recommended.
    """

    tuning: Tuning
    comparison: Comparison
    drives: int
