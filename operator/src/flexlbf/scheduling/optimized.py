"""A search for an order and a rule that come closest to the lower bound.

Every candidate is simulated whole. First the parameters of the filling rule are scanned, then drawn at
random around the best, then single objects are biased, as simulated annealing does: a candidate that is a
little worse is kept now and then, less and less so. What comes out is a scheduler and no table of times.

The budget is work and not time, so that the same is found on every machine: the kernel counts how many
waiting objects it looks at, which is what a simulation takes, whatever the shape of the workload.
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from flexlbf.scheduling.backfill import FlexLBFBackfill
from flexlbf.scheduling.binding import AVAILABLE
from flexlbf.scheduling.bounds import WITHOUT_PROGRAM, BoundBy, LowerBound, lower_bound
from flexlbf.scheduling.filling import LOOK_AHEAD, Filling
from flexlbf.scheduling.flexlbf import FlexLBF
from flexlbf.scheduling.model import Drive, Job
from flexlbf.scheduling.native import NEVER, Columns
from flexlbf.scheduling.protocol import Choice, DriveLoads, NativeRule, Scheduler, Waiting
from flexlbf.scheduling.simulator import simulate
from flexlbf.scheduling.workload import Workload

DEFAULT_BUDGET_S = 1.0

_WORK_PER_SECOND = 200_000_000
"""The kernel's steps in a second of search: so few that a slower machine ends in time as well."""

_CANDIDATE_WORK = 2_500
"""What it takes to think of a candidate."""

_DRAW_WORK = 40
"""What it takes to draw the bias of an object."""

_RANDOM_SHARE = 0.35
_SCAN_TARGETS = tuple(0.98 + 0.01 * step for step in range(7))
_SCAN_URGENCIES = (0.5, 0.25, 0.75, 0.0, 1.0, 1.5, 2.5, 4.0)
_SCAN_EVENS = (0.1, 0.3, 1.0)
_BIAS = 0.1
_TEMPERATURE = 0.001

_FAR = 1.01
"""What is found at first is so far from a bound that the bound may be to blame."""


@dataclass(frozen=True, slots=True)
class _Parameters:
    """Of the filling rule; a target of 0 is none."""

    target: float
    urgency: float
    even: float = 0.0
    waste: float = 0.0

    @property
    def rule(self) -> NativeRule:
        return NativeRule("filling", int(self.target), self.urgency, {}, LOOK_AHEAD, self.even, self.waste)


@dataclass(frozen=True, slots=True)
class _Candidate:
    makespan: int
    parameters: _Parameters
    bias: tuple[float, ...] = ()


class Search:
    """One search on one workload and pool, for so much work."""

    def __init__(self, jobs: Sequence[Job], drives: Sequence[Drive], grid: int, seed: int, work: int) -> None:
        self.jobs = Workload.of(jobs).slowed_to(max(drive.max_rate for drive in drives))
        self.drives = drives
        self._bound = LowerBound(0, BoundBy.LONGEST_OBJECT)
        self._columns = Columns(self.jobs, drives)
        self._grid = grid
        self._random = random.Random(seed)  # noqa: S311 - a search, no secret
        self._work = work
        self._thought = 0
        self.best = _Candidate(NEVER, _Parameters(0, 0.0))

    def baseline(self, scheduler: Scheduler) -> int:
        """The makespan under a rule without parameters."""
        rule = scheduler.native_rule
        assert rule is not None
        return self._columns.run(rule, self._grid) or 0

    def run(self, to_beat: int) -> _Candidate | None:
        """The best candidate, None if none beats a makespan."""
        self.best = _Candidate(to_beat, _Parameters(0, 0.0))
        self._prove(WITHOUT_PROGRAM)
        self._scan()
        if self.best.makespan > _FAR * self._bound.duration:
            before = self._bound.duration
            self._prove(self.best.makespan)
            if self._bound.duration > _FAR * before:
                self._scan()  # the targets were too early
        self._draw()
        self._anneal()
        return self.best if self.best.parameters.target else None

    def _prove(self, makespan: int) -> None:
        self._bound = lower_bound(self.jobs, self.drives, start_grid=self._grid, makespan=makespan)

    @property
    def done(self) -> int:
        """The work so far."""
        return self._columns.work + self._thought

    @property
    def _left(self) -> float:
        """The part of the work that is left."""
        return 1 - self.done / self._work

    @property
    def _done(self) -> bool:
        return self._left <= 0 or self._bound.met_by(self.best.makespan, self._grid)

    def _try(self, parameters: _Parameters, cut_off: int) -> _Candidate | None:
        """A candidate with the biases that the column holds, None if its makespan is not under `cut_off`."""
        self._thought += _CANDIDATE_WORK
        makespan = self._columns.run(parameters.rule, self._grid, cut_off)
        return None if makespan is None else _Candidate(makespan, parameters)

    def _try_for_best(self, parameters: _Parameters) -> None:
        self._keep_if_best(self._try(parameters, self.best.makespan))

    def _keep_if_best(self, candidate: _Candidate | None) -> None:
        if candidate and candidate.makespan < self.best.makespan:
            self.best = replace(candidate, bias=tuple(self._columns.bias))

    def _around(self) -> _Parameters:
        """The best parameters so far."""
        found = self.best.parameters
        return found if found.target else _Parameters(self._bound.duration, _SCAN_URGENCIES[0])

    def _scan(self) -> None:
        for urgency, share in product(_SCAN_URGENCIES, _SCAN_TARGETS):
            if self._done:
                return
            self._try_for_best(_Parameters(self._bound.duration * share, urgency))
        for even, urgency in product(_SCAN_EVENS, _SCAN_URGENCIES):
            if self._done:
                return
            self._try_for_best(replace(self._around(), urgency=urgency, even=even))

    def _draw(self) -> None:
        until = self._left - _RANDOM_SHARE
        uniform = self._random.random
        while not self._done and self._left > until:
            around = self._around()
            parameters = _Parameters(
                around.target + self._bound.duration * 0.02 * (uniform() - 0.5),
                abs(around.urgency * (0.6 + 0.8 * uniform()) + 0.05 * (uniform() - 0.5)),
                around.even * (0.6 + 0.8 * uniform()),
                around.waste * (0.6 + 0.8 * uniform()) if uniform() < 0.8 else 2 * uniform(),
            )
            spread = 0.0 if uniform() < 0.3 else _BIAS * uniform()
            base = self.best.bias if self.best.bias and uniform() < 0.5 else (0.0,) * len(self.jobs)
            for place, value in enumerate(base):
                self._columns.bias[place] = value + spread * (uniform() - 0.5)
            self._thought += _DRAW_WORK * len(self.jobs)
            self._try_for_best(parameters)

    def _anneal(self) -> None:
        if not self.best.parameters.target:
            return
        current, all_left = self.best, self._left
        for place, value in enumerate(current.bias):
            self._columns.bias[place] = value
        while not self._done:
            heat = _TEMPERATURE * self._bound.duration * (self._left / all_left) ** 2
            changed = list(self._change())
            # A session that is worse by chance's allowance or more is not even simulated to its end.
            allowance = -heat * math.log(self._random.random() or 1e-300)
            found = self._try(self._shifted(current.parameters), int(current.makespan + allowance) + 1)
            if found is None:
                for place, value in reversed(changed):
                    self._columns.bias[place] = value
                continue
            current = found
            self._keep_if_best(found)

    def _change(self) -> Iterator[tuple[int, float]]:
        """Change the bias of one to three objects; gives what it was."""
        uniform, bias = self._random.random, self._columns.bias
        for _ in range(1 + int(3 * uniform())):
            place = int(len(self.jobs) * uniform())
            yield place, bias[place]
            bias[place] = 0.0 if uniform() < 0.2 else bias[place] + 2 * _BIAS * (uniform() - 0.5)

    def _shifted(self, current: _Parameters) -> _Parameters:
        """Every eighth time another target, urgency and so on."""
        uniform = self._random.random
        target, urgency, even, waste = current.target, current.urgency, current.even, current.waste
        if uniform() < 0.125:
            target += self._bound.duration * 0.004 * (uniform() - 0.5)
        if uniform() < 0.125:
            urgency *= 1 + 0.1 * (uniform() - 0.5)
        if even and uniform() < 0.125:
            even *= 1 + 0.1 * (uniform() - 0.5)
        if waste and uniform() < 0.125:
            waste *= 1 + 0.1 * (uniform() - 0.5)
        return _Parameters(target, urgency, even, waste)


@dataclass(frozen=True)
class Optimized:
    """Never behind FlexLBF, and mostly within half a percent of the lower bound.

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
            return (
                FlexLBFBackfill()
                if jobs and self._backfill_is_better(jobs, drives, start_grid)
                else FlexLBF()
            )
        search = Search(jobs, drives, start_grid, self.seed, int(self.budget_s * _WORK_PER_SECOND))
        simple: list[Scheduler] = [FlexLBF(), FlexLBFBackfill()]
        makespan, best = min(((search.baseline(each), each) for each in simple), key=lambda found: found[0])
        found = search.run(makespan)
        if found is None:
            return best
        bias = {job.name: value for job, value in zip(search.jobs, found.bias, strict=True) if value}
        of = found.parameters
        return Filling(int(of.target), of.urgency, bias, of.even, of.waste)

    def _backfill_is_better(self, jobs: Sequence[Job], drives: Sequence[Drive], grid: int) -> bool:
        """What is left without the kernel: on the Python loop a search would take minutes."""
        blocking, searching = (
            simulate(jobs, drives, each, start_grid=grid).makespan for each in (FlexLBF(), FlexLBFBackfill())
        )
        return searching < blocking

    def order(self, jobs: Sequence[Job]) -> Workload:
        """Longest first, as everything that it finds."""
        return Workload.of(jobs)

    def choose(self, waiting: Waiting, loads: DriveLoads, now: int) -> Choice | None:
        """As FlexLBF, until it is fitted to a workload."""
        return FlexLBF().choose(waiting, loads, now)
