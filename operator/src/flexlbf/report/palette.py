"""Colours of the drawings: for light pages and for dark ones, each readable on its ground (WCAG AA).

A bar is told from its ground, and a label from its bar, by a contrast of 4.5 at least; a unit test holds
that. What a colour says is said in words as well, in the bar's title and in the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one kind of page.

    Attributes:
        ground: behind everything.
        raised: behind cards.
        ink, soft: text, and text that matters less.
        line: rules and grids.
        accent: what was chosen, and links.
        limit: what must not be exceeded.
        good, bad: verdicts.
        label: text on a bar.
        steps: from slow to fast streams.
        kinds: of the sets.
    """

    ground: str
    raised: str
    ink: str
    soft: str
    line: str
    accent: str
    limit: str
    good: str
    bad: str
    label: str
    steps: tuple[str, ...]
    kinds: tuple[str, ...]

    def variables(self) -> str:
        """The theme as custom properties of CSS."""
        plain = {
            name: getattr(self, name)
            for name in (
                "ground",
                "raised",
                "ink",
                "soft",
                "line",
                "accent",
                "limit",
                "good",
                "bad",
                "label",
            )
        }
        plain |= {f"t{index}": colour for index, colour in enumerate(self.steps)}
        plain |= {f"k{index}": colour for index, colour in enumerate(self.kinds)}
        return " ".join(f"--{name}: {colour};" for name, colour in plain.items())


LIGHT = Theme(
    ground="#ffffff",
    raised="#f5f7f9",
    ink="#1a1f24",
    soft="#56606b",
    line="#dbe0e6",
    accent="#1a5fb4",
    limit="#b3261e",
    good="#1b6e3c",
    bad="#b3261e",
    label="#ffffff",
    steps=("#8a6a00", "#3d7a2a", "#0c7571", "#2358b5", "#4a2c91"),
    kinds=("#1f6fc4", "#b4430b", "#0f7b5f", "#8040b0", "#a82c63", "#626b00", "#00708a", "#6b4e3d"),
)
DARK = Theme(
    ground="#1a2027",
    raised="#101418",
    ink="#e8ecf1",
    soft="#a5afba",
    line="#343c46",
    accent="#7fb4ff",
    limit="#ff8a80",
    good="#6fd59a",
    bad="#ff8a80",
    label="#101418",
    steps=("#8b83e6", "#5b9be6", "#41bdb4", "#8fd07a", "#ffdf80"),
    kinds=("#6db3ff", "#ff9d66", "#4fd1a5", "#cfa3ff", "#ff8fb3", "#cddc5c", "#5fd3ee", "#d6b8a0"),
)


@dataclass(frozen=True, slots=True)
class RateSteps:
    """Streams by their rate, in as many groups as there are colours at the most.

    Attributes:
        limits: MB/s, rising; a stream belongs to the first group whose limit it is below, else to the last.
    """

    limits: tuple[float, ...]

    @classmethod
    def of(cls, rates: Sequence[float]) -> "RateSteps":
        """Groups of about as many streams each, with limits that are easy to read."""
        ordered = sorted(rates)
        count = len(LIGHT.steps)
        cuts = (_two_digits(ordered[len(ordered) * step // count]) for step in range(1, count))
        return cls(tuple(dict.fromkeys(cut for cut in cuts if ordered[0] < cut <= ordered[-1])))

    def step(self, rate: float) -> int:
        """The group of a rate; few groups are spread over all colours."""
        place = sum(rate >= limit for limit in self.limits)
        return place * (len(LIGHT.steps) - 1) // len(self.limits) if self.limits else 0

    def legend(self) -> list[tuple[int, str]]:
        """The colour and the words of each group."""
        if not self.limits:
            return [(0, "all alike")]
        bounds = [f"{limit:g}" for limit in self.limits]
        words = [f"under {bounds[0]}"]
        words += [f"{low} to {high}" for low, high in pairwise(bounds)]
        words.append(f"{bounds[-1]} and more")
        middles = (0.0, *self.limits)
        return [(self.step(low), word) for low, word in zip(middles, words, strict=True)]


def _two_digits(value: float) -> float:
    return float(f"{value:.2g}")
