"""The compiled kernel: the simulator's loop for rules that never overload a drive, fifty times as fast.

The package works without it, on the Python loop, where no compiler was to be had; the results are the same.
"""

from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from flexlbf.scheduling.binding import ffi, lib
from flexlbf.scheduling.model import Drive, Job
from flexlbf.scheduling.protocol import NativeRule
from flexlbf.scheduling.units import RATE_TOLERANCE
from flexlbf.scheduling.workload import HostColumns, Workload, host_columns

NEVER = 1 << 62
"""An instant after every session's end."""

_CUT_OFF, _FITS_NOWHERE, _NO_MEMORY, _TOO_LARGE = -1, -2, -3, -4
_KINDS = {"blocking": 0, "searching": 1, "filling": 2}


class Session(NamedTuple):
    """A simulated session by the list's order.

    Attributes:
        makespan: nanoseconds.
        drive_of: for each job, the index of its drive.
        starts: for each job, nanoseconds from the start of the session.
        ends: likewise.
        in_order: whether the jobs started in the list's order.
    """

    makespan: int
    drive_of: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    in_order: bool


class Columns:
    """A workload and a pool as the kernel takes them, made once for many sessions.

    Args:
        jobs: in the scheduler's order.
        drives: in the pool's order.
        true: the same jobs as they run in truth, if that is not as planned.
    """

    def __init__(
        self, jobs: Sequence[Job], drives: Sequence[Drive], true: Sequence[Job] | None = None
    ) -> None:
        self._jobs = jobs
        self.durations, self.rates = _durations(jobs), _rates(jobs)
        self.lasting = self.durations if true is None or true is jobs else _durations(true)
        self._max_rates = array("q", [drive.max_rate for drive in drives])
        self._max_agents = array("i", [drive.max_agents for drive in drives])
        self.drive_of = array("i", bytes(4 * len(jobs)))
        self.starts = array("q", bytes(8 * len(jobs)))
        self.ends = array("q", bytes(8 * len(jobs)))
        self.bias = array("d", bytes(8 * len(jobs)))
        self._by_rate: Any = None  # what only the rule that fills asks for
        self._plan: Any = None
        self._hosts = _hosts(jobs)
        self._rule = ffi.new("rule_t *")
        self._arguments = self._views(len(jobs), len(drives))

    def _views(self, jobs: int, drives: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The kernel's arguments before and after those that change from session to session."""
        view = ffi.from_buffer
        self._bias_view = view("double[]", self.bias)
        self._rule.bias = self._bias_view
        columns = (self.durations, self.lasting, self.rates)
        workload = (jobs, *(view("int64_t[]", each) for each in columns))
        pool = (drives, view("int64_t[]", self._max_rates), view("int32_t[]", self._max_agents))
        host_of, max_streams = self._hosts or (array("i"), array("i"))
        hosts = (len(max_streams), view("int32_t[]", host_of), view("int32_t[]", max_streams))
        times = (view("int64_t[]", each) for each in (self.starts, self.ends))
        results = (view("int32_t[]", self.drive_of), *times)
        return (*workload, *hosts, *pool, self._rule, RATE_TOLERANCE), results

    @property
    def work(self) -> int:
        """What all sessions so far took, in steps along lists of jobs: the same on every machine."""
        return int(self._rule.work)

    def set_bias(self, bias: Mapping[str, float]) -> None:
        """Fill the column of biases in from the jobs' names."""
        if bias:
            for place, job in enumerate(self._jobs):
                self.bias[place] = bias.get(job.name, 0.0)

    def draw_bias(
        self, around: "array[float]", spread: float, shape: "array[float]", lean: float, seed: int
    ) -> None:
        """Fill the column of biases with draws: around some, with so much of a shape as they lean to it."""
        view = ffi.from_buffer
        columns = view("double[]", around), spread, view("double[]", shape), lean
        lib.draw_biases(len(self.bias), *columns, seed, self._bias_view)

    def run(self, rule: NativeRule, grid: int = 1, cut_off: int = NEVER) -> int | None:
        """The makespan of a session; `bias` is read from the column.

        None if it is not under `cut_off`, or 64 bits may not do for one of the numbers: a backup of decades,
        or exabytes a second.
        """
        self._rule.kind = _KINDS[rule.kind]
        self._rule.target = rule.target
        self._rule.urgency = rule.urgency
        self._rule.even = rule.even
        self._rule.waste = rule.waste
        self._rule.look_ahead = rule.look_ahead
        self._rule.fastest = rule.fastest
        self._rule.classes = rule.classes
        self._rule.passed = rule.passed
        if rule.kind == "filling" and self._by_rate is None:
            backwards = range(len(self.rates) - 1, -1, -1)
            by_rate = array("i", sorted(backwards, key=self.rates.__getitem__))
            self._rule.by_rate = self._by_rate = ffi.from_buffer("int32_t[]", by_rate)
        self._set_plan(rule)
        before, after = self._arguments
        makespan = lib.run_session(*before, grid, cut_off, *after)
        if makespan == _NO_MEMORY:
            raise MemoryError
        if makespan == _FITS_NOWHERE:
            raise ValueError("an object fits no drive, not even an idle one")
        return None if makespan in (_CUT_OFF, _TOO_LARGE) else int(makespan)

    def _set_plan(self, rule: NativeRule) -> None:
        """Point the kernel to the planned order, if there is one of these jobs on this pool."""
        self._rule.sequence = ffi.NULL
        pool = tuple(zip(self._max_rates, self._max_agents, strict=True))
        if len(rule.plan) != len(self._jobs) or rule.pool != pool:
            return
        place_of = {job.name: place for place, job in enumerate(self._jobs)}
        if not place_of.keys() >= rule.plan.keys():
            return
        sequence = array("i", [place_of[name] for name in rule.plan])
        drive_of, starts = array("i", self.drive_of), array("q", self.starts)
        for place, start in zip(sequence, rule.plan.values(), strict=True):
            drive_of[place], starts[place] = start.drive, start.start
        view = ffi.from_buffer
        self._plan = view("int32_t[]", sequence), view("int32_t[]", drive_of), view("int64_t[]", starts)
        self._rule.sequence, self._rule.drive_of, self._rule.start = self._plan
        self._rule.slack = rule.slack


def run_native(
    ordered: Sequence[Job], true: Sequence[Job], drives: Sequence[Drive], rule: NativeRule, grid: int
) -> Session | None:
    """A session by the kernel, None where it is not available or the numbers are too large for it."""
    if lib is None or not ordered:
        return None
    try:
        columns = Columns(ordered, drives, true)
    except OverflowError:
        return None
    columns.set_bias(rule.bias)
    makespan = columns.run(rule, grid)
    if makespan is None:  # also if not before NEVER: the sums would not go into 64 bits
        return None
    in_order = bool(lib.ascending(len(ordered), ffi.from_buffer("int64_t[]", columns.starts)))
    return Session(makespan, columns.drive_of, columns.starts, columns.ends, in_order)


def _durations(jobs: Sequence[Job]) -> "array[int]":
    return jobs.durations if isinstance(jobs, Workload) else array("q", [job.duration for job in jobs])


def _rates(jobs: Sequence[Job]) -> "array[int]":
    return jobs.rates if isinstance(jobs, Workload) else array("q", [job.rate for job in jobs])


def _hosts(jobs: Sequence[Job]) -> HostColumns | None:
    return jobs.hosts if isinstance(jobs, Workload) else host_columns(jobs)
