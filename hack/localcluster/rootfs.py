"""Debian file systems from packages, for images where no image registry can be reached."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from localcluster import cache
from localcluster.errors import LocalClusterError
from localcluster.packages import can_install, install
from localcluster.progress import Run
from localcluster.versions import DEBIAN

UNWANTED = ("doc", "man", "info", "locale", "i18n/locales", "lintian")


def recipe() -> str:
    """Changes whenever `make` would make something else of the same packages."""
    return cache.fingerprint([DEBIAN, Path(__file__).read_bytes()])


def ensure_tool() -> None:
    """See to it that mmdebstrap is there."""
    if shutil.which("mmdebstrap"):
        return
    if not can_install():
        raise LocalClusterError(
            "mmdebstrap is needed to make an image from packages, because no image registry can be reached: "
            "install it and run this as root, or name an image that exists (see --help)"
        )
    install("mmdebstrap", "debian-archive-keyring")


def make(archive: Path, packages: Sequence[str], run: Run, *hooks: str) -> None:
    """Write a minimal Debian with these packages into a tar archive, without documentation and caches."""
    ensure_tool()
    excluded = [f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in UNWANTED]
    emptied = [f'rm -rf "$1"/{folder}/*' for folder in ("var/lib/apt/lists", "var/cache/apt", "var/log")]
    run(
        "mmdebstrap",
        "--variant=minbase",
        f"--include={','.join(packages)}",
        '--aptopt=APT::Install-Recommends "false"',
        *excluded,
        *(f"--customize-hook={hook}" for hook in (*hooks, *emptied)),
        DEBIAN,
        archive,
    )
