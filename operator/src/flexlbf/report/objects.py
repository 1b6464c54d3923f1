"""The objects of a session: how each is drawn, a table of all, and those that the duration hangs on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flexlbf.planning.wording import amount, bytes_of, duration, times_words
from flexlbf.planning.workload import PlannableObject
from flexlbf.report.axes import clock
from flexlbf.report.gantt import Look
from flexlbf.report.model import Key, Legend, Table
from flexlbf.report.palette import LIGHT, RateSteps
from flexlbf.scheduling import Assignment, Schedule, restore_stretches
from flexlbf.scheduling.units import to_megabytes

SHOWN = 8
"""Of the objects that a session hangs on so many are named."""


@dataclass(frozen=True)
class SessionObjects:
    """The objects of a schedule.

    Attributes:
        streams: in order of their starts.
        schedule: the session.
        sets: the set of each object, by name.
        hosts: the host of each object that has one, by name.
        stretches: what a restore of each reads, by name.
    """

    streams: tuple[Assignment, ...]
    schedule: Schedule
    sets: Mapping[str, str]
    hosts: Mapping[str, str]
    stretches: Mapping[str, float]

    @classmethod
    def of(cls, objects: Sequence[PlannableObject], schedule: Schedule) -> "SessionObjects":
        """The objects with all that is shown of them."""
        sets = {each.job.name: each.backup_set for each in objects}
        hosts = {each.job.name: each.host for each in objects if each.host}
        return cls(tuple(schedule), schedule, sets, hosts, restore_stretches(schedule))

    def looks(self) -> dict[str, Look]:
        """How each object's bar is coloured, by its rate and by its set, and what is said of it."""
        steps, kinds = self._steps(), self._kinds()
        return {
            each.job.name: Look(
                f"t{steps.step(each.job.throughput_mbps)} k{kinds[self.sets[each.job.name]]}",
                self._words(each),
            )
            for each in self.streams
        }

    def legends(self) -> tuple[Legend, ...]:
        """What the bars' colours say: by rate and, where there are several sets, by set."""
        rates = [Key(f"t{step}", words) for step, words in self._steps().legend()]
        shown = [Legend("throughput in MB/s", tuple(rates))]
        kinds = self._kinds()
        if len(kinds) > 1:
            by_colour: dict[int, list[str]] = {}
            for name, kind in kinds.items():
                by_colour.setdefault(kind, []).append(name)
            keys = [Key(f"k{kind}", ", ".join(names)) for kind, names in by_colour.items()]
            shown.append(Legend("set", tuple(keys)))
        return tuple(shown)

    def table(self) -> Table:
        """Every object, in the order in which they start."""
        origin = ("<Set", "<Host") if self.hosts else ("<Set",)
        figures = ("Start", "End", "Duration", "MB/s", "Bytes", "Restore reads")
        titles = ("<Object", *origin, "<Drive", *figures)
        return Table.of("Every object of the session", titles, [self._row(each) for each in self.streams])

    def bounding(self) -> tuple[Table, ...]:
        """The longest, the largest, and those whose restores read most."""
        return (
            self._top("The longest objects", lambda each: each.end - each.start, self._duration, "Duration"),
            self._top("The largest objects", lambda each: bytes_of(each.job), self._bytes, "Bytes"),
            self._top(
                "The most stretched restores",
                lambda each: self.stretches.get(each.job.name, 0),
                self._stretch,
                "Restore reads",
            ),
        )

    def _top(
        self,
        caption: str,
        value: Callable[[Assignment], float],
        words: Callable[[Assignment], str],
        title: str,
    ) -> Table:
        first = sorted(self.streams, key=lambda each: (-value(each), each.job.name))[:SHOWN]
        rows = [(each.job.name, self._drive(each), clock(each.end), words(each)) for each in first]
        return Table.of(caption, ("<Object", "<Drive", "Ends at", title), rows)

    def _row(self, each: Assignment) -> tuple[object, ...]:
        return (
            each.job.name,
            *self._origin(each),
            self._drive(each),
            clock(each.start),
            clock(each.end),
            self._duration(each),
            f"{each.job.throughput_mbps:,.1f}",
            self._bytes(each),
            self._stretch(each),
        )

    def _origin(self, each: Assignment) -> tuple[str, ...]:
        """The set and, where objects have hosts, the host."""
        name = each.job.name
        return (self.sets[name], self.hosts.get(name, "-")) if self.hosts else (self.sets[name],)

    def _words(self, each: Assignment) -> str:
        name = each.job.name
        origin = f"set {self.sets[name]}" + (f", host {self.hosts[name]}" if name in self.hosts else "")
        return (
            f"{name}\n{clock(each.start)} to {clock(each.end)} on {self._drive(each)} "
            f"({self._duration(each)})\n{to_megabytes(each.job.rate):,.1f} MB/s, {self._bytes(each)}, "
            f"{origin}\na restore reads {self._stretch(each)} of it"
        )

    def _drive(self, each: Assignment) -> str:
        return self.schedule.drives[each.drive].name

    def _duration(self, each: Assignment) -> str:
        return duration(each.end - each.start)

    def _bytes(self, each: Assignment) -> str:
        return amount(bytes_of(each.job))

    def _stretch(self, each: Assignment) -> str:
        stretch = self.stretches.get(each.job.name)
        return times_words(stretch) if stretch else "-"

    def _steps(self) -> RateSteps:
        return RateSteps.of([each.job.throughput_mbps for each in self.streams])

    def _kinds(self) -> dict[str, int]:
        """The colour of each set; of more sets than there are colours several share one."""
        return {name: place % len(LIGHT.kinds) for place, name in enumerate(sorted(set(self.sets.values())))}
