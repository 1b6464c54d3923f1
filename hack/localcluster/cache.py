"""The folder where everything built is kept, one directory for each component and version.

Two processes never build the same thing twice, and nobody meets a half-built thing: a build runs under a
file lock, in a directory of its own that is renamed into place when it is complete.
"""

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


def root() -> Path:
    """Where the cache is: FLEXLBF_CACHE, else the user's cache folder."""
    if chosen := os.environ.get("FLEXLBF_CACHE"):
        return Path(chosen).expanduser().resolve()
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return Path(shared) / "flexlbf"
    return Path.home() / ".cache" / "flexlbf"


def folder(name: str) -> Path:
    """A working folder inside the cache, made when it is missing."""
    path = root() / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def log_path(name: str) -> Path:
    """Where the build of ``name`` writes what its tools say."""
    return folder("logs") / f"{name}.log"


def fingerprint(parts: Iterable[bytes | str]) -> str:
    """Twelve hexadecimal digits that change whenever any part changes."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:12]


def tree_parts(directory: Path) -> Iterator[bytes | str]:
    """Names, modes and contents of all files below a directory, in a fixed order, for `fingerprint`."""
    for path in sorted(directory.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(directory).as_posix()
            yield "x" if os.access(path, os.X_OK) else "-"
            yield path.read_bytes()


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Hold the lock called ``name``; the kernel drops it when the holder dies."""
    with (folder("locks") / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def provide(name: str, build: Callable[[Path], None]) -> Path:
    """The cached directory ``name``; when it is missing, ``build`` fills an empty one first."""
    final = root() / name
    if final.exists():
        return final
    with locked(name):
        if final.exists():  # another process built it while we waited
            return final
        work = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=folder(".")))
        try:
            build(work)
            work.chmod(0o755)
            work.rename(final)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return final
