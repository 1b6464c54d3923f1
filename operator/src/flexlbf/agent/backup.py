"""A backup: tar over the source, checksum and rate limit on the way, and the drive at the end."""

import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from flexlbf.agent.errors import AgentError, InputError, explained
from flexlbf.agent.interrupts import Interrupts, interrupts
from flexlbf.agent.manifest import Manifest, Result, utc
from flexlbf.agent.names import RunName
from flexlbf.agent.pacing import Pacer
from flexlbf.agent.tapedevice import TapeDevice, is_tape
from flexlbf.agent.tar import SECTOR, Archive, Remarks, archive
from flexlbf.agent.virtualtape import VirtualTape

DEFAULT_BLOCK_SIZE = 256 << 10
MAX_BLOCK_SIZE = 16 << 20
"""The most that Linux's tape driver takes at once."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What is backed up, and where to.

    Attributes:
        source: the directory.
        object: what the planner calls it.
        device: the drive: a directory, or a tape device.
        drive: the drive's name, for messages.
        session: a label that goes into the file's name.
        checksum_dir: where a tape device's checksums go; a directory keeps them beside the archives.
        block_size: bytes that are written at once, a multiple of 512.
        rate_limit: bytes a second, or none.
    """

    source: Path
    object: str
    device: Path
    drive: str | None = None
    session: str | None = None
    checksum_dir: Path | None = None
    block_size: int = DEFAULT_BLOCK_SIZE
    rate_limit: int | None = None

    def __post_init__(self) -> None:
        if not self.object:
            raise InputError("the object has no name: give it one")
        if self.block_size % SECTOR or not SECTOR <= self.block_size <= MAX_BLOCK_SIZE:
            raise InputError(
                f"a block of {self.block_size} bytes can't be: take a multiple of {SECTOR} up to 16Mi"
            )


@dataclass(slots=True)
class Meter:
    """How far a backup has come: bytes written, and seconds since it started."""

    started: float
    bytes: int = 0

    @property
    def seconds(self) -> float:
        """Seconds until now."""
        return time.monotonic() - self.started


@dataclass(frozen=True, slots=True)
class Report:
    """How a backup went: its run's name and result, and the first of tar's remarks."""

    name: RunName
    result: Result
    remarks: tuple[str, ...]


def back_up(
    backup: Backup, progress: Callable[[Meter], None] = lambda _: None, every: float = 10.0
) -> Report:
    """Back one directory up; must be called in the main thread, as it listens to signals.

    Args:
        backup: what, and where to.
        progress: called now and then, from another thread.
        every: seconds between its calls.

    Raises:
        AgentError: the backup failed; the drive shows no run of it.
    """
    _check_source(backup.source)
    started = datetime.now(UTC)
    meter = Meter(time.monotonic())
    digest = hashlib.sha256()
    with interrupts() as signals, _drive(backup, started, signals) as drive:
        with _reporting(progress, meter, every):
            remarks = _stream(backup, drive, meter, digest, signals)
        with signals:
            drive.seal()
        result = Result(meter.bytes, round(meter.seconds, 6), digest.hexdigest(), remarks.count)
        signals.ignore()
        drive.publish(_manifest(backup, drive.name.started, result))
    return Report(drive.name, result, tuple(remarks.lines))


def _check_source(source: Path) -> None:
    if not source.is_dir():
        raise InputError(f"there is no directory {source}: check the path, and that its volume is mounted")
    with explained(f"cannot read {source}"), os.scandir(source):
        pass


def _drive(backup: Backup, started: datetime, signals: Interrupts) -> VirtualTape | TapeDevice:
    """The drive to write to.

    Raises:
        InputError: there is no such drive, or it would be fed with what is written to it.
    """
    name = RunName.of(backup.object, started, backup.session)
    if is_tape(backup.device):
        return TapeDevice(backup.device, name, backup.checksum_dir, signals)
    if backup.device.resolve().is_relative_to(backup.source.resolve()):
        raise InputError(
            f"drive {backup.device} lies within {backup.source}, so the backup would back itself up: "
            "mount the drive elsewhere"
        )
    return VirtualTape(backup.device, name)


def _stream(
    backup: Backup,
    drive: VirtualTape | TapeDevice,
    meter: Meter,
    digest: "hashlib._Hash",
    signals: Interrupts,
) -> Remarks:
    """Run tar and write its stream, hashing each block while it is written."""
    block = memoryview(bytearray(backup.block_size))
    pacer = Pacer(backup.rate_limit)
    with archive(backup.source, backup.block_size) as tar, ThreadPoolExecutor(max_workers=1) as hasher:
        while size := _read(tar, block, signals):
            hashing = hasher.submit(digest.update, block[:size])
            with signals:
                pacer.wait(size)
                drive.write(block[:size])
            hashing.result()
            meter.bytes += size
        tar.finish()
    # A tar that is not GNU's may end with a status that means something else, but never with this.
    if not meter.bytes or meter.bytes % backup.block_size or any(block[-2 * SECTOR :]):
        raise AgentError(f"tar left no whole archive ({tar.remarks.error}): use an image with GNU tar")
    return tar.remarks


def _read(tar: Archive, block: memoryview, signals: Interrupts) -> int:
    with signals:
        return tar.stream.readinto(block)


@contextmanager
def _reporting(progress: Callable[[Meter], None], meter: Meter, every: float) -> Iterator[None]:
    """Report now and then, from a thread: a stream that stalls is when one looks."""
    done = threading.Event()

    def report() -> None:
        while not done.wait(every):
            progress(meter)

    thread = threading.Thread(target=report, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _manifest(backup: Backup, started: datetime, result: Result) -> Manifest:
    return Manifest(
        object=backup.object,
        started=utc(started),
        finished=utc(datetime.now(UTC)),
        source=str(backup.source),
        drive=backup.drive,
        session=backup.session,
        block_size=backup.block_size,
        result=result,
    )
