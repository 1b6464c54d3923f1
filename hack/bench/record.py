"""What CP-SAT found when it was last run, so that it need not be run each time.

It takes most of an hour, and what it found stays what it found: a session of so many nanoseconds.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.cases import Result

FILE = Path(__file__).with_name("cp_sat.json")


class WrongRecordError(Exception):
    """The record is of other workloads than those measured."""


@dataclass(frozen=True, slots=True)
class Record:
    """The solver's sessions.

    Attributes:
        made: how and when it was run.
        makespans: nanoseconds by the case's name.
        flexlbf: FlexLBF's for the same case: it tells whether the workloads are still the same.
    """

    made: Mapping[str, Any]
    makespans: Mapping[str, int]
    flexlbf: Mapping[str, int]

    def for_cases(self, results: Sequence[Result]) -> dict[str, int]:
        """The makespans of these cases.

        Raises:
            WrongRecordError: the record is of other workloads.
        """
        for each in results:
            name = each.case.name
            if self.flexlbf.get(name, each.makespans["FlexLBF"]) != each.makespans["FlexLBF"]:
                raise WrongRecordError(
                    f"{FILE.name} is of other workloads ({name}): run make bench-cp-sat ARGS=--record"
                )
        return {
            each.case.name: self.makespans[each.case.name]
            for each in results
            if each.case.name in self.makespans
        }

    def write(self, path: Path = FILE) -> None:
        """Keep it."""
        cases = {
            name: {"makespan": self.makespans[name], "flexlbf": self.flexlbf[name]} for name in self.makespans
        }
        path.write_text(json.dumps({"made": self.made, "cases": cases}, indent=2) + "\n", encoding="utf-8")


def read(path: Path = FILE) -> Record:
    """The record that is kept."""
    data = json.loads(path.read_text(encoding="utf-8"))
    cases = data["cases"]
    return Record(
        data["made"],
        {name: case["makespan"] for name, case in cases.items()},
        {name: case["flexlbf"] for name, case in cases.items()},
    )


def run(results: Sequence[Result], seconds: float, *, keep: bool, path: Path = FILE) -> Record:
    """Run the solver on cases, with so many seconds of each of its cores.

    Args:
        results: the cases, and what FlexLBF does with them.
        seconds: of each core, for each case.
        keep: go on with the record: cases that it has are not run again, and each one is written to it as
            soon as it is found. One that was made otherwise is replaced.
        path: the record.
    """
    import ortools  # noqa: PLC0415 - only who asks for the solver needs it installed

    from bench.cp_sat import WORKERS, solve  # noqa: PLC0415

    made = {"ortools": ortools.__version__, "seconds": seconds, "workers": WORKERS, "cores": os.cpu_count()}
    kept = read(path) if keep and path.exists() else Record({}, {}, {})
    if any(kept.made.get(name) != value for name, value in made.items()):
        kept = Record({}, {}, {})
    dated = {"date": datetime.now(UTC).date().isoformat(), **made}
    found = Record(dated, dict(kept.makespans), dict(kept.flexlbf))
    for each in results:
        name = each.case.name
        if name in found.makespans and found.flexlbf[name] == each.makespans["FlexLBF"]:
            continue
        makespan = max(placed.end for placed in solve(each.case.jobs, each.case.pool, seconds))
        found = Record(
            dated,
            {**found.makespans, name: makespan},
            {**found.flexlbf, name: each.makespans["FlexLBF"]},
        )
        if keep:
            found.write(path)
    return found
