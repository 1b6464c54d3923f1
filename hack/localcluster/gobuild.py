"""Kubernetes' own programs, built from Go modules whose checksums are pinned beside this file.

Where no registry can be reached, the Go module proxy usually can; and the same programs serve the bare
control plane and kind's node image.
"""

import json
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from localcluster import cache
from localcluster.errors import LocalClusterError
from localcluster.packages import can_install, candidate_version, install
from localcluster.progress import Run, step
from localcluster.versions import CRI_TOOLS, KUBERNETES, MAJOR, MINIMUM_GO, MINOR, ProgramSet

MODULES = Path(__file__).parent / "files" / "modules"
RETRY = "PYTHONPATH=hack python3 -m localcluster build"


def programs(wanted: ProgramSet) -> Path:
    """The folder that holds the programs of a set, built when they are missing.

    FLEXLBF_KUBE_BIN names a folder of ready-made programs and skips the build.
    """
    if ready := os.environ.get("FLEXLBF_KUBE_BIN"):
        missing = [name for name in wanted.programs if not os.access(Path(ready, name), os.X_OK)]
        if not missing:
            return Path(ready)
        raise LocalClusterError(f"FLEXLBF_KUBE_BIN is {ready}, which lacks {', '.join(missing)}")
    return cache.provide(key(wanted), lambda target: _build(wanted, target))


def is_built(wanted: ProgramSet) -> bool:
    """Whether `programs` would answer at once."""
    return bool(os.environ.get("FLEXLBF_KUBE_BIN")) or (cache.root() / key(wanted)).exists()


def key(wanted: ProgramSet) -> str:
    """The name of the set's cache entry: its version, and a hash of all that the build is made of."""
    parts = [linker_flags(wanted), platform.machine(), *wanted.programs.values(), *wanted.tags]
    recipe = cache.fingerprint([*parts, *cache.tree_parts(MODULES / wanted.module)])
    return f"{wanted.name}-{wanted.version}-{recipe}"


def linker_flags(wanted: ProgramSet) -> str:
    """Small programs that report their version: without it, clients complain about the server."""
    facts = {
        "gitVersion": KUBERNETES,
        "gitMajor": MAJOR,
        "gitMinor": MINOR,
        "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z",
    }
    packages = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
    flags = [f"-X {package}.{fact}={value}" for package in packages for fact, value in facts.items()]
    flags.append(f"-X sigs.k8s.io/cri-tools/pkg/version.Version={CRI_TOOLS}")
    flags += [f"-X {variable}={value}" for variable, value in wanted.facts]
    return " ".join(["-s", "-w", *flags])


def module_directory(module: str, pinned_by: str = "kubernetes") -> Path:
    """Where Go keeps the sources of a module that one of ours pins, fetched when they are missing."""
    answer = subprocess.run(
        [find_go(), "mod", "download", "-json", module],
        cwd=MODULES / pinned_by,
        env=_environment(),
        check=False,
        capture_output=True,
        text=True,
    )
    if answer.returncode:
        raise LocalClusterError(f"go cannot fetch the module {module}: {answer.stdout}{answer.stderr}")
    return Path(json.loads(answer.stdout)["Dir"])


def find_go() -> str:
    """The `go` command, installed from the distribution when that is allowed and new enough."""
    go = shutil.which("go")
    if go is None and can_install() and candidate_version("golang-go") >= MINIMUM_GO:
        install("golang-go")
        go = shutil.which("go")
    needed = ".".join(map(str, MINIMUM_GO))
    if go is None:
        raise LocalClusterError(
            f"Go {needed} or later is needed to build Kubernetes' programs, and there is none on the PATH. "
            "Install it from go.dev or your distribution, or name a folder of ready-made programs in "
            "FLEXLBF_KUBE_BIN."
        )
    said = subprocess.run([go, "version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"go(\d+)\.(\d+)", said)
    if found and (int(found[1]), int(found[2])) < MINIMUM_GO:
        raise LocalClusterError(f"Go {needed} or later is needed; {go} is {found[1]}.{found[2]}.")
    return go


def _environment() -> dict[str, str]:
    """The person's environment with what would change the outcome set aside."""
    return {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "", "GOWORK": "off"}


def _build(wanted: ProgramSet, target: Path) -> None:
    go = find_go()
    log = cache.log_path(key(wanted))
    log.unlink(missing_ok=True)
    run = Run(log, RETRY, MODULES / wanted.module, _environment())
    flags = ["-mod=readonly", "-buildvcs=false", "-trimpath", "-ldflags", linker_flags(wanted)]
    flags += ["-tags", ",".join(wanted.tags)] if wanted.tags else []
    alike = [package for name, package in wanted.programs.items() if package.endswith(f"/{name}")]
    minutes = wanted.usual_minutes
    with step(f"Building {', '.join(wanted.programs)}; log in {log}", f"up to {minutes} min, once"):
        run(go, "build", *flags, "-o", f"{target}/", *alike)
        for name, package in wanted.programs.items():
            if package not in alike:  # a package called v3 would make a program called v3
                run(go, "build", *flags, "-o", target / name, package)
