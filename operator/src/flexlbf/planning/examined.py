"""A plan with what it was made from: what a picture or an explanation of it needs and a status does not."""

from dataclasses import dataclass

from flexlbf.planning.plan import Plan
from flexlbf.planning.session import TunedSession
from flexlbf.planning.snapshot import Resources
from flexlbf.planning.workload import PlannableObject


@dataclass(frozen=True, slots=True)
class Examined:
    """What deciding on a policy went through.

    Attributes:
        plan: what was decided.
        resources: what was parsed; None where there is nothing to plan.
        objects: what is to be backed up.
        session: the settings and the simulated session; None where there is nothing to plan.
    """

    plan: Plan
    resources: Resources | None = None
    objects: tuple[PlannableObject, ...] = ()
    session: TunedSession | None = None
