"""A search for the session that comes closest to the lower bound, and for the rule that stands in for it.

First the parameters of a rule are searched. Where that leaves a gap, the session that it gives is polished
object by object, which yields an order with a drive for each object; a rule decides once a night does not
go as planned. So what comes out is a scheduler and no table of times.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from flexlbf.scheduling.backfill import FlexLBFBackfill
from flexlbf.scheduling.binding import AVAILABLE
from flexlbf.scheduling.filling import Filling
from flexlbf.scheduling.flexlbf import FlexLBF
from flexlbf.scheduling.hardening import Nights, around
from flexlbf.scheduling.model import Drive, Job
from flexlbf.scheduling.native import run_native
from flexlbf.scheduling.piloting import Piloting
from flexlbf.scheduling.planned import PlannedOrder
from flexlbf.scheduling.polishing import Polishing
from flexlbf.scheduling.protocol import Choice, DriveLoads, Scheduler
from flexlbf.scheduling.rulesearch import RuleSearch
from flexlbf.scheduling.simulator import simulate
from flexlbf.scheduling.waiting import Waiting
from flexlbf.scheduling.workload import Workload

DEFAULT_BUDGET_S = 1.0

_WORK_PER_SECOND = 170_000_000
"""The kernel's steps in a second of search: so few that a slower machine ends in time as well."""

_RULE_SHARE = 0.2
"""What of the work the search for a rule takes, where its session is polished."""

_ANNEALING_SHARE = 0.3
"""And what the annealing of its biases takes, where it is not."""

_HARDENING_SHARE = 0.1
"""What trying rules in varied nights takes at the most."""

_PROVING_SHARE = 0.2
"""What of the work the bound is taken for at the most; of a small budget something is left to polish with."""

_URGENCY = 0.5
"""Of the rule to try others around, where the search for one found none."""

_PILOT_SHARE = 0.3
"""Of the work that is then left."""

MOST_UNPILOTED = 60
"""Of so few objects the polishing finds what there is."""

MOST_POLISHED = 1000
"""Of more objects a rule fills the drives as well, and too few changes of single ones would be tried."""


@dataclass(frozen=True)
class Optimized:
    """No plan of it is longer than FlexLBF's, and mostly within half a percent of the lower bound.

    Attributes:
        seed: the same seed and budget find the same.
        budget_s: seconds that the search may take, roughly; it stops as soon as the bound is met.
    """

    seed: int = 0
    budget_s: float = DEFAULT_BUDGET_S
    shares_rate = False
    native_rule = None

    def fitted(self, jobs: Sequence[Job], drives: Sequence[Drive], start_grid: int) -> Scheduler:
        """The best scheduler found for a workload on a pool."""
        if not jobs or not AVAILABLE:
            return self._simple(jobs, drives, start_grid)
        work = int(self.budget_s * _WORK_PER_SECOND)
        # Hosts limit streams over all drives, and each drive is polished by itself.
        polishes = len(jobs) <= MOST_POLISHED and not any(job.host for job in jobs)
        share = _RULE_SHARE if polishes else 1 - _ANNEALING_SHARE
        try:
            search = RuleSearch(jobs, drives, start_grid, self.seed, max(1, int(work * share)))
        except OverflowError:  # durations of decades, or exabytes a second
            return self._simple(jobs, drives, start_grid)
        simple: list[Scheduler] = [FlexLBF(), FlexLBFBackfill()]
        makespan, best = min(((search.baseline(each), each) for each in simple), key=lambda found: found[0])
        rule = search.run(makespan, 0 if polishes else int(work * _ANNEALING_SHARE))
        if not polishes or (isinstance(best, FlexLBF) and search.bound.met_by(makespan, start_grid)):
            return rule or best
        return self._in_order(search, rule or best, start_grid, work)

    def _in_order(self, search: RuleSearch, rule: Scheduler, grid: int, work: int) -> Scheduler:
        """The rule's session made shorter, and a rule for other nights; just the rule if it does as well."""
        jobs, drives, plain = search.jobs, search.drives, search.plain
        near = plain or Filling(search.bound.duration, _URGENCY)
        nights = Nights(jobs, drives, grid, self.seed)
        off_plan = nights.best_of((plain or rule, FlexLBF(), *around(near)), int(work * _HARDENING_SHARE))
        session = run_native(jobs, jobs, drives, rule.native_rule, grid) if rule.native_rule else None
        if session is None:
            return rule
        order, drive_of = array("i", range(len(jobs))), array("i", session.drive_of)
        starts, makespan = array("q", session.starts), session.makespan
        left = work - search.done - nights.work - min(search.proving, int(work * _PROVING_SHARE))
        pool = jobs, drives, grid
        if len(jobs) > MOST_UNPILOTED and not search.bound.met_by(makespan, grid) and left > 0:
            start = rule if isinstance(rule, Filling) else near
            piloting = Piloting(*pool, start, search.bound, self.seed, int(left * _PILOT_SHARE))
            makespan, done = piloting.shortened(makespan, drive_of, starts)
            left -= done
        if not search.bound.met_by(makespan, grid) and left > 0:
            makespan = Polishing(*pool, search.bound, self.seed, left).shortened(order, drive_of, starts)
        if makespan == session.makespan and rule == off_plan:
            return rule
        return PlannedOrder.of(jobs, drives, order, drive_of, starts, off_plan)

    def _simple(self, jobs: Sequence[Job], drives: Sequence[Drive], grid: int) -> Scheduler:
        """What is left without the kernel: on the Python loop a search would take minutes."""
        rules: list[Scheduler] = [FlexLBF(), FlexLBFBackfill()] if jobs else [FlexLBF()]
        return min(rules, key=lambda rule: simulate(jobs, drives, rule, start_grid=grid).makespan)

    def order(self, jobs: Sequence[Job]) -> Workload:
        """Longest first, as everything that it finds."""
        return Workload.of(jobs)

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:
        """As FlexLBF, until it is fitted to a workload."""
        return FlexLBF().choose(waiting, loads, now)

    def ask_again(self, waiting: Waiting, now: int) -> int | None:
        """Likewise."""
        return FlexLBF().ask_again(waiting, now)
