"""A session as a model of OR-Tools' CP-SAT: what a general solver finds in a given time.

The solver counts in whole seconds and whole bytes a second. Durations and rates are rounded up, so that what
it finds is valid in the scheduler's own units; there each job then starts as early as the solver's drives
and order let it, so that rounding costs the solver next to nothing. It starts from FlexLBF's session and
stops at the lower bound.
"""

import threading
import time
from collections.abc import Sequence
from typing import Any

from ortools.sat.python import cp_model

from bench.sessions import Placed, as_early_as_possible
from flexlbf.scheduling import Drive, FlexLBF, Job, longest_first, lower_bound, simulate, within_rate_of
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE, NANOSECONDS

WORKERS = 2
POLL_S = 0.1


def solve(jobs: Sequence[Job], drives: Sequence[Drive], seconds: float) -> list[Placed]:
    """The best session that the solver finds; never behind FlexLBF's, from which it starts.

    Args:
        jobs: the workload, without hosts.
        drives: the pool, of equal drives.
        seconds: what `WORKERS` cores may take each, so many times that in processor time: as long on the
            clock if the machine does nothing else, and as fair if it does.
    """
    ordered = longest_first(within_rate_of(drives, jobs))
    session = _Model(ordered, drives)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = WORKERS
    solver.parameters.random_seed = 0
    with _ProcessorTime(solver, seconds * WORKERS):
        status = solver.solve(session.model)
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    places = session.places(solver) if found else session.hinted
    return as_early_as_possible(sorted(places, key=lambda each: (each.start, -each.job.duration)), drives)


class _Model:
    """The session in the solver's words."""

    def __init__(self, jobs: Sequence[Job], drives: Sequence[Drive]) -> None:
        self._jobs = jobs
        self._drives = range(len(drives))
        self.model = cp_model.CpModel()
        rounded = [
            Job(job.name, _up(job.duration, NANOSECONDS), _up(job.rate, MICROBYTES_PER_BYTE)) for job in jobs
        ]
        self._lengths = [job.duration // NANOSECONDS for job in rounded]
        self._rates = [job.rate // MICROBYTES_PER_BYTE for job in rounded]
        hint = {each.job.name: each for each in simulate(rounded, drives, FlexLBF())}
        self.hinted = [Placed(job, hint[job.name].drive, hint[job.name].start) for job in jobs]
        self._horizon = max(each.end for each in hint.values()) // NANOSECONDS
        bound = -(-lower_bound(jobs, drives).duration // NANOSECONDS)
        self._makespan = self.model.new_int_var(min(bound, self._horizon), self._horizon, "makespan")
        self._starts = [self.model.new_int_var(0, self._horizon - length, "") for length in self._lengths]
        self._on = [[self.model.new_bool_var("") for _ in drives] for _ in jobs]
        self._constrain(drives)
        self.model.minimize(self._makespan)
        self._hint()

    def _constrain(self, drives: Sequence[Drive]) -> None:
        model, pairs = self.model, list(zip(self._starts, self._lengths, strict=True))
        for (start, length), on in zip(pairs, self._on, strict=True):
            model.add(start + length <= self._makespan)
            model.add_exactly_one(on)
        for index, drive in enumerate(drives):
            intervals = [
                model.new_optional_fixed_size_interval_var(start, length, on[index], "")
                for (start, length), on in zip(pairs, self._on, strict=True)
            ]
            self._limit(intervals, drive.max_agents, drive.max_rate // MICROBYTES_PER_BYTE)
        if len(drives) > 1:  # follows from the others, and helps the solver
            intervals = [model.new_fixed_size_interval_var(start, length, "") for start, length in pairs]
            rate = sum(drive.max_rate // MICROBYTES_PER_BYTE for drive in drives)
            self._limit(intervals, sum(drive.max_agents for drive in drives), rate)
            model.add(self._on[0][0] == 1)  # the drives are alike

    def _limit(self, intervals: Sequence[Any], agents: int, rate: int) -> None:
        self.model.add_cumulative(intervals, [1] * len(intervals), agents)
        self.model.add_cumulative(intervals, self._rates, rate)

    def _hint(self) -> None:
        self.model.add_hint(self._makespan, self._horizon)
        for place, start, on in zip(self.hinted, self._starts, self._on, strict=True):
            self.model.add_hint(start, place.start // NANOSECONDS)
            for index in self._drives:
                self.model.add_hint(on[index], index == place.drive)

    def places(self, solver: Any) -> list[Placed]:
        """What the solver found."""
        return [
            Placed(
                job,
                next(index for index in self._drives if solver.boolean_value(on[index])),
                solver.value(start) * NANOSECONDS,
            )
            for job, start, on in zip(self._jobs, self._starts, self._on, strict=True)
        ]


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


class _ProcessorTime:
    """Stops a solver when the process has taken so many seconds of processor time more."""

    def __init__(self, solver: Any, seconds: float) -> None:
        self._solver = solver
        self._until = time.process_time() + seconds
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(POLL_S):
            if time.process_time() >= self._until:
                self._solver.stop_search()
