"""Images that hold one program, and the names under which kubeadm looks for them."""

import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from localcluster.errors import LocalClusterError
from localcluster.versions import KUBERNETES

# Kubernetes starts its own programs by name; the others are given arguments only.
ENTRYPOINTS = {"coredns": "/coredns", "pause": "/pause"}


def wanted_by(kubeadm: Path) -> dict[str, str]:
    """The images that kubeadm asks for, by the program in them."""
    listed = subprocess.run(
        [kubeadm, "config", "images", "list", "--kubernetes-version", KUBERNETES],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    return {image.rsplit("/", 1)[1].split(":")[0]: image for image in listed}


def import_program(program: Path, image: str) -> None:
    """Make an image that holds a statically linked program and nothing else."""
    name = program.name
    inside = ENTRYPOINTS.get(name, f"/usr/local/bin/{name}")
    changes = ["ENV PATH=/usr/local/bin:/usr/bin:/bin"]
    if name in ENTRYPOINTS:
        changes.append(f'ENTRYPOINT ["{inside}"]')
    options = [word for change in changes for word in ("--change", change)]
    with subprocess.Popen(
        ["docker", "import", *options, "-", image], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as importing:
        assert importing.stdin is not None
        with importing.stdin as stream:
            _write_layer(stream, {inside: program})
    if importing.returncode:
        raise LocalClusterError(f"docker import of {image} failed (exit code {importing.returncode})")


def _write_layer(stream: IO[bytes], files: Mapping[str, Path]) -> None:
    with tarfile.open(fileobj=stream, mode="w|") as layer:
        scratch = tarfile.TarInfo("tmp")
        scratch.type, scratch.mode = tarfile.DIRTYPE, 0o1777
        layer.addfile(scratch)
        for inside, source in files.items():
            entry = layer.gettarinfo(str(source), arcname=inside.lstrip("/"))
            entry.uid = entry.gid = 0
            with source.open("rb") as content:
                layer.addfile(entry, content)
