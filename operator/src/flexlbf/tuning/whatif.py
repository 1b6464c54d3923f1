"""What if: the same tuning with a drive less, more objects, more data or other drives."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from flexlbf.scheduling import Drive, FlexLBF, Job, Scheduler
from flexlbf.scheduling.units import to_megabytes
from flexlbf.tuning.objective import Objective
from flexlbf.tuning.tuner import Setting, Tuner, allowed_drives
from flexlbf.tuning.variation import Spread, Variation, live_makespans


class Topic(StrEnum):
    """What a change is about."""

    DRIVE_LOST = "DriveLost"
    FEWER_AGENTS = "FewerAgents"
    SET_ADDED = "SetAdded"
    DATA_GROWN = "DataGrown"
    OTHER_DRIVES = "OtherDrives"


@dataclass(frozen=True, slots=True)
class Situation:
    """What is planned for.

    Attributes:
        jobs: the workload.
        pool: all drives that there are.
        objective: what is tuned for.
        window: nanoseconds that a session may take, None if nobody said.
        most_drives: how many drives may be used, None for all.
        most_agents: how many agents a drive may run, None for as many as the drives take.
        start_grid: as for `simulate`.
        scheduler: the scheduler to tune for.
    """

    jobs: tuple[Job, ...]
    pool: tuple[Drive, ...]
    objective: Objective
    window: int | None = None
    most_drives: int | None = None
    most_agents: int | None = None
    start_grid: int = 1
    scheduler: Scheduler = field(default_factory=FlexLBF)

    def allowed(self) -> tuple[Drive, ...]:
        """The drives to tune with; never more than there are objects, for more stay idle.

        An idle drive is taken only when no faster one is idle, so with fewer objects than drives it is the
        slowest that are not touched.
        """
        useful = len(self.jobs) if self.most_drives is None else min(len(self.jobs), self.most_drives)
        return allowed_drives(self.pool, useful, self.most_agents)

    def tune(self) -> Setting | None:
        """The setting for the objective, None without a drive."""
        drives = self.allowed()
        if not drives:
            return None
        return Tuner(self.jobs, drives, self.scheduler, start_grid=self.start_grid).tune(self.objective)


@dataclass(frozen=True, slots=True)
class Change:
    """A situation that differs in one thing.

    Attributes:
        topic: what in.
        about: the drive, set, factor, agents or MB/s that it is about.
        words: the change as people say it.
        situation: what there is then.
    """

    topic: Topic
    about: str | float
    words: str
    situation: Situation


@dataclass(frozen=True, slots=True)
class Answer:
    """What a change leads to; without a drive there is no setting."""

    change: Change
    setting: Setting | None
    fits: bool | None


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked.

    Attributes:
        growth: the factors by which data grows; durations do as much, and rates stay.
        rates: micro-bytes a second of other drives; twice their own without any.
        added: sets of objects to add; one more like the largest without any.
        variation: how durations vary.
    """

    growth: tuple[float, ...] = (1.1, 1.3, 2.0)
    rates: tuple[int, ...] = ()
    added: Mapping[str, Sequence[Job]] = field(default_factory=dict)
    variation: Variation = field(default_factory=Variation)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The situation as it is, what each change leads to, and how long sessions take if durations vary."""

    situation: Situation
    base: Setting
    fits: bool | None
    answers: tuple[Answer, ...]
    spread: Spread


def what_if(
    situation: Situation,
    questions: Questions,
    sets: Mapping[str, Sequence[Job]],
    on_step: Callable[[int, int], None] = lambda _done, _all: None,
) -> WhatIf:
    """Ask everything at once.

    Args:
        situation: what there is: at least one drive and one object.
        questions: what is asked.
        sets: the objects by their set, to know the largest.
        on_step: told how many steps are done, and of how many.

    Raises:
        ValueError: no drive, or no object.
    """
    base = situation.tune() if situation.jobs else None
    if base is None:
        raise ValueError("there is nothing to ask: it takes at least one drive and one object")
    asked = [*changes(situation, base, questions, sets)]
    steps = 1 + len(asked) + questions.variation.runs
    answers: list[Answer] = []
    on_step(1, steps)
    for change in asked:
        setting = change.situation.tune()
        answers.append(Answer(change, setting, _fits(setting, situation.window)))
        on_step(1 + len(answers), steps)
    makespans = []
    for makespan in _live(situation, base, questions.variation):
        makespans.append(makespan)
        on_step(1 + len(answers) + len(makespans), steps)
    spread = Spread(questions.variation, tuple(sorted(makespans)))
    return WhatIf(situation, base, _fits(base, situation.window), tuple(answers), spread)


def _live(situation: Situation, base: Setting, variation: Variation) -> Iterator[int]:
    return live_makespans(
        situation.jobs, base.drives, base.schedule.scheduler, variation, start_grid=situation.start_grid
    )


def _fits(setting: Setting | None, window: int | None) -> bool | None:
    if window is None:
        return None
    return setting is not None and setting.makespan <= window


def changes(
    situation: Situation, base: Setting, questions: Questions, sets: Mapping[str, Sequence[Job]]
) -> Iterator[Change]:
    """Every change that is asked about."""
    yield from drives_lost(situation, base)
    if base.max_agents > 1:
        yield fewer_agents(situation, base.max_agents // 2)
    if questions.added:
        for name, jobs in questions.added.items():
            yield set_added(
                situation, jobs, name, f"one more set like {name}" if name in sets else f"set {name} added"
            )
    elif sets:
        largest = max(sorted(sets), key=lambda name: sum(job.duration * job.rate for job in sets[name]))
        yield set_added(situation, sets[largest], largest, f"one more set like {largest}")
    for factor in questions.growth:
        yield data_grown(situation, factor)
    for rate in questions.rates or (None,):
        yield other_drives(situation, rate)


def drives_lost(situation: Situation, base: Setting) -> Iterator[Change]:
    """A drive of each kind that is there; and, where drives are free, one in use that none stands in for."""
    for kind in _kinds(situation.pool):
        yield _lost(situation, situation.pool, kind, "lost")
    names = {drive.name for drive in base.drives}
    used = tuple(drive for drive in situation.pool if drive.name in names)
    if len(used) < len(situation.pool):
        for kind in _kinds(used):
            yield _lost(situation, used, kind, "in use lost, with no spare")


def _lost(situation: Situation, drives: tuple[Drive, ...], kind: Drive, words: str) -> Change:
    alike = [drive for drive in drives if _kind(drive) == _kind(kind)]
    gone = alike[-1]
    agents = ""
    if any(drive.max_rate == kind.max_rate and _kind(drive) != _kind(kind) for drive in drives):
        agents = f" and {kind.max_agents} agents"
    number = f"1 of {len(alike)} drives" if len(alike) > 1 else "the only drive"
    left = tuple(drive for drive in drives if drive.name != gone.name)
    phrase = f"{number} of {to_megabytes(kind.max_rate):g} MB/s{agents} {words}"
    return Change(Topic.DRIVE_LOST, gone.name, phrase, replace(situation, pool=left))


def _kind(drive: Drive) -> tuple[int, int]:
    return drive.max_rate, drive.max_agents


def _kinds(drives: Sequence[Drive]) -> list[Drive]:
    """The first drive of each kind."""
    return list({_kind(drive): drive for drive in reversed(drives)}.values())[::-1]


def fewer_agents(situation: Situation, agents: int) -> Change:
    """A lower limit on interleaving, for restores that read less."""
    words = f"at most {agents} agent{'' if agents == 1 else 's'} a drive"
    return Change(Topic.FEWER_AGENTS, agents, words, replace(situation, most_agents=agents))


def set_added(situation: Situation, jobs: Sequence[Job], name: str, words: str) -> Change:
    """More objects; one whose name is taken is told apart by a number behind it."""
    taken = {job.name for job in situation.jobs}
    added = []
    for job in jobs:
        free, number = job.name, 2
        while free in taken:
            free, number = f"{job.name}#{number}", number + 1
        taken.add(free)
        added.append(replace(job, name=free))
    return Change(Topic.SET_ADDED, name, words, replace(situation, jobs=(*situation.jobs, *added)))


def data_grown(situation: Situation, factor: float) -> Change:
    """Every object so many times as long, at the rate that it has."""
    exact = Fraction(str(factor))
    jobs = tuple(replace(job, duration=max(1, round(job.duration * exact))) for job in situation.jobs)
    return Change(Topic.DATA_GROWN, factor, f"data grown {factor:g}x", replace(situation, jobs=jobs))


def other_drives(situation: Situation, rate: int | None) -> Change:
    """Every drive replaced by one of another rate, or of twice its own."""
    pool = tuple(replace(drive, max_rate=rate or 2 * drive.max_rate) for drive in situation.pool)
    if rate is None and len({drive.max_rate for drive in pool}) > 1:
        return Change(Topic.OTHER_DRIVES, "2x", "drives twice as fast", replace(situation, pool=pool))
    megabytes = to_megabytes(pool[0].max_rate)
    words = f"drives of {megabytes:g} MB/s instead"
    return Change(Topic.OTHER_DRIVES, megabytes, words, replace(situation, pool=pool))
