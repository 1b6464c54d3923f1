"""From sets and their history to the jobs of a session (section III.B of the paper)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median_low

from flexlbf.api.v1alpha1 import BackupObject, BackupSet, Source
from flexlbf.history import CsvError, CsvWorkload, Measurement, estimate, read_workload
from flexlbf.planning.findings import Reason, Unplannable
from flexlbf.scheduling import Job
from flexlbf.scheduling.model import on_host
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE, NANOSECONDS

NANOSECONDS_PER_MILLISECOND = 1_000_000
NO_CSV = CsvWorkload({}, {}, {})


@dataclass(frozen=True, slots=True)
class PlannableObject:
    """An object, what is known of it and where it comes from.

    Attributes:
        job: what the scheduler plans, an assumption if not `measured`.
        size: bytes of its latest backup, or of its estimate.
        measured: whether there is history or an estimate.
    """

    job: Job
    backup_set: str
    source: Source
    size: int
    measured: bool


@dataclass(frozen=True, slots=True)
class _Known:
    job: Job
    size: int


def plannable_objects(
    sets: Sequence[BackupSet], config_maps: Mapping[str, Mapping[str, str]], per_host: int | None = None
) -> tuple[PlannableObject, ...]:
    """The objects of all sets, each with its job.

    An object without history or estimate is assumed to be as long and as fast as the median of those that
    have one: it must be backed up to be measured. Its host is what the set says, or else its history.

    Args:
        sets: the policy's.
        config_maps: what they have their history from, by name.
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
            found.append((backup_set.metadata.name, each, _known(each, backup_set, csv)))
            hosts[each.name] = each.host or csv.hosts.get(each.name)
    assumed = _assumption([known for _, _, known in found if known], [each.name for _, each, _ in found])
    plannable = [_plannable(owner, each, known, assumed) for owner, each, known in found]
    return tuple(replace(each, job=on_host(each.job, hosts[each.job.name], per_host)) for each in plannable)


def _plannable(owner: str, each: BackupObject, known: _Known | None, assumed: _Known) -> PlannableObject:
    job = known.job if known else replace(assumed.job, name=each.name)
    source = each.source or Source(value=each.name)
    return PlannableObject(job, owner, source, (known or assumed).size, known is not None)


def _require_unique(name: str, owner: str, origin: dict[str, str]) -> None:
    if name in origin:
        raise Unplannable(
            Reason.DUPLICATE_OBJECT,
            f"object {name!r} is in BackupSet {origin[name]!r} and again in {owner!r}: keep it in one of "
            "them, or name the two apart",
        )
    origin[name] = owner


def _known(each: BackupObject, backup_set: BackupSet, csv: CsvWorkload) -> _Known | None:
    runs = [*_measurements(each), *csv.measurements.get(each.name, ())]
    if runs:
        latest = max(runs, key=lambda run: (run.start, run.duration, run.size))
        return _Known(estimate(each.name, runs, backup_set.spec.estimator.window), latest.size)
    if each.estimate:
        duration = each.estimate.duration.milliseconds * NANOSECONDS_PER_MILLISECOND
        return _sized(Job(each.name, duration, each.estimate.throughput * MICROBYTES_PER_BYTE))
    return _sized(csv.estimates[each.name]) if each.name in csv.estimates else None


def _sized(job: Job) -> _Known:
    return _Known(job, job.duration * job.rate // (NANOSECONDS * MICROBYTES_PER_BYTE))


def _measurements(each: BackupObject) -> Iterator[Measurement]:
    for run in each.history:
        yield Measurement(run.start, run.duration.milliseconds * NANOSECONDS_PER_MILLISECOND, run.bytes)


def _assumption(known: Sequence[_Known], names: Sequence[str]) -> _Known:
    if known:
        job = Job(
            "assumed",
            median_low(each.job.duration for each in known),
            median_low(each.job.rate for each in known),
        )
        return _sized(job)
    if names:
        raise Unplannable(
            Reason.NO_HISTORY,
            f"none of the {len(names)} objects has history or an estimate: give spec.objects[].estimate in "
            f"the BackupSet, for instance for {names[0]!r} {{duration: 1h, throughput: 20M}}",
        )
    return _Known(Job("assumed", NANOSECONDS, 0), 0)


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
