"""Makes the files of the demo's objects; runs as it is in a pod, with a JSON list as its argument."""

import json
import os
import random
import sys
from pathlib import Path

AGENT = 65532
SUFFIXES = ("bin", "log", "tar.gz", "txt")


def fill(folder: Path, total: int, seed: str) -> None:
    """Fill a folder with files of `total` bytes together, the same for the same seed, and oddities."""
    chance = random.Random(seed)  # noqa: S311 - reproducible
    left = total
    number = 0
    while left:
        size = min(left, chance.randrange(total // 60 + 1, total // 12 + 2))
        below = folder / f"{chance.choice('abc')}" / f"{chance.randrange(4)}"
        below.mkdir(parents=True, exist_ok=True)
        (below / f"file-{number:03}.{chance.choice(SUFFIXES)}").write_bytes(chance.randbytes(size))
        left -= size
        number += 1
    (folder / "empty folder").mkdir(exist_ok=True)
    (folder / "naïve name.txt").write_text("names needn't be ASCII\n")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o750)
    link = folder / "newest"
    link.unlink(missing_ok=True)
    link.symlink_to("naïve name.txt")


def give_away(folder: Path) -> None:
    """Let the agent's user own a folder and all below it."""
    for path, _, files in os.walk(folder):
        for name in (path, *(os.path.join(path, file) for file in files)):  # noqa: PTH118 - as os.walk has it
            os.chown(name, AGENT, AGENT, follow_symlinks=False)


def main() -> None:
    """Make what is asked for: folders with so many bytes, and, with none, empty ones."""
    for each in json.loads(sys.argv[1]):
        folder = Path(each["path"])
        folder.mkdir(parents=True, exist_ok=True)
        if each["bytes"]:
            fill(folder, each["bytes"], each["path"])
        give_away(folder)
        print(f"{folder}: {each['bytes'] / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
