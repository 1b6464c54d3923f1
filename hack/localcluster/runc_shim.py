"""A container runtime for hosts that lack CAP_SYS_RESOURCE: asks runc only for what it can give.

Without the capability, runc can neither grant it (as ``--privileged`` does), nor lower a process' OOM score,
nor raise a hard limit, and refuses the container. We take these wishes out of the container's description
and then become runc. Docker gets a copy of this file as its runtime, and only on such hosts.
"""

import json
import os
import resource
import shutil
import sys
from pathlib import Path
from typing import Any

MISSING = "CAP_SYS_RESOURCE"
FLAGS_WITH_VALUE = {"--root", "--log", "--log-format", "--criu", "--rootless"}
LIMITS = {
    f"RLIMIT_{name}": getattr(resource, f"RLIMIT_{name}") for name in ("NOFILE", "NPROC", "CORE", "MEMLOCK")
}


def clean(process: dict[str, Any]) -> None:
    """Take out of a process' description what this host cannot give."""
    for kept in (process.get("capabilities") or {}).values():
        kept[:] = [capability for capability in kept if capability != MISSING]
    if (process.get("oomScoreAdj") or 0) < 0:
        process["oomScoreAdj"] = 0
    for limit in process.get("rlimits") or []:
        ours = resource.getrlimit(LIMITS[limit["type"]])[1] if limit["type"] in LIMITS else -1
        if ours != resource.RLIM_INFINITY:
            limit["hard"] = min(limit["hard"], ours)
            limit["soft"] = min(limit["soft"], ours)


def described_in(arguments: list[str]) -> Path | None:
    """The file that describes the process which these arguments of runc would start."""
    words = iter(enumerate(arguments))
    for index, word in words:
        if word in FLAGS_WITH_VALUE:
            next(words)
        elif not word.startswith("-"):
            rest = arguments[index + 1 :]
            if word in {"create", "run"}:
                return Path(option(rest, "--bundle", "-b") or ".") / "config.json"
            named = option(rest, "--process", "-p") if word == "exec" else None
            return Path(named) if named else None
    return None


def option(arguments: list[str], *names: str) -> str | None:
    """The value of an option, given as the next word or after an equals sign."""
    for index, word in enumerate(arguments):
        if word in names and index + 1 < len(arguments):
            return arguments[index + 1]
        if any(word.startswith(f"{name}=") for name in names):
            return word.split("=", 1)[1]
    return None


def main() -> None:
    """Rewrite the description, then become runc."""
    arguments = sys.argv[1:]
    path = described_in(arguments)
    if path is not None:
        document = json.loads(path.read_text())
        # a bundle holds its process under a key; `exec` is handed the process itself
        clean(document["process"] if path.name == "config.json" else document)
        path.write_text(json.dumps(document))
    runc = shutil.which("runc") or "/usr/sbin/runc"
    os.execv(runc, [runc, *arguments])  # noqa: S606 - to become runc is the point


if __name__ == "__main__":
    main()
