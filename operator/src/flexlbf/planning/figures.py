"""The figures of a policy's status: workload, recommendation and alternatives."""

from typing import Any

from flexlbf.api.quantities import format_bytes, format_quantity
from flexlbf.api.v1alpha1 import (
    Alternative,
    Bound,
    ComparedTo,
    Objective,
    Recommendation,
    RestoreStretch,
    Workload,
)
from flexlbf.api.v1alpha1 import Comparison as ComparisonStatus
from flexlbf.planning.session import TunedSession
from flexlbf.planning.wording import duration
from flexlbf.planning.workload import PlannableObject
from flexlbf.scheduling import Stretch, longest_first
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE
from flexlbf.scheduling.usage import peak
from flexlbf.tuning import Setting, saved_percent
from flexlbf.tuning.objective import WithinPercent

CAPPED_SHOWN = 10
HOST_SHOWN = 253
"""A CSV may name hosts that are longer than the status has room for."""


def figures(objects: tuple[PlannableObject, ...], session: TunedSession | None) -> dict[str, Any]:
    """The figures as the API takes them; without a session there is nothing to recommend."""
    shown: dict[str, Any] = {"workload": _workload(objects, session).to_api()}
    if session:
        shown["recommendation"] = _recommendation(session).to_api()
        shown["alternatives"] = [_alternative(each).to_api() for each in session.tuning.alternatives]
    return shown


def _workload(objects: tuple[PlannableObject, ...], session: TunedSession | None) -> Workload:
    """The workload as planned: an object faster than every drive is as long as it then takes."""
    jobs = session.schedule.jobs if session else ()
    longest = longest_first(jobs)[0] if jobs else None
    fastest = max(drive.max_rate for drive in session.pool) if session else 0
    capped = sorted(each.job.name for each in objects if each.job.rate > fastest)
    return Workload(
        objects=len(objects),
        bytes=format_bytes(sum(each.size for each in objects)),
        longest_object=longest.name if longest else None,
        longest_duration=duration(longest.duration) if longest else None,
        unmeasured=sum(not each.measured for each in objects),
        capped_objects=len(capped) or None,
        capped=tuple(capped[:CAPPED_SHOWN]) or None,
    )


def _recommendation(session: TunedSession) -> Recommendation:
    chosen, comparison = session.tuning.chosen, session.comparison
    used = {drive.name for drive in chosen.drives}
    return Recommendation(
        drives=len(chosen.drives),
        max_agents=chosen.max_agents,
        duration=duration(chosen.makespan),
        lower_bound=duration(chosen.bound.duration),
        bound_by=Bound(chosen.bound.bound_by.value),
        bound_host=chosen.bound.host.name[:HOST_SHOWN] if chosen.bound.host else None,
        optimal=chosen.optimal,
        restore_stretch=_stretch(chosen.stretch),
        peak_throughput=format_quantity(peak(chosen.schedule).rate // MICROBYTES_PER_BYTE),
        compared_to=ComparedTo(
            traditional=_comparison(chosen.makespan, comparison.traditional, comparison.traditional_stretch),
            lbf=_comparison(chosen.makespan, comparison.lbf, comparison.lbf_stretch),
        ),
        freed_drives=tuple(drive.name for drive in session.pool if drive.name not in used),
    )


def _comparison(makespan: int, baseline: float, stretch: Stretch | None) -> ComparisonStatus:
    return ComparisonStatus(
        duration=duration(baseline),
        saved_percent=saved_percent(makespan, baseline),
        restore_stretch=_stretch(stretch),
    )


def _stretch(stretch: Stretch | None) -> RestoreStretch | None:
    """To two decimals, since nobody plans restores by more."""
    if stretch is None:
        return None
    return RestoreStretch(
        median=round(stretch.median, 2), worst=round(stretch.worst, 2), worst_object=stretch.worst_object
    )


def _alternative(setting: Setting) -> Alternative:
    objective = setting.objective
    return Alternative(
        objective=Objective(objective.name),
        percent=objective.percent if isinstance(objective, WithinPercent) else None,
        drives=len(setting.drives),
        max_agents=setting.max_agents,
        duration=duration(setting.makespan),
        restore_stretch=_stretch(setting.stretch),
    )
