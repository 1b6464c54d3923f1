"""Workloads and pools for properties: small, and full of the coincidences that schedulers trip over."""

from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from flexlbf.scheduling import Drive, Host, Job

RATES_MBPS = (0, 0.1, 1, 4, 8, 8.0000000001, 10, 80 / 3, 100 / 3, 40, 53.7, 80, 80.1, 160, 1000)
"""Nothing, tenths, tens of which fill a drive, thirds, all of a drive, and more than any has."""

DURATIONS_S = (1, 2, 3, 5, 10, 10.5, 20 / 3, 10 / 3, 60, 59.999999999, 90, 120, 600)
"""Few and related, so that many objects tie and many end at one instant."""

HOSTS = (None, None, Host("fs1", 1), Host("fs2", 2))
"""Half of the objects are on a host that limits its streams."""

DRIVE_RATES_MBPS = (80, 80, 80, 40, 20, 100 / 3, 160)


EVERYDAY = "everyday"
"""The profile of `make test-unit`, which runs often: other examples each time, and fewer."""

EVERYDAY_SHARE = 0.2


def examples(count: int) -> settings:
    """So many examples, and a share of them every day; a slow machine is no failure.

    They are others in every run, but for `.ci/run`, which gives a seed.
    """
    if settings.get_current_profile_name() == EVERYDAY:
        count = max(1, round(count * EVERYDAY_SHARE))
    return settings(max_examples=count, deadline=None)


def workloads(max_jobs: int = 14, min_jobs: int = 0, *, hosts: bool = True) -> SearchStrategy[list[Job]]:
    """Workloads of up to so many objects, at most 17, whose names are in another order than they are.

    In some of them hosts limit their streams, unless there are to be no `hosts`.
    """
    lasting = st.sampled_from(DURATIONS_S) | st.floats(0.5, 700)
    asking = st.sampled_from(RATES_MBPS) | st.floats(0, 100)
    rows = st.lists(st.tuples(lasting, asking), min_size=min_jobs, max_size=max_jobs)
    free = rows.map(
        lambda rows: [Job.of(f"object-{(5 * row + 3) % 17}", *values) for row, values in enumerate(rows)]
    )
    return free | free.flatmap(_on_hosts) if hosts else free


def _on_hosts(jobs: list[Job]) -> SearchStrategy[list[Job]]:
    """The same jobs, about half of them on hosts."""
    return st.lists(st.sampled_from(HOSTS), min_size=len(jobs), max_size=len(jobs)).map(
        lambda hosts: [replace(job, host=host) for job, host in zip(jobs, hosts, strict=True)]
    )


def pools(max_drives: int = 5, max_agents: int = 5) -> SearchStrategy[list[Drive]]:
    """Pools of equal drives and of unequal ones; one drive and one agent among them."""
    agents = st.integers(1, max_agents)
    rates = st.sampled_from(DRIVE_RATES_MBPS)
    unequal = st.lists(st.tuples(rates, agents), min_size=1, max_size=max_drives)
    equal = st.tuples(rates, agents, st.integers(1, max_drives)).map(lambda own: [own[:2]] * own[2])
    return (equal | unequal).map(
        lambda drives: [Drive.of(f"drive-{index}", *drive) for index, drive in enumerate(drives)]
    )
