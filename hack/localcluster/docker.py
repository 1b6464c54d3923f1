"""What we ask of Docker: that it is there, images by name, and builds with whichever builder it has."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from localcluster import cache, daemon
from localcluster.errors import LocalClusterError
from localcluster.packages import can_install, install
from localcluster.progress import Run, say, step

ASK_SECONDS = 15
PULL_SECONDS = 900


def missing() -> str | None:
    """Why Docker cannot be used, now or after `ensure`; None when it can. Changes nothing."""
    if daemon.answers():
        return None
    if os.environ.get("DOCKER_HOST"):
        return f"DOCKER_HOST is {os.environ['DOCKER_HOST']}, and no Docker daemon answers there"
    if os.geteuid() != 0:
        return "no Docker daemon answers: install Docker, start it, and join the group docker (or be root)"
    if shutil.which("dockerd") is None and not can_install():
        return "Docker is not installed: install it with your distribution's package manager"
    return None


def ensure() -> None:
    """See to it that a Docker daemon answers; on Debian as root, install and start it when needed."""
    with cache.locked("docker"):
        if daemon.answers():
            return
        if reason := missing():
            raise LocalClusterError(reason)
        if shutil.which("dockerd") is None or shutil.which("docker") is None:
            say("Docker is missing here; installing the distribution's, since we are root on Debian.")
            install("docker.io", "iptables")
            if daemon.answers():
                return  # the package itself starts the daemon where systemd runs
        daemon.start()


def has_image(image: str) -> bool:
    """Whether the daemon has the image already."""
    return (
        subprocess.run(["docker", "image", "inspect", image], check=False, capture_output=True).returncode
        == 0
    )


def pull(image: str) -> bool:
    """Try to fetch a public image; False when no registry has it or answers in time."""
    with step(f"Looking for the public image {image}", f"under {ASK_SECONDS} s"):
        problem = _try(ASK_SECONDS, "manifest", "inspect", image)
    if problem is None:
        with step(f"Fetching {image}", "a minute or two"):
            problem = _try(PULL_SECONDS, "pull", "--quiet", image)
    if problem is not None:
        say(f"  not to be had: {problem}")
    return problem is None


def _try(seconds: int, *arguments: str) -> str | None:
    """Run docker for so long at most; None when it succeeds, else what it said."""
    try:
        done = subprocess.run(["docker", *arguments], check=False, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"no answer within {seconds} s"
    return done.stderr.decode(errors="replace").strip()[:200] if done.returncode else None


def import_tree(archive: Path, image: str, changes: list[str], run: Run) -> None:
    """Make an image of one layer from a tar archive of its file system."""
    options = [word for change in changes for word in ("--change", change)]
    run("docker", "import", *options, archive, image)


def build(context: Path, tag: str, build_args: Mapping[str, str] | None = None) -> str:
    """Build an image from a Dockerfile; where buildx is missing, with the builder that the daemon has."""
    ensure()
    log = cache.log_path("docker-build")
    log.unlink(missing_ok=True)
    with step(f"Building the image {tag}; log in {log}"):
        build_quietly(context, tag, build_args or {}, Run(log, f"docker build {context}"))
    return tag


def build_quietly(context: Path, tag: str, build_args: Mapping[str, str], run: Run) -> None:
    """`build` as part of a longer step."""
    buildx = subprocess.run(["docker", "buildx", "version"], check=False, capture_output=True).returncode == 0
    environment = {**os.environ, "DOCKER_BUILDKIT": "1" if buildx else "0"}
    options = [word for name, value in build_args.items() for word in ("--build-arg", f"{name}={value}")]
    if buildx:
        options.append("--load")  # some builders keep what they build to themselves
    replace(run, environment=environment)("docker", "build", *options, "--tag", tag, context)
