"""The jobs that wait, by rate: what a rule looks through that can't compare thousands at each start."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Container, Iterable, Sequence
from itertools import islice

from flexlbf.scheduling.model import Host, Job


class ByRate:
    """Knows a few of the jobs that fit, among which the best of all mostly is.

    A class of rates is a run of all jobs of the list by rate, and never changes, so that the same are
    compared live as in a simulation, whatever was taken before.

    Args:
        jobs: the whole list, the longest first.
        waiting: the places of those that wait.
        classes: in how many classes the list is cut.
    """

    def __init__(self, jobs: Sequence[Job], waiting: Iterable[int], classes: int) -> None:
        self._jobs = jobs
        ascending = sorted(range(len(jobs)), key=self._key)
        self._class_of = [0] * len(jobs)
        for rank, place in enumerate(ascending):
            self._class_of[place] = rank * classes // len(jobs)
        ends = [-(-(number + 1) * len(jobs) // classes) for number in range(classes)]
        self._highest = [jobs[ascending[end - 1]].rate for end in ends]
        self._ascending = sorted(waiting, key=self._key)
        self._longest: list[list[int]] = [[] for _ in range(classes)]
        for place in sorted(self._ascending):
            self._longest[self._class_of[place]].append(place)

    def take(self, place: int) -> None:
        """A job no longer waits."""
        del self._ascending[bisect_left(self._ascending, self._key(place), key=self._key)]
        of_class = self._longest[self._class_of[place]]
        del of_class[bisect_left(of_class, place)]

    def restore(self, place: int) -> None:
        """A job that was taken waits again."""
        insort(self._ascending, place, key=self._key)
        insort(self._longest[self._class_of[place]], place)

    def count_within(self, room: int) -> int:
        """How many that wait, hidden or not, ask for at most `room`."""
        return bisect_right(self._ascending, room, key=lambda place: self._jobs[place].rate)

    def some_within(
        self, room: int, fastest: int, hidden: Container[Host | None] = (), passed: int = 1
    ) -> set[int]:
        """The places of so many of the fastest that fit, and of the longest of each class that fits whole.

        Args:
            room: in micro-bytes a second.
            fastest: how many of them.
            hidden: hosts whose jobs are passed over.
            passed: for each job only so many are looked at until one is not hidden.
        """
        fit = self.count_within(room)
        some = range(fit - 1, max(fit - fastest * passed, 0) - 1, -1)
        shown = (self._ascending[at] for at in some if self._shows(self._ascending[at], hidden))
        found = set(islice(shown, fastest))
        for of_class in self._longest[: bisect_right(self._highest, room)]:
            shown = (place for place in of_class[:passed] if self._shows(place, hidden))
            found.update(islice(shown, 1))
        return found

    def _shows(self, place: int, hidden: Container[Host | None]) -> bool:
        return self._jobs[place].host not in hidden

    def _key(self, place: int) -> tuple[int, int]:
        """By rate, of one rate the last of the list first."""
        return self._jobs[place].rate, -place
