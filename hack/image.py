"""Builds the image of operator and agent, and only when something that it is made of has changed.

A docker build may reach no package registry, so the wheels are fetched on this host, for the base image's
Python and with the lock file's hashes, and the project's own wheel is built here as well.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from localcluster import baseimage, cache, docker
from localcluster.errors import LocalClusterError
from localcluster.progress import Run, say, step

ROOT = Path(__file__).resolve().parent.parent
SOURCES = (ROOT / "operator/src/flexlbf", ROOT / "operator/native")
LOCK = ROOT / "requirements/runtime.txt"
RECIPE = (ROOT / "Dockerfile", ROOT / "pyproject.toml", ROOT / "setup.py", LOCK, Path(__file__))
DESCRIPTION = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
REPOSITORY = "flexlbf-operator"
IMAGE = f"{REPOSITORY}:dev"
RETRY = "PYTHONPATH=hack python3 hack/image.py"

# What pip must know to choose wheels for another Python than the one that it runs on.
TAGS = """\
import sys
from pip._vendor.packaging.tags import platform_tags
print("%d.%d" % sys.version_info[:2], *platform_tags())
"""


def build() -> str:
    """See to it that the Docker daemon has the image of these sources, and return its name."""
    docker.ensure()
    base = baseimage.base_image()
    with cache.locked("operator-image"):
        exact = f"{REPOSITORY}:dev-{_fingerprint(base)}"
        if docker.has_image(exact):
            say(f"The image {IMAGE} is up to date.")
        else:
            _build(base, exact)
        _docker("tag", exact, IMAGE)
        _forget_all_but(exact)
    return IMAGE


def _fingerprint(base: str) -> str:
    """Changes whenever the image would."""
    recipe = [path.read_bytes() for path in RECIPE]
    trees = [part for tree in SOURCES for part in cache.tree_parts(tree)]
    return cache.fingerprint([base, *recipe, *trees])


def _build(base: str, tag: str) -> None:
    log = cache.log_path("operator-image")
    log.unlink(missing_ok=True)
    run = Run(log, RETRY, directory=ROOT)
    dependencies = _dependencies(base, run)
    with tempfile.TemporaryDirectory(prefix=".image-", dir=cache.folder(".")) as work:
        context = Path(work) / "context"
        wheels = context / "wheels"
        shutil.copytree(dependencies, wheels)
        with step("Building the project's wheel"):
            _project_wheel(Path(work) / "sources", wheels, run)
        (context / "requirements").mkdir()
        shutil.copy(ROOT / "requirements/runtime.txt", context / "requirements")
        shutil.copy(ROOT / "Dockerfile", context)
        with step(f"Building the image {IMAGE}; log in {log}", "20 s"):
            docker.build_quietly(context, tag, {"PYTHON_IMAGE": base, "REVISION": _revision()}, run)


def _dependencies(base: str, run: Run) -> Path:
    """The folder with the wheels of the lock file, fetched once for each lock file and Python."""
    version, *platforms = _docker("run", "--rm", base, "python3", "-c", TAGS).split()
    folder = ROOT / "build/wheels" / cache.fingerprint([LOCK.read_bytes(), version, *platforms])
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (
        step(f"Fetching the wheels of {LOCK.relative_to(ROOT)} for Python {version}; log in {run.log}"),
        tempfile.TemporaryDirectory(prefix=".wheels-", dir=folder.parent) as work,
    ):
        run(
            *(sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps"),
            *("--require-hashes", "--only-binary=:all:", f"--python-version={version}"),
            *(f"--platform={platform}" for platform in platforms),
            *("--dest", work, "--requirement", LOCK),
        )
        Path(work).chmod(0o755)
        shutil.copytree(work, folder)
    return folder


def _project_wheel(sources: Path, wheels: Path, run: Run) -> None:
    """Build from a copy: setuptools would find what an earlier build left in the checkout."""
    sources.mkdir()
    for name in DESCRIPTION:
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, sources)
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    for tree in SOURCES:
        shutil.copytree(tree, sources / tree.relative_to(ROOT), ignore=ignored)
    run(
        *(sys.executable, "-m", "pip", "wheel", "--disable-pip-version-check", "--no-deps"),
        *("--no-build-isolation", "--wheel-dir", wheels, sources),
    )


def _revision() -> str:
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return said.stdout.strip() or "unknown"


def _forget_all_but(tag: str) -> None:
    """Older builds would pile up; one that a container still uses stays."""
    listed = _docker("images", "--format={{.Repository}}:{{.Tag}}", REPOSITORY).split()
    old = [name for name in listed if name.startswith(f"{REPOSITORY}:dev-") and name != tag]
    if old:
        subprocess.run(["docker", "rmi", *old], check=False, capture_output=True)


def _docker(*arguments: str) -> str:
    done = subprocess.run(["docker", *arguments], check=False, capture_output=True, text=True)
    if done.returncode:
        raise LocalClusterError(f"docker {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


if __name__ == "__main__":
    try:
        print(build())
    except LocalClusterError as problem:
        say(f"error: {problem}")
        sys.exit(1)
