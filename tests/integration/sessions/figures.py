"""What a person wants to know of a session, in a line."""

from decimal import Decimal

from flexlbf.scheduling import Drive, with_agents
from integration.sessions.theatre import Theatre
from integration.sessions.workload import Library
from support.streamcheck import Limits, most_jobs, most_streams
from support.streamlog import Stream


def figures(streams: list[Stream]) -> str:
    """How many there were at a time, and what the cluster took to start one."""
    lags = sorted(each.started.at - each.created.at for each in streams if each.started)
    return (
        f"at most {most_streams(streams)} streams and {most_jobs(streams)} Jobs; from Job to running "
        f"{lags[len(lags) // 2] * 1000:.0f} ms, at most {lags[-1] * 1000:.0f} ms"
    )


def chosen_drives(theatre: Theatre, library: Library, policy: str = "weekly") -> tuple[Drive, ...]:
    """The drives and the cap on agents that the operator recommends, in the simulator's words."""
    recommended = theatre.policy(policy)["status"]["recommendation"]
    return with_agents(library.drives[: recommended["drives"]], recommended["maxAgents"])


def as_limits(drives: tuple[Drive, ...]) -> dict[str, Limits]:
    """The same in the checker's words."""
    return {each.name: Limits(each.max_agents, Decimal(each.max_rate).scaleb(-6)) for each in drives}
