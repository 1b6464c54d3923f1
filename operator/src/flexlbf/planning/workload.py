"""From sets and their history to the jobs of a session (section III.B of the paper)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median_low

from flexlbf.api.v1alpha1 import BackupObject, BackupSet, Source
from flexlbf.history import CsvError, CsvWorkload, Measurement, estimate, lateness, read_workload
from flexlbf.history.ledger import RecordedRun
from flexlbf.planning.findings import Reason, Unplannable
from flexlbf.planning.snapshot import Histories
from flexlbf.scheduling import Job
from flexlbf.scheduling.model import on_host
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE, NANOSECONDS, NANOSECONDS_PER_MILLISECOND

NO_CSV = CsvWorkload({}, {}, {})
NO_HISTORIES: Histories = {}


@dataclass(frozen=True, slots=True)
class PlannableObject:
    """An object, what is known of it and where it comes from.

    Attributes:
        job: what the scheduler plans, an assumption if not `measured`.
        size: bytes of its latest backup, or of its estimate.
        measured: whether there is history or an estimate.
        host: the machine that it is on, None if nobody says.
    """

    job: Job
    backup_set: str
    source: Source
    size: int
    measured: bool
    host: str | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of an object: of its rate maybe nothing, if no backup said how much it wrote."""

    job: Job
    size: int | None
    has_rate: bool = True


def plannable_objects(
    sets: Sequence[BackupSet],
    config_maps: Mapping[str, Mapping[str, str]],
    histories: Histories = NO_HISTORIES,
    per_host: int | None = None,
) -> tuple[PlannableObject, ...]:
    """The objects of all sets, each with its job.

    An object without history or estimate is assumed to be as long and as fast as the median of those that
    have one: it must be backed up to be measured. Its host is what the set says, or else its history.

    Args:
        sets: the sets, in the order in which their objects come.
        config_maps: the data of the ConfigMaps that they have history from, by name.
        histories: the runs that the operator recorded.
        per_host: how many streams at a time the objects of a host may have together.

    Raises:
        Unplannable: two objects of one name, no history at all, or history that can't be read.
    """
    origin: dict[str, str] = {}
    hosts: dict[str, str | None] = {}
    found: list[tuple[str, BackupObject, _Known | None]] = []
    for backup_set in sets:
        csv = _history_csv(backup_set, config_maps)
        for each in backup_set.spec.objects:
            _require_unique(each.name, backup_set.metadata.name, origin)
            recorded = histories.get(backup_set.metadata.name, {}).get(each.name, ())
            found.append((backup_set.metadata.name, each, _known(each, backup_set, csv, recorded)))
            hosts[each.name] = each.host or csv.hosts.get(each.name)
    assumed = _assumption([known for _, _, known in found if known], [each.name for _, each, _ in found])
    plannable = [_plannable(owner, each, known, assumed) for owner, each, known in found]
    return tuple(_on_host(each, hosts[each.job.name], per_host) for each in plannable)


def _on_host(each: PlannableObject, host: str | None, per_host: int | None) -> PlannableObject:
    return replace(each, host=host, job=on_host(each.job, host, per_host))


def _plannable(owner: str, each: BackupObject, known: _Known | None, assumed: _Known) -> PlannableObject:
    duration = known.job.duration if known else assumed.job.duration
    rate = known.job.rate if known and known.has_rate else assumed.job.rate
    job = Job(each.name, duration, rate)
    source = each.source or Source(value=each.name)
    size = known.size if known and known.size is not None else _size(job)
    return PlannableObject(job, owner, source, size, known is not None)


def _require_unique(name: str, owner: str, origin: dict[str, str]) -> None:
    if name in origin:
        raise Unplannable(
            Reason.DUPLICATE_OBJECT,
            f"object {name!r} is in BackupSet {origin[name]!r} and again in {owner!r}: keep it in one of "
            "them, or name the two apart",
        )
    origin[name] = owner


def _known(
    each: BackupObject, backup_set: BackupSet, csv: CsvWorkload, recorded: Sequence[RecordedRun]
) -> _Known | None:
    given = _given(each, csv)
    runs = _merged([*_measurements(each), *csv.measurements.get(each.name, ())], recorded)
    if not runs:
        return _Known(given, _size(given)) if given else None
    window = backup_set.spec.estimator.window
    job = estimate(each.name, runs, window, unknown_rate=given.rate if given else 0)
    sized = [run for run in runs if run.size is not None]
    latest = max(sized, key=lateness).size if sized else None
    return _Known(job, latest, has_rate=bool(sized or given))


def _given(each: BackupObject, csv: CsvWorkload) -> Job | None:
    """The estimate that somebody has given."""
    if each.estimate:
        duration = each.estimate.duration.milliseconds * NANOSECONDS_PER_MILLISECOND
        return Job(each.name, duration, each.estimate.throughput * MICROBYTES_PER_BYTE)
    return csv.estimates.get(each.name)


def _merged(given: list[Measurement], recorded: Sequence[RecordedRun]) -> list[Measurement]:
    """All measurements of an object; of two that began at one instant the one that the operator made."""
    starts = {run.start for run in recorded}
    measured = [Measurement(run.start, run.duration, run.size) for run in recorded]
    return [run for run in given if run.start not in starts] + measured


def _size(job: Job) -> int:
    return job.duration * job.rate // (NANOSECONDS * MICROBYTES_PER_BYTE)


def _measurements(each: BackupObject) -> Iterator[Measurement]:
    for run in each.history:
        yield Measurement(run.start, run.duration.milliseconds * NANOSECONDS_PER_MILLISECOND, run.bytes)


def _assumption(known: Sequence[_Known], names: Sequence[str]) -> _Known:
    if known:
        rates = [each.job.rate for each in known if each.has_rate]
        duration = median_low(each.job.duration for each in known)
        return _Known(Job("assumed", duration, median_low(rates) if rates else 0), None)
    if names:
        raise Unplannable(
            Reason.NO_HISTORY,
            f"none of the {len(names)} objects has history or an estimate: give spec.objects[].estimate in "
            f"the BackupSet, for instance for {names[0]!r} {{duration: 1h, throughput: 20M}}",
        )
    return _Known(Job("assumed", NANOSECONDS, 0), None)


def _history_csv(backup_set: BackupSet, config_maps: Mapping[str, Mapping[str, str]]) -> CsvWorkload:
    origin = backup_set.spec.history_from
    if origin is None:
        return NO_CSV
    where = f"ConfigMap {origin.config_map!r}"
    if origin.config_map not in config_maps:
        raise Unplannable(
            Reason.HISTORY_NOT_FOUND,
            f"there is no {where}, from which BackupSet {backup_set.metadata.name!r} has its history: "
            "create it or change spec.historyFrom",
        )
    data = config_maps[origin.config_map]
    if origin.key not in data:
        raise Unplannable(
            Reason.HISTORY_NOT_FOUND,
            f"{where} has no key {origin.key!r}, which BackupSet {backup_set.metadata.name!r} names: add "
            "it or change spec.historyFrom.key",
        )
    try:
        return read_workload(data[origin.key], f"{origin.config_map}/{origin.key}")
    except CsvError as error:
        raise Unplannable(Reason.INVALID_HISTORY, f"{where}: {error}") from error
