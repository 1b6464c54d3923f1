"""Jobs that are taken, put back, hidden and shown, in any order."""

from collections.abc import Iterable, Iterator

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from flexlbf.scheduling import Host
from flexlbf.scheduling.waiting import Waiting
from support.strategies import HOSTS


def steps(places: int, most: int) -> SearchStrategy[list[tuple[str, int]]]:
    """At most so many steps, each with one of so many places, at which there may be no job."""
    step = st.sampled_from(["take", "restore", "hide", "show"])
    return st.lists(st.tuples(step, st.integers(0, places - 1)), max_size=most)


def carried_out(
    waiting: Waiting, steps: Iterable[tuple[str, int]]
) -> Iterator[tuple[int, set[int], set[Host | None]]]:
    """After each step its place, the places of what is out, and the hosts that are hidden.

    A place stands for one of two hosts as well, maybe one that none of the jobs is on.
    """
    out: set[int] = set()
    hidden: set[Host | None] = set()
    for step, place in steps:
        host = HOSTS[2 + place % 2]
        if step == "hide" and host:
            waiting.hide(host)
            hidden.add(host)
        elif step == "show" and host:
            waiting.show(host)
            hidden.discard(host)
        elif step == "take" and place < len(waiting.jobs) and place not in out:
            assert waiting.take(place) is waiting.jobs[place]
            out.add(place)
        elif step == "restore" and place in out:
            waiting.restore(place)
            out.discard(place)
        yield place, out, hidden
