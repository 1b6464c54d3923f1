"""What a change of manifests does to a policy: its settings and its schedule before and after."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flexlbf.api.durations import format_duration
from flexlbf.api.v1alpha1 import Execution, Mode
from flexlbf.planning.offline import PlannedPolicy
from flexlbf.planning.wording import amount, duration
from flexlbf.scheduling.units import MINUTE, to_seconds
from flexlbf.tuning import saved_percent

Facts = Mapping[str, "Fact"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a plan says: for programs and for people."""

    value: Any
    words: str


@dataclass(frozen=True, slots=True)
class Starts:
    """What becomes of the objects' starts.

    Attributes:
        objects: how many there are both before and after.
        moved: those of them that start at another minute of the session.
        changed_drive: those of them that go to another drive.
        added, removed: those that are there only after, or only before.
    """

    objects: int
    moved: tuple[str, ...] = ()
    changed_drive: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.moved or self.changed_drive or self.added or self.removed)


@dataclass(frozen=True, slots=True)
class CronJobs:
    """How many CronJobs the operator would write anew, create and delete."""

    rewritten: int = 0
    created: int = 0
    deleted: int = 0

    def __bool__(self) -> bool:
        return bool(self.rewritten or self.created or self.deleted)


@dataclass(frozen=True, slots=True)
class Difference:
    """A policy before and after.

    Attributes:
        name: namespace and name.
        change: `added`, `removed`, `changed` or `same`.
        before, after: what each plan says; empty where there is none.
        starts: of the objects.
        cron_jobs: of the operator.
    """

    name: str
    change: str
    before: Facts
    after: Facts
    starts: Starts
    cron_jobs: CronJobs

    @property
    def changed(self) -> dict[str, tuple[Fact | None, Fact | None]]:
        """The facts that differ, before and after."""
        names = [*dict.fromkeys((*self.before, *self.after))]
        pairs = {name: (self.before.get(name), self.after.get(name)) for name in names}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def differences(
    before: Mapping[str, PlannedPolicy], after: Mapping[str, PlannedPolicy]
) -> tuple[Difference, ...]:
    """Every policy that is in either, by name."""
    return tuple(_difference(name, before.get(name), after.get(name)) for name in sorted({*before, *after}))


def _difference(name: str, before: PlannedPolicy | None, after: PlannedPolicy | None) -> Difference:
    facts = facts_of(before), facts_of(after)
    if before and after and _goes_on(after):
        starts, cron_jobs = Starts(0), CronJobs()
    else:
        starts = _starts(_placed(before), _placed(after))
        cron_jobs = _cron_jobs(_by_name(before), _by_name(after))
    if before is None or after is None:
        change = "added" if before is None else "removed"
    else:
        change = "changed" if facts[0] != facts[1] or starts or cron_jobs else "same"
    return Difference(name, change, *facts, starts, cron_jobs)


def _goes_on(planned: PlannedPolicy) -> bool:
    """Whether the CronJobs of the last good plan stay, since there is no other."""
    mode = (planned.policy.get("spec") or {}).get("mode")
    return planned.plan.stalled is not None and mode != Mode.RECOMMEND


def facts_of(planned: PlannedPolicy | None) -> dict[str, Fact]:
    """What is compared, in the order in which it is shown."""
    return dict(_facts(planned)) if planned else {}


def _facts(planned: PlannedPolicy) -> Iterator[tuple[str, Fact]]:
    plan, spec = planned.plan, planned.policy.get("spec") or {}
    stalled = plan.stalled
    if stalled:
        yield "verdict", Fact(str(stalled.reason), f"can't be planned: {stalled.message}")
    session = planned.examined.session
    if session:
        chosen, beside = session.tuning.chosen, session.comparison.traditional
        saved = saved_percent(chosen.makespan, beside)
        yield "drives", Fact(len(chosen.drives), f"{len(chosen.drives):,}")
        yield "maxAgents", Fact(chosen.max_agents, f"{chosen.max_agents:,}")
        yield "duration", Fact(to_seconds(chosen.makespan), duration(chosen.makespan))
        yield "window", _window(planned)
        yield "saved", Fact(saved, f"{saved} %")
    size = sum(each.size for each in planned.examined.objects)
    yield "objects", Fact(len(planned.examined.objects), f"{len(planned.examined.objects):,}")
    yield "bytes", Fact(size, amount(size))
    when = f"{spec.get('schedule')} {spec.get('timeZone') or 'Etc/UTC'}"
    yield "schedule", Fact(when, when)
    yield "runs", _runs(spec)


def _window(planned: PlannedPolicy) -> Fact:
    resources = planned.examined.resources
    window = resources.policy.spec.window if resources else None
    if window is None:
        return Fact(None, "none")
    fits = planned.plan.window_fit
    told = f"{format_duration(window.seconds)}, {'fits' if fits else 'overrun'}"
    return Fact({"seconds": window.seconds, "fits": fits}, told)


def _runs(spec: Mapping[str, Any]) -> Fact:
    """How the plan is carried out; the defaults are the API's."""
    if spec.get("mode") == Mode.RECOMMEND:
        return Fact("Recommend", "not at all (mode Recommend)")
    execution = str(spec.get("execution") or Execution.PLANNED)
    return Fact(
        {"execution": execution, "suspend": bool(spec.get("suspend"))},
        f"{execution}, suspended" if spec.get("suspend") else execution,
    )


def _placed(planned: PlannedPolicy | None) -> dict[str, tuple[int, str]]:
    """The minute and the drive of each object's start."""
    session = planned.examined.session if planned else None
    if session is None:
        return {}
    schedule = session.schedule
    return {each.job.name: (each.start // MINUTE, schedule.drives[each.drive].name) for each in schedule}


def _starts(before: Mapping[str, tuple[int, str]], after: Mapping[str, tuple[int, str]]) -> Starts:
    both = [name for name in after if name in before]
    return Starts(
        len(both),
        tuple(name for name in both if after[name][0] != before[name][0]),
        tuple(name for name in both if after[name][1] != before[name][1]),
        tuple(name for name in after if name not in before),
        tuple(name for name in before if name not in after),
    )


def _by_name(planned: PlannedPolicy | None) -> dict[str, dict[str, Any]]:
    return {each["metadata"]["name"]: each for each in planned.cron_jobs} if planned else {}


def _cron_jobs(before: Mapping[str, Any], after: Mapping[str, Any]) -> CronJobs:
    both = before.keys() & after.keys()
    return CronJobs(
        sum(before[name] != after[name] for name in both),
        len(after.keys() - before.keys()),
        len(before.keys() - after.keys()),
    )
