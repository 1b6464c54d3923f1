"""The command: measure, show the figures as a table or as JSON, and say what left its range.

CP-SAT's sessions are those of the last time it was run, kept in cp_sat.json: running it on all cases takes
up to 45 minutes, and needs OR-Tools (make bench-cp-sat installs it).
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace

from bench.measure import Measured, Solver, measure
from bench.quality import ALL, Gaps
from bench.ranges import Range, broken, expected
from bench.record import WrongRecordError
from bench.shapes import Found
from bench.sizes import QUICK, Sizes

SOLVER_SECONDS = 40


def main(arguments: list[str] | None = None, measured_by: Callable[..., Measured] = measure) -> int:
    """Measure; 1 if a figure is not as expected, 2 if CP-SAT's record is of other workloads."""
    chosen = _parser().parse_args(arguments)
    sizes = QUICK if chosen.quick else Sizes()
    if chosen.cases:
        sizes = replace(sizes, cases=chosen.cases)
    if chosen.shapes_seed is not None:
        sizes = replace(sizes, shapes_seed=chosen.shapes_seed)
    solver = Solver(chosen.cp_sat_seconds, chosen.record) if chosen.cp_sat else None
    ranges = {} if chosen.quick else expected()
    try:
        measured = measured_by(sizes, solver)
    except WrongRecordError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    found = broken(measured.figures, ranges)
    if chosen.output == "json":
        shown = {
            "figures": measured.figures,
            "over_the_bound_percent": measured.gaps,
            "other_shapes": [asdict(each) for each in measured.shapes],
            "cp_sat": measured.solver,
            "broken": found,
        }
        print(json.dumps(shown, indent=2))
    else:
        print(table(measured, ranges))
    for line in found:
        print(f"bench: {line}", file=sys.stderr)
    return 1 if found else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("-o", "--output", choices=("table", "json"), default="table")
    parser.add_argument(
        "--quick", action="store_true", help="small sizes, held to no range: whether it works"
    )
    parser.add_argument(
        "--cases", type=_count, metavar="N", help="so many of figure 8's 64 cases, spread evenly over them"
    )
    parser.add_argument(
        "--shapes-seed",
        type=int,
        metavar="SEED",
        help="draw the other shapes from this seed; the ranges are the usual one's (default: 2026)",
    )
    parser.add_argument("--cp-sat", action="store_true", help="run CP-SAT anew, which needs OR-Tools")
    parser.add_argument(
        "--cp-sat-seconds",
        type=float,
        default=SOLVER_SECONDS,
        metavar="S",
        help="what CP-SAT may take of each of two cores, a case (default: %(default)s)",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="keep what CP-SAT finds in cp_sat.json, case by case, and run only what is not in it",
    )
    return parser


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1 case")
    return value


def table(measured: Measured, ranges: Mapping[str, Range]) -> str:
    """One line a figure, then the gaps of the schedulers."""
    rows = [("figure", "measured", "expected", "what it says")]
    for name, figure in measured.figures.items():
        wanted = ranges.get(name)
        rows.append((name, f"{figure:.4g}", str(wanted or ""), wanted.says if wanted else ""))
    solver = ", ".join(f"{name} {value}" for name, value in measured.solver.items())
    return "\n".join(
        [
            *_aligned(rows, "<><<"),
            "",
            "% over the lower bound, mean (worst)",
            *_aligned(_gap_rows(measured.gaps), "<" + ">" * 5),
            *([f"CP-SAT: {solver}"] if solver else []),
            *(
                ["", "% over the lower bound on other shapes", *_shape_rows(measured.shapes)]
                if measured.shapes
                else []
            ),
        ]
    )


def _gap_rows(gaps: Gaps) -> list[tuple[str, ...]]:
    counts = list(next(iter(gaps.values()), {ALL: {}}))
    return [
        ("", *counts),
        *(
            (
                name,
                *(
                    f"{by_drives[count]['mean']:.2f} ({by_drives[count]['worst']:.2f})"
                    if count in by_drives
                    else ""
                    for count in counts
                ),
            )
            for name, by_drives in gaps.items()
        ),
    ]


def _shape_rows(found: Sequence[Found]) -> list[str]:
    rows = [("shape", "objects", "FlexLBF", "Optimized", "search, s")]
    rows += [
        (
            each.shape,
            str(each.objects),
            f"{each.flexlbf:.2f}",
            f"{each.optimized:.2f}",
            f"{each.search_s:.2f}",
        )
        for each in sorted(found, key=lambda each: each.optimized, reverse=True)
    ]
    return _aligned(rows, "<" + ">" * 4)


def _aligned(rows: Sequence[tuple[str, ...]], sides: str) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    widths[-1] = 0 if sides[-1] == "<" else widths[-1]
    return [
        "  ".join(
            f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=False)
        ).rstrip()
        for row in rows
    ]
