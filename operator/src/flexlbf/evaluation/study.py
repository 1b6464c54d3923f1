"""What every table and figure starts from: the workloads, the drives and the schedulers (section IV)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from flexlbf.evaluation.paper import Saved
from flexlbf.samples import DEFAULT_SEED, Server, servers, workload
from flexlbf.scheduling import LBF, Drive, Job, Schedule, Scheduler, equal_drives, simulate
from flexlbf.scheduling.registry import NAMES, scheduler_named
from flexlbf.scheduling.units import MINUTE
from flexlbf.tuning.baselines import TRADITIONAL_AGENTS

DRIVE_MBPS = 80
MAX_AGENTS = 10
FIXED_AGENTS = TRADITIONAL_AGENTS
SITE_DRIVES = 4

SET_SIZES = (100, 200, 300, 400)
SETS_A_SIZE = 4


@dataclass(frozen=True, slots=True)
class Contender:
    """A scheduler that is held against LBF, and against the paper's figures if it is the paper's.

    Attributes:
        name: the value of the policy's `scheduler`.
        make: a fresh scheduler; the same one each time, whatever it was asked before.
        from_paper: whether the paper's figures are this scheduler's.
    """

    name: str
    make: Callable[[], Scheduler]
    from_paper: bool = False


SEARCH_BUDGET_S = 0.2
"""What `Optimized` may search, a fifth of its default, for the evaluation runs it some two hundred times.

It is counted in work, not timed, so that it finds the same on every machine.
"""

CONTENDERS = tuple(
    Contender(name, partial(scheduler_named, name, budget_s=SEARCH_BUDGET_S), from_paper=name == "FlexLBF")
    for name in NAMES
)
"""Every scheduler that a policy may name. One more there is one more in each table, with no other change."""


@dataclass(frozen=True, slots=True)
class BackupSet:
    """One of figure 8's samples of all objects."""

    size: int
    number: int
    jobs: tuple[Job, ...]


@dataclass(frozen=True)
class Study:
    """The evaluation's workloads and schedulers; the same seed gives the same study.

    Attributes:
        seed: what the workloads are drawn with.
        contenders: the schedulers to evaluate, the paper's first.
    """

    seed: int = DEFAULT_SEED
    contenders: tuple[Contender, ...] = CONTENDERS

    @cached_property
    def servers(self) -> tuple[Server, ...]:
        """The eight servers."""
        return servers(self.seed)

    @cached_property
    def sets(self) -> tuple[BackupSet, ...]:
        """Figure 8's 16 sets, each with a seed of its own: else the larger would contain the smaller."""
        shapes = [(size, number) for size in SET_SIZES for number in range(1, SETS_A_SIZE + 1)]
        return tuple(
            BackupSet(size, number, tuple(workload(size, self.seed * len(shapes) + i)))
            for i, (size, number) in enumerate(shapes)
        )

    @property
    def paper_contender(self) -> Contender:
        """The one whose figures the paper has."""
        return next(each for each in self.contenders if each.from_paper)


def drives(count: int, agents: int = MAX_AGENTS) -> tuple[Drive, ...]:
    """So many of the paper's drives."""
    return equal_drives(count, DRIVE_MBPS, agents)


def under(contender: Contender, jobs: Sequence[Job], pool: Sequence[Drive]) -> Schedule:
    """One session under a contender."""
    return simulate(jobs, pool, contender.make())


def under_lbf(jobs: Sequence[Job], count: int) -> Schedule:
    """One session under LBF with four agents a drive, as the paper's site had them."""
    return simulate(jobs, drives(count, FIXED_AGENTS), LBF())


def minutes(nanoseconds: float) -> int:
    """Whole minutes, to the nearest."""
    return round(nanoseconds / MINUTE)


def saved(makespan: float, baseline: float) -> Saved:
    """What a session saves of a longer one."""
    return Saved(minutes(baseline - makespan), round(100 * (1 - makespan / baseline)))
