"""The command: measure, show one table or JSON, and say what left its range."""

import argparse
import json
import sys
from collections.abc import Mapping

from bench.measure import Sizes, measure
from bench.ranges import Range, broken, expected


def table(figures: Mapping[str, float], ranges: Mapping[str, Range]) -> str:
    """One line a figure."""
    rows = [("figure", "measured", "expected", "what it says")]
    for name, figure in figures.items():
        wanted = ranges.get(name)
        rows.append((name, f"{figure:.4g}", str(wanted or ""), wanted.says if wanted else ""))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        f"{name:<{widths[0]}}  {figure:>{widths[1]}}  {wanted:<{widths[2]}}  {says}".rstrip()
        for name, figure, wanted, says in rows
    )


def main(arguments: list[str] | None = None, sizes: Sizes | None = None) -> int:
    """Measure; 1 if a figure is not as expected."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("-o", "--output", choices=("table", "json"), default="table")
    chosen = parser.parse_args(arguments)
    figures, ranges = measure(sizes or Sizes()), expected()
    found = broken(figures, ranges)
    if chosen.output == "json":
        print(json.dumps({"figures": figures, "broken": found}, indent=2))
    else:
        print(table(figures, ranges))
    for line in found:
        print(f"bench: {line}", file=sys.stderr)
    return 1 if found else 0
