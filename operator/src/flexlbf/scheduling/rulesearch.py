"""A search for the parameters of the filling rule, and for biases of objects, that end a session earliest.

Every candidate is simulated whole. First the parameters are scanned, then drawn at random around the best,
then single objects are biased, as simulated annealing does: a candidate that is a little worse is kept now
and then, less and less so.

The budget is work and not time, so that the same is found on every machine: the kernel counts how many
waiting objects it looks at, which is what a simulation takes, whatever the shape of the workload.
"""

import math
import random
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from flexlbf.scheduling.bounds import WITHOUT_PROGRAM, BoundBy, LowerBound, lower_bound
from flexlbf.scheduling.filling import Filling
from flexlbf.scheduling.model import Drive, Job
from flexlbf.scheduling.native import NEVER, Columns
from flexlbf.scheduling.protocol import NativeRule, Scheduler
from flexlbf.scheduling.workload import Workload

_CANDIDATE_WORK = 6_000
"""What it takes to think of a candidate."""

_DRAW_WORK = 2
"""What it takes to draw the bias of an object."""

_PROVING_WORK = 200_000
_MOST_PROVING = 150
"""What a bound by the program takes, for each object up to so many; it is done whatever the budget is."""

_SCAN_TARGETS = tuple(0.98 + 0.01 * step for step in range(7))
_SCAN_URGENCIES = (0.5, 0.25, 0.75, 0.0, 1.0, 1.5, 2.5, 4.0)
_SCAN_EVENS = (0.5, 0.0, 1.0, 1.5)
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
        return self.filling({}).native_rule

    def filling(self, bias: Mapping[str, float]) -> Filling:
        """The rule."""
        return Filling(int(self.target), self.urgency, bias, self.even, self.waste)


@dataclass(frozen=True, slots=True)
class _Candidate:
    makespan: int
    parameters: _Parameters
    bias: "array[float] | None" = None


class RuleSearch:
    """One search on one workload and pool.

    Args:
        jobs: the workload.
        drives: the pool.
        grid: nanoseconds; jobs start at multiples of it.
        seed: the same seed and work find the same.
        work: that the scan and the draws may take together, in steps of the kernel.

    Attributes:
        proving: what the bound took on top of that, roughly.
    """

    def __init__(self, jobs: Sequence[Job], drives: Sequence[Drive], grid: int, seed: int, work: int) -> None:
        self.jobs = Workload.of(jobs).slowed_to(max(drive.max_rate for drive in drives))
        self.drives = drives
        self._bound = LowerBound(0, BoundBy.LONGEST_OBJECT)
        self._columns = Columns(self.jobs, drives)
        self._grid = grid
        shares = [job.rate / (self.jobs.fastest or 1) for job in self.jobs]
        # Next to 0 of all but the fastest.
        self._fast = array("d", (share * share * share * share for share in shares))
        self._unbiased = array("d", bytes(8 * len(self.jobs)))
        self._random = random.Random(seed)  # noqa: S311 - a search, no secret
        self._work = work
        self._thought = self.proving = 0
        self.best = self._plain = _Candidate(NEVER, _Parameters(0, 0.0))

    def baseline(self, scheduler: Scheduler) -> int:
        """The makespan under a rule without parameters."""
        rule = scheduler.native_rule
        assert rule is not None
        return self._columns.run(rule, self._grid) or 0

    def run(self, to_beat: int, annealing: int = 0) -> Filling | None:
        """The best rule, None if none beats a makespan; the annealing may take so much work more."""
        self.best = _Candidate(to_beat, _Parameters(0, 0.0))
        self._prove(WITHOUT_PROGRAM)
        self._scan()
        if self.best.makespan > _FAR * self._bound.duration:
            before = self._bound.duration
            self._prove(self.best.makespan)
            self.proving = _PROVING_WORK * min(len(self.jobs), _MOST_PROVING)
            if self._bound.duration > _FAR * before:
                self._scan()  # the targets were too early
        self._draw()
        self._work += annealing
        self._anneal()
        if not self.best.parameters.target:
            return None
        bias = {job.name: value for job, value in zip(self.jobs, self._bias, strict=True) if value}
        return self.best.parameters.filling(bias)

    @property
    def plain(self) -> Filling | None:
        """The best rule that treats no object by its name; if none was, the best one without that."""
        of = self._plain.parameters if self._plain.parameters.target else self.best.parameters
        return of.filling({}) if of.target else None

    def _prove(self, makespan: int) -> None:
        self._bound = lower_bound(self.jobs, self.drives, start_grid=self._grid, makespan=makespan)

    @property
    def bound(self) -> LowerBound:
        """How short a session may be, as far as that was worth proving."""
        return self._bound

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
            self.best = replace(candidate, bias=self._columns.bias[:])
            if not any(self._bias):
                self._plain = self.best

    @property
    def _bias(self) -> "array[float]":
        """Of the best candidate so far."""
        return self.best.bias or self._unbiased

    def _around(self) -> _Parameters:
        """The best parameters so far."""
        found = self.best.parameters
        return found if found.target else _Parameters(self._bound.duration, _SCAN_URGENCIES[0])

    def _scan(self) -> None:
        """What is done where agents are short counts most, and of tens of thousands little is simulated."""
        for urgency, even in product(_SCAN_URGENCIES, _SCAN_EVENS):
            if self._done:
                return
            self._try_for_best(_Parameters(self._bound.duration, urgency, even))
        for urgency, share in product(_SCAN_URGENCIES, _SCAN_TARGETS):
            if self._done:
                return
            even = self._around().even
            self._try_for_best(_Parameters(self._bound.duration * share, urgency, even))

    def _draw(self) -> None:
        uniform = self._random.random
        while not self._done:
            around = self._around()
            parameters = _Parameters(
                around.target + self._bound.duration * 0.02 * (uniform() - 0.5),
                abs(around.urgency * (0.6 + 0.8 * uniform()) + 0.05 * (uniform() - 0.5)),
                around.even * (0.6 + 0.8 * uniform()) if uniform() < 0.8 else 1.5 * uniform(),
                around.waste * (0.6 + 0.8 * uniform()) if uniform() < 0.8 else 2 * uniform(),
            )
            spread = 0.0 if uniform() < 0.3 else _BIAS * uniform()
            base = self._bias if uniform() < 0.5 else self._unbiased
            # What fits next to nothing is what is left at the end, so some draws begin with the fastest.
            lean = 0.0 if uniform() < 0.7 else 2 * uniform()
            self._columns.draw_bias(base, spread, self._fast, lean, self._random.getrandbits(64))
            self._thought += _DRAW_WORK * len(self.jobs)
            self._try_for_best(parameters)

    def _anneal(self) -> None:
        if not self.best.parameters.target:
            return
        current, all_left = self.best, self._left
        self._columns.bias[:] = self._bias
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
