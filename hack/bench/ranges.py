"""The ranges that figures are held to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path

FILE = Path(__file__).with_name("ranges.json")


@dataclass(frozen=True)
class Range:
    """From where to where a figure is as expected, and what it says."""

    says: str
    min: float = -inf
    max: float = inf

    def __str__(self) -> str:
        sides = [f"at least {self.min:g}"] * (self.min > -inf) + [f"at most {self.max:g}"] * (self.max < inf)
        return ", ".join(sides)

    def holds(self, figure: float) -> bool:
        """Whether the figure is in it; what is no number never is."""
        return self.min <= figure <= self.max


def expected() -> dict[str, Range]:
    """The ranges of `ranges.json`, by the figure's name."""
    return {name: Range(**values) for name, values in json.loads(FILE.read_text(encoding="utf-8")).items()}


def broken(figures: Mapping[str, float], ranges: Mapping[str, Range]) -> list[str]:
    """What is wrong, one line each: a figure out of its range, or not measured."""
    found = []
    for name, wanted in ranges.items():
        if name not in figures:
            found.append(f"{name} was not measured")
        elif not wanted.holds(figures[name]):
            found.append(f"{name} is {figures[name]:.4g}, not {wanted}: {wanted.says}")
    return found
