"""What would help a policy's session: changes, each simulated, with what they would bring."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from flexlbf.planning.reasons import Case
from flexlbf.planning.wording import count_of, duration
from flexlbf.scheduling import Drive, Job, longest_first, simulate, with_agents
from flexlbf.scheduling.units import to_megabytes
from flexlbf.tuning import Tuner

MOST_DRIVES = 256
"""More drives are not thought of."""

SHOWN = 3


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that was simulated.

    Attributes:
        change: which: `split`, `drive`, `agent`, `host`, `longer`, `drives` or `window`.
        words: the change and what it brings.
        makespan: nanoseconds that the session then takes.
        fits: whether it then fits the window, None without one.
    """

    change: str
    words: str
    makespan: int
    fits: bool | None


def remedies(case: Case) -> tuple[Remedy, ...]:
    """What would make the session fit its window, or shorter, or its settings fewer."""
    return tuple(_Remedies(case).all())


class _Remedies:
    def __init__(self, case: Case) -> None:
        self._case, self._window = case, case.window
        self._now = case.chosen.makespan

    def all(self) -> Iterator[Remedy]:
        """Those for a session that overruns first."""
        if self._window is not None and self._now > self._window:
            yield from self._for_the_window(self._window)
        yield self._split()
        yield self._drive()
        if self._case.chosen.max_agents < len(self._case.jobs):
            yield self._agent()
        if self._case.chosen.bound.host:
            yield self._host()
        yield from self._longer()

    def _for_the_window(self, window: int) -> Iterator[Remedy]:
        yield self._told("window", f"A window of {duration(self._now)} would be long enough", self._now)
        long = [job for job in longest_first(self._case.chosen.schedule.jobs) if job.duration > window]
        if long:
            names = ", ".join(job.name for job in long[:SHOWN])
            more = f" and {len(long) - SHOWN:,} more" if len(long) > SHOWN else ""
            words = (
                f"Without splitting {names}{more} no drives or agents help: "
                f"{'it takes' if len(long) == 1 else 'each takes'} longer than the window alone"
            )
            yield self._told("split", words, long[0].duration)
            return
        found = self._fewest_drives(window)
        if found:
            drives, makespan = found
            words = f"{count_of(drives, 'drive')} in the pool would meet the window with {duration(makespan)}"
            yield self._told("drives", words, makespan)

    def _fewest_drives(self, window: int) -> tuple[int, int] | None:
        few = len(self._case.allowed)
        enough = min(MOST_DRIVES, len(self._case.jobs))

        def makespan(drives: int) -> int:
            return self._simulated(self._case.jobs, self._grown(drives))

        if enough <= few or makespan(enough) > window:
            return None
        while enough - few > 1:
            middle = (few + enough) // 2
            few, enough = (few, middle) if makespan(middle) <= window else (middle, enough)
        return enough, makespan(enough)

    def _grown(self, drives: int) -> tuple[Drive, ...]:
        """All drives allowed, and copies of the fastest up to a number."""
        allowed = self._case.allowed
        fastest = max(allowed, key=lambda drive: drive.max_rate)
        added = (replace(fastest, name=f"{fastest.name}+{n}") for n in range(1, drives - len(allowed) + 1))
        return (*allowed, *added)

    def _split(self) -> Remedy:
        longest = self._case.longest
        half = -(-longest.duration // 2)
        halves = [replace(longest, name=f"{longest.name} (part {part})", duration=half) for part in (1, 2)]
        others = [job for job in self._case.jobs if job.name != longest.name]
        words = (
            f"Splitting {longest.name}, the longest object ({duration(longest.duration)}), in two equal parts"
        )
        return self._replanned("split", words, [*others, *halves], self._case.allowed)

    def _drive(self) -> Remedy:
        """One that is free is just added: the objective does without it. With a new one is planned anew."""
        chosen, pool = self._case.chosen, self._case.session.pool
        used = {each.name for each in chosen.drives}
        free = [each for each in pool if each.name not in used]
        fastest = max(free or pool, key=lambda each: each.max_rate)
        rate = f"of {to_megabytes(fastest.max_rate):g} MB/s"
        added = replace(fastest, name=f"{fastest.name}+1")
        if not free:
            words = f"A drive more in the pool, {rate},"
            return self._replanned("drive", words, self._case.jobs, (*self._case.allowed, added))
        makespan = self._simulated(self._case.jobs, with_agents((*chosen.drives, added), chosen.max_agents))
        words = f"Another drive of the pool, {rate}, would {self._effect(makespan)}"
        return self._told("drive", words, makespan)

    def _agent(self) -> Remedy:
        chosen = self._case.chosen
        drives = tuple(replace(each, max_agents=each.max_agents + 1) for each in chosen.drives)
        makespan = self._simulated(self._case.jobs, drives)
        words = f"One agent more a drive would {self._effect(makespan)}, and restores would read more"
        return self._told("agent", words, makespan)

    def _host(self) -> Remedy:
        jobs = [
            replace(job, host=job.host._replace(max_streams=job.host.max_streams + 1)) if job.host else job
            for job in self._case.jobs
        ]
        return self._replanned("host", "One stream more a host", jobs, self._case.allowed)

    def _longer(self) -> Iterator[Remedy]:
        """Settings for a longer session are worth naming where they take less."""
        chosen = self._case.chosen
        for other in self._case.session.tuning.alternatives:
            if (len(other.drives), other.max_agents) < (len(chosen.drives), chosen.max_agents):
                drives, agents = count_of(len(other.drives), "drive"), count_of(other.max_agents, "agent")
                words = f"A session of {duration(other.makespan)} would do with {drives} and at most {agents}"
                yield self._told("longer", words, other.makespan)

    def _replanned(self, change: str, words: str, jobs: Sequence[Job], drives: Sequence[Drive]) -> Remedy:
        """What would be planned then, to the same objective."""
        case = self._case
        tuner = Tuner(jobs, drives, case.scheduler, start_grid=case.grid)
        setting = tuner.tune(case.chosen.objective)
        number, agents = len(setting.drives), setting.max_agents
        effect = self._effect(setting.makespan)
        if (number, agents) != (case.drives, case.chosen.max_agents):
            effect += f", on {count_of(number, 'drive')} with at most {count_of(agents, 'agent')}"
        return self._told(change, f"{words} would {effect}", setting.makespan)

    def _simulated(self, jobs: Sequence[Job], drives: Sequence[Drive]) -> int:
        case = self._case
        return simulate(jobs, drives, case.scheduler, start_grid=case.grid).makespan

    def _effect(self, makespan: int) -> str:
        saved = self._now - makespan
        if saved > 0:
            return f"save {duration(saved)}: the session would take {duration(makespan)}"
        return "save no time" if saved == 0 else f"make the session {duration(-saved)} longer"

    def _told(self, change: str, words: str, makespan: int) -> Remedy:
        fits = None if self._window is None else makespan <= self._window
        return Remedy(change, f"{words}.", makespan, fits)
