"""The series of pools and drives: what they could do, and what they do."""

from collections import Counter
from collections.abc import Iterator

from flexlbf.api.v1alpha1 import TapePool
from flexlbf.cluster.drivemeter import DriveKey
from flexlbf.cluster.resources import TAPE_POOLS
from flexlbf.handlers.metrics import declared
from flexlbf.handlers.metrics.samples import Sample, Sources
from flexlbf.manifests.names import label_value
from flexlbf.planning.findings import Unplannable
from flexlbf.planning.session import pooled_drives
from flexlbf.planning.snapshot import read
from flexlbf.scheduling import Drive
from flexlbf.scheduling.units import MICROBYTES_PER_BYTE


def pool_samples(sources: Sources) -> Iterator[Sample]:
    """All series of all pools and their drives."""
    for key, raw in list(sources.state.objects[TAPE_POOLS].items()):
        name = (key.name,)
        status = raw.get("status") or {}
        for each in status.get("conditions") or ():
            if each.get("type") == "Oversubscribed":
                yield Sample(declared.OVERSUBSCRIBED, name, float(each.get("status") == "True"))
        yield Sample(declared.POOL_PEAK, name, float(status.get("peakDrives") or 0))
        try:
            pool = read(TapePool, raw)
        except Unplannable:
            continue  # its policies' statuses say so
        drives = [each.drive for each in pooled_drives(pool)]
        yield Sample(declared.POOL_DRIVES, name, float(len(drives)))
        yield from _drive_samples(sources, key.name, drives, _unavailable(pool))


def _unavailable(pool: TapePool) -> set[str]:
    return {each.drive for group in pool.spec.drives for each in group.unavailable}


def _drive_samples(sources: Sources, pool: str, drives: list[Drive], away: set[str]) -> Iterator[Sample]:
    streams: Counter[str] = Counter()
    rates: Counter[str] = Counter()
    for stream in sources.runs.streams(pool):
        streams[stream.drive] += 1
        rates[stream.drive] += stream.rate
    for drive in drives:
        labels = (pool, drive.name)
        busy = sources.runs.meter.busy(DriveKey(label_value(pool), drive.name))
        yield Sample(declared.DRIVE_STREAMS, labels, float(streams[drive.name]))
        yield Sample(declared.DRIVE_RATE, labels, rates[drive.name] / MICROBYTES_PER_BYTE)
        yield Sample(declared.DRIVE_BUSY, labels, busy)
        yield Sample(declared.DRIVE_MAX_RATE, labels, drive.max_rate / MICROBYTES_PER_BYTE)
        yield Sample(declared.DRIVE_MAX_AGENTS, labels, float(drive.max_agents))
        yield Sample(declared.DRIVE_AVAILABLE, labels, float(drive.name not in away))
