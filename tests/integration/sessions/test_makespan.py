"""How long sessions take against the simulator's forecast; timed, so for a machine that does nothing else."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from flexlbf.scheduling import Drive, Scheduler
from flexlbf.scheduling.registry import TUNING_BUDGET_S, scheduler_named
from flexlbf.scheduling.usage import overloads
from integration.sessions.figures import chosen_drives, figures
from integration.sessions.planned import as_it_went, planned
from integration.sessions.theatre import Theatre, conditions
from integration.sessions.workload import Library, Workload, lasting

pytestmark = [
    pytest.mark.integration,
    pytest.mark.scale,
    pytest.mark.timeout(900),
    pytest.mark.usefixtures("operator"),
]

TOLERANCE = 0.05
HOURS = 3600
"""A second of a session that is played stands for an hour of the one that is planned."""


@dataclass(frozen=True)
class Case:
    """A session: so many objects on so many drives, in about so many seconds."""

    objects: int
    library: Library
    seconds: float
    scheduler: str

    def __str__(self) -> str:
        return f"{self.scheduler}-{self.objects}-objects-on-{self.library.count}-drives"

    def scheduler_itself(self) -> Scheduler:
        """What the policy names."""
        return scheduler_named(self.scheduler, budget_s=TUNING_BUDGET_S)

    def workload(self, scale: float = 1.0) -> Workload:
        """The objects."""
        return lasting(scale * self.seconds, self.objects, self.library)


TWO = Library(count=2, mbps=20)
FOUR = Library(count=4, mbps=40)
CASES = [
    Case(objects, library, seconds, scheduler)
    for scheduler in ("FlexLBF", "Optimized")
    for objects, library, seconds in ((100, TWO, 60.0), (400, FOUR, 240.0))
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_session_takes_as_long_as_simulated(theatre: Theatre, say: Callable[[str], None], case: Case):
    """From the session's Job to the end of its last stream."""
    took, simulated, drives = played(theatre, case, case.workload(), say)
    say(f"  {len(drives)} drives of {drives[0].max_agents} agents")
    assert abs(took / simulated - 1) <= TOLERANCE


def test_an_adaptive_session_bears_what_overloads_a_planned_one(theatre: Theatre, say: Callable[[str], None]):
    """Objects really take up to 30 % more or less than anybody knows."""
    case = CASES[0]
    took, simulated, drives = played(theatre, case, case.workload().disturbed(0.3, seed=11), say)
    hours = case.workload(HOURS)
    plan = planned(hours, drives)
    went = as_it_went(plan, hours.disturbed(0.3, seed=11))
    say(
        f"  ±30 %: Adaptive {took:.1f} s, no overload; Planned {went.makespan / 1e9 / HOURS:.1f} s with "
        f"{len(overloads(went))} overloads; as declared {plan.makespan / 1e9 / HOURS:.1f} s"
    )
    assert overloads(went) != []
    assert abs(took / simulated - 1) <= TOLERANCE


def played(
    theatre: Theatre, case: Case, work: Workload, say: Callable[[str], None]
) -> tuple[float, float, tuple[Drive, ...]]:
    """The length of a session, as it was and as it is simulated; the drives that it had."""
    theatre.with_drives(case.library)
    theatre.with_class()
    theatre.adaptive(work, scheduler=case.scheduler)
    session = theatre.begin()
    assert "Complete" in conditions(theatre.await_end(session, 4 * case.seconds + 120))
    took = theatre.assert_played(session, work, case.library)
    drives = chosen_drives(theatre, case.library)
    simulated = work.makespan(drives, case.scheduler_itself())
    say(f"{case}: {took:.1f} s, simulated {simulated:.1f} s ({took / simulated - 1:+.1%})")
    streams = theatre.streams(session)
    held = {each.obj: round((each.ended.at - each.created.at) * 1e9) for each in streams if each.ended}
    without = work.makespan(drives, case.scheduler_itself(), held)
    say(f"  {figures(streams)}")
    say(f"  with what Kubernetes takes to start and end a pod: simulated {without:.1f} s")
    return took, simulated, drives
