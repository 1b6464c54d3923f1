"""What is looked through of thousands that wait: the same, whatever was taken before and put back."""

from hypothesis import given
from hypothesis import strategies as st

from flexlbf.scheduling import Host, Job
from flexlbf.scheduling.waiting import Waiting
from support.strategies import HOSTS, examples
from support.waitsteps import carried_out, steps

FASTEST, CLASSES = 2, 3


def _some_of(jobs: list[Job], out: set[int], hidden: set[Host | None], room: int, passed: int) -> set[int]:
    """The same by its definition, from nothing."""
    ascending = sorted(range(len(jobs)), key=lambda place: (jobs[place].rate, -place))
    fastest = [place for place in reversed(ascending) if place not in out and jobs[place].rate <= room]
    shown = {place for place, job in enumerate(jobs) if job.host not in hidden}
    found = set([place for place in fastest[: FASTEST * passed] if place in shown][:FASTEST])
    for number in range(CLASSES):
        of_class = [place for rank, place in enumerate(ascending) if rank * CLASSES // len(jobs) == number]
        if all(jobs[place].rate <= room for place in of_class):
            longest = sorted(set(of_class) - out)[:passed]
            found.update([place for place in longest if place in shown][:1])
    return found


@examples(300)
@given(
    st.lists(st.tuples(st.integers(1, 9), st.sampled_from(HOSTS)), min_size=1, max_size=14),
    steps(places=14, most=30),
    st.integers(0, 10),
    st.integers(1, 4),
)
def test_some_that_fit_are_the_fastest_and_the_longest_of_each_class_of_rates(
    rows: list[tuple[int, Host | None]], changes: list[tuple[str, int]], room: int, passed: int
) -> None:
    """Of the first of each those that are not hidden, after any steps, whenever it was asked for first."""
    jobs = [Job(f"o{place}", 1, rate, host) for place, (rate, host) in enumerate(rows)]
    waiting = Waiting(jobs)
    for place, out, hidden in carried_out(waiting, changes):
        if place % 2:
            found = waiting.by_rate(CLASSES).some_within(room, FASTEST, waiting.hidden, passed)
            assert found == _some_of(jobs, out, hidden, room, passed)
