"""What the search through the list gains, which the paper leaves as future work, and what it costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from flexlbf.evaluation.artefact import Table, table
from flexlbf.scheduling import Drive, DriveLoads, FlexLBF, FlexLBFBackfill, Job, simulate
from flexlbf.scheduling.protocol import NO_AGENT, Choice, Ready
from flexlbf.scheduling.waiting import Waiting


class _Counted(Ready):
    """FlexLBFBackfill on the loop in Python; it counts the objects that it looks at."""

    shares_rate = False
    native_rule = None

    def __init__(self) -> None:
        self.looked_at = 0
        self._rule = FlexLBFBackfill()

    def order(self, jobs: Sequence[Job]) -> Sequence[Job]:
        """As the rule it counts for."""
        return self._rule.order(jobs)

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:
        """Likewise; only where a drive has a free agent does it look at any."""
        choice = self._rule.choose(waiting, loads, now)
        if max(loads.room) > NO_AGENT:
            for place in waiting:
                self.looked_at += 1
                if choice and place == choice.place:
                    break
        return choice


@dataclass(frozen=True, slots=True)
class Search:
    """One session with the search.

    Attributes:
        saved: per cent of FlexLBF's session that it saves.
        looked_at: objects of the list that it looks at for each that it starts.
    """

    saved: float
    looked_at: float


def search(jobs: Sequence[Job], pool: Sequence[Drive]) -> Search:
    """A session with the search against one without, which looks at one object a start."""
    counted = _Counted()
    makespan = simulate(jobs, pool, counted).makespan
    saved = 100 * (1 - makespan / simulate(jobs, pool, FlexLBF()).makespan)
    return Search(saved, counted.looked_at / len(jobs))


def search_table(rows: Sequence[tuple[str, Sequence[Search]]]) -> Table:
    """Gain against cost, a row for each number of drives."""
    return table(
        "FlexLBFBackfill: what the search through the list gains and costs",
        [
            "",
            "saved of FlexLBF, mean",
            "at best",
            "at worst",
            "objects looked at for each start, mean",
            "most",
        ],
        [
            [
                name,
                f"{fmean(each.saved for each in found):.1f} %",
                f"{max(each.saved for each in found):.1f} %",
                f"{min(each.saved for each in found):.1f} %",
                f"{fmean(each.looked_at for each in found):.0f}",
                f"{max(each.looked_at for each in found):.0f}",
            ]
            for name, found in rows
        ],
    )
