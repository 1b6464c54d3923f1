"""Random draws that are the same on every version of Python.

Only `Random.random()` is promised to give the same numbers for a seed in every version; shuffles, choices
and normal deviates are not. So everything here is made from it. Sums are `math.fsum`, for `sum` rounds floats
in its own way since 3.12.
"""

import random
from collections.abc import MutableSequence
from math import fsum
from typing import TypeVar

_T = TypeVar("_T")


class Draws:
    """A seeded stream of draws."""

    def __init__(self, seed: int) -> None:
        # Seeding by an integer is promised, too.
        self._uniform = random.Random(seed).random  # noqa: S311 - samples, no secrets

    def between(self, low: float, high: float) -> float:
        """Anything from low to high, each alike."""
        return low + (high - low) * self._uniform()

    def below(self, count: int) -> int:
        """A whole number from 0 to count - 1."""
        return int(self._uniform() * count)

    def chance(self, probability: float) -> bool:
        """Whether something happens."""
        return self._uniform() < probability

    def around_zero(self) -> float:
        """A bell of mean 0 and standard deviation 1, never beyond 6: twelve uniform draws."""
        return fsum(self._uniform() for _ in range(12)) - 6

    def shuffle(self, items: MutableSequence[_T]) -> None:
        """Put the items in a random order."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
