"""Why a policy's drives and agents are what they are: the session that was chosen beside its neighbours."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from flexlbf.planning.examined import Examined
from flexlbf.planning.session import start_grid
from flexlbf.planning.wording import count_of, duration, times_words, what_bounds
from flexlbf.scheduling import Job, longest_first
from flexlbf.scheduling.registry import TUNING_BUDGET_S, scheduler_named
from flexlbf.scheduling.units import NANOSECONDS_PER_MILLISECOND, to_seconds
from flexlbf.tuning import Deadline, Setting, WithinPercent, allowed_drives
from flexlbf.tuning.baselines import TRADITIONAL_AGENTS
from flexlbf.tuning.objective import Objective
from flexlbf.tuning.sweep import Point, Sweep


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or two, and the figures in it for programs.

    Attributes:
        topic: what it is about, such as `drives`.
        words: for people.
        figures: by name; those that end in `_s` are seconds.
    """

    topic: str
    words: str
    figures: Mapping[str, object] = field(default_factory=dict)


class Case:
    """A planned policy with what its neighbours are simulated from.

    Args:
        examined: one with a session.

    Raises:
        ValueError: there is no session to speak of.
    """

    def __init__(self, examined: Examined) -> None:
        if examined.session is None or examined.resources is None:
            raise ValueError("there is no session: only what was planned can be explained")
        self.spec = examined.resources.policy.spec
        self.session = examined.session
        self.chosen: Setting = examined.session.tuning.chosen
        self.jobs: tuple[Job, ...] = tuple(each.job for each in examined.objects)
        limits = self.spec.limits
        self.allowed = allowed_drives(
            examined.session.pool, limits.drives if limits else None, limits.max_agents if limits else None
        )
        self.scheduler = scheduler_named(self.spec.scheduler.value, budget_s=TUNING_BUDGET_S)
        self.grid = start_grid(self.spec)
        known = (self.session.tuning.reference, self.chosen.schedule)
        self.sweep = Sweep(self.jobs, self.allowed, self.scheduler, start_grid=self.grid, known=known)

    @property
    def drives(self) -> int:
        """How many were chosen."""
        return len(self.chosen.drives)

    @property
    def window(self) -> int | None:
        """Nanoseconds that the session may take, None if nobody said."""
        return self.spec.window.milliseconds * NANOSECONDS_PER_MILLISECOND if self.spec.window else None

    @property
    def target(self) -> int:
        """Nanoseconds that the session may take for the objective."""
        return int(self.chosen.objective.target(self.session.tuning.reference.makespan))

    @property
    def longest(self) -> Job:
        """The object that takes longest on these drives."""
        return longest_first(self.chosen.schedule.jobs)[0]


def reasons(case: Case) -> tuple[Statement, ...]:
    """What was wanted, why so many drives and agents, what bounds the session, and what it costs."""
    return tuple(_reasons(case))


def _reasons(case: Case) -> Iterator[Statement]:
    yield _objective(case)
    if case.chosen.meets_target:
        yield _drives(case)
        yield _agents(case)
    yield _bound(case)
    yield _price(case)


def _objective(case: Case) -> Statement:
    reference, objective = case.session.tuning.reference, case.chosen.objective
    everything = f"{_on(len(case.allowed), max(each.max_agents for each in case.allowed))}"
    figures = {"reference_s": to_seconds(reference.makespan), "target_s": to_seconds(case.target)}
    takes = f"the session takes {duration(reference.makespan)} on all that is allowed, {everything}"
    words = f"{_wanted(objective, case.target)}; {takes}."
    if not case.chosen.meets_target:
        words += " Not even that is enough, so all of it is used."
    return Statement("objective", words, {**figures, "met": case.chosen.meets_target})


def _wanted(objective: Objective, target: int) -> str:
    if isinstance(objective, Deadline):
        return f"What is wanted is a session of {duration(target)} at most"
    if isinstance(objective, WithinPercent):
        return (
            f"What is wanted is a session at most {objective.percent:g} % longer than the fastest, which is "
            f"{duration(target)}"
        )
    return "What is wanted is the fastest session, with no more drives and agents than it needs"


def _drives(case: Case) -> Statement:
    most = max(each.max_agents for each in case.allowed)
    used = f"It takes {count_of(case.drives, 'drive')}"
    figures: dict[str, object] = {"drives": case.drives, "allowed": len(case.allowed)}
    words = f"{used}: there is no session on fewer." if case.drives == 1 else f"{used}: "
    if case.drives > 1:
        fewer = case.sweep.point(case.drives - 1, most)
        figures["one_fewer_s"] = to_seconds(fewer.makespan)
        words += f"on {case.drives - 1} it would take {_held(fewer, case.target)}."
    if case.drives < len(case.allowed):
        more = case.sweep.point(case.drives + 1, most)
        figures["one_more_s"] = to_seconds(more.makespan)
        words += f" Another of the drives there are would {_gain(more, case)}."
    freed = len(case.session.pool) - case.drives
    if freed:
        words += f" {count_of(freed, 'drive')} of the pool {'is' if freed == 1 else 'are'} free for others."
    return Statement("drives", words, figures)


def _agents(case: Case) -> Statement:
    agents = case.chosen.max_agents
    figures: dict[str, object] = {"max_agents": agents}
    words = f"It takes at most {count_of(agents, 'agent')}{' each' if case.drives > 1 else ''}"
    if agents > 1:
        fewer = case.sweep.point(case.drives, agents - 1)
        figures["one_fewer_s"] = to_seconds(fewer.makespan)
        words += f": with {agents - 1} the session would take {_held(fewer, case.target)}"
    words += "."
    if agents < max(each.max_agents for each in case.allowed):
        more = case.sweep.point(case.drives, agents + 1)
        figures["one_more_s"] = to_seconds(more.makespan)
        words += f" One agent more would {_gain(more, case)}, and restores read more for each."
    return Statement("agents", words, figures)


def _bound(case: Case) -> Statement:
    chosen, bound = case.chosen, case.chosen.bound
    gap = chosen.makespan - bound.duration
    near = f"the plan takes {duration(gap)} more" if gap else "the plan takes just that"
    if gap and chosen.optimal:
        near = "with starts at whole minutes none is shorter than the plan"
    why = what_bounds(chosen.schedule.jobs, chosen.drives, bound)
    words = f"No session with these settings is shorter than {duration(bound.duration)}, for {why}; {near}."
    figures = {"lower_bound_s": to_seconds(bound.duration), "bound_by": bound.bound_by.value}
    if bound.host:
        figures["bound_host"] = bound.host.name
    return Statement("bound", words, {**figures, "makespan_s": to_seconds(chosen.makespan)})


def _price(case: Case) -> Statement:
    stretch, beside = case.chosen.stretch, case.session.comparison
    words = (
        f"The same drives would take {duration(beside.traditional)} with the objects in arbitrary order, and "
        f"{duration(beside.lbf)} under LBF, both with at most {TRADITIONAL_AGENTS} agents a drive."
    )
    figures: dict[str, object] = {
        "traditional_s": to_seconds(round(beside.traditional)),
        "lbf_s": to_seconds(round(beside.lbf)),
    }
    if stretch:
        words += f" A restore reads {times_words(stretch.median)} its data, since streams are interleaved."
        figures["restore_stretch"] = stretch.median
    return Statement("price", words, figures)


def _held(point: Point, target: int) -> str:
    over = point.makespan - target
    return f"{duration(point.makespan)}, {duration(over)} too long" if over > 0 else duration(point.makespan)


def _gain(point: Point, case: Case) -> str:
    saved = case.chosen.makespan - point.makespan
    if saved > 0:
        return f"save {duration(saved)}"
    return "save no time" if saved == 0 else f"make the session {duration(-saved)} longer"


def _on(drives: int, agents: int) -> str:
    each = " each" if drives > 1 else ""
    return f"{count_of(drives, 'drive')} with at most {count_of(agents, 'agent')}{each}"
