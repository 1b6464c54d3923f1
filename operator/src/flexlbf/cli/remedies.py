"""What would help where a deadline can't be met."""

from collections.abc import Callable, Iterator

from flexlbf.cli.options import Request
from flexlbf.planning.wording import count_of, duration, listed
from flexlbf.scheduling import (
    Drive,
    FlexLBF,
    equal_drives,
    longest_first,
    lower_bound,
    simulate,
    within_rate_of,
)


def remedies(request: Request, window: int) -> Iterator[str]:
    """Sentences that say what to change; each change named was simulated and meets the deadline."""
    longest_ones = [job for job in within_rate_of(request.drives, request.jobs) if job.duration > window]
    if longest_ones:
        longest = longest_first(longest_ones)[0]
        names = listed([job.name for job in longest_first(longest_ones)])
        yield (
            f"Neither drives nor agents would help: {names} alone "
            f"take{'s' if len(longest_ones) == 1 else ''} longer than that. Split what is so long, make its "
            f"client faster, or allow {duration(longest.duration)} at least."
        )
        return
    drives, agents = len(request.drives), request.max_agents
    objects = len(request.jobs)
    best = lower_bound(request.jobs, _pool(request, objects, agents))
    if best.host and best.duration > window:
        yield (
            f"Neither drives nor agents would help: the objects of host {best.host.name} take "
            f"{duration(best.duration)} at {count_of(best.host.max_streams, 'stream')} at a time. Allow more "
            "with --per-host, or allow that much time."
        )
        return
    more_drives = _fewest(request, window, drives, objects, lambda number: _pool(request, number, agents))
    more_agents = _fewest(request, window, agents, objects, lambda number: _pool(request, drives, number))
    if more_drives:
        yield f"{count_of(more_drives, 'such drive')} would meet it, with {count_of(agents, 'agent')} each."
    if more_agents:
        yield f"So would {count_of(more_agents, 'agent')} on each drive, if restores may be that much slower."


def _pool(request: Request, drives: int, agents: int) -> tuple[Drive, ...]:
    return equal_drives(drives, request.max_throughput, agents)


def _fewest(
    request: Request, window: int, too_few: int, enough: int, pool: Callable[[int], tuple[Drive, ...]]
) -> int | None:
    """The fewest of something that meet the deadline, by bisection; None if `enough` of it do not."""

    def meets(number: int) -> bool:
        return simulate(request.jobs, pool(number), FlexLBF()).makespan <= window

    if enough <= too_few or not meets(enough):
        return None
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        too_few, enough = (too_few, middle) if meets(middle) else (middle, enough)
    return enough
