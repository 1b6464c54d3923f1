"""The browser for the tests of pages: the one that is there, or Debian's, installed where we are root."""

import os
import shutil
import sys

from localcluster import packages
from localcluster.errors import LocalClusterError

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("chromium", "fonts-noto-core")
"""A browser without a font shows no text."""


class NoBrowserError(Exception):
    """There is no browser, and why."""


def chromium() -> str:
    """The path of a Chromium: $FLEXLBF_CHROMIUM, or the first that is installed; raises NoBrowserError."""
    given = os.environ.get("FLEXLBF_CHROMIUM")
    found = given or next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if found is None:
        raise NoBrowserError(
            "there is no Chromium: install one (on Debian: apt-get install chromium), or name one in "
            "$FLEXLBF_CHROMIUM"
        )
    return found


def provide() -> str:
    """Likewise, installed from Debian's packages if it is missing and can be; raises NoBrowserError."""
    try:
        return chromium()
    except NoBrowserError:
        if not packages.can_install():
            raise
    try:
        packages.install(*PACKAGES)
    except LocalClusterError as error:
        raise NoBrowserError(str(error)) from error
    return chromium()


def main() -> int:
    """Say which browser there is, once it is there."""
    try:
        print(f"The browser is {provide()}")
    except NoBrowserError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
