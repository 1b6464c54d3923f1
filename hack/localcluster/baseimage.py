"""The image with Python that our Dockerfile starts from: the public one, or one made from packages."""

import os
import tempfile
from pathlib import Path

from localcluster import cache, docker, rootfs
from localcluster.progress import Run, say, step
from localcluster.versions import DEBIAN, PYTHON_IMAGE

LOCAL_IMAGE = f"flexlbf-local/python:{DEBIAN}"
PACKAGES = ("ca-certificates", "python3", "python3-pip", "python3-venv", "tar")
# what the public image offers and Debian calls otherwise
HOOKS = ('ln -s python3 "$1"/usr/bin/python', 'rm -f "$1"/usr/lib/python3*/EXTERNALLY-MANAGED')
CHANGES = ['CMD ["python3"]', "ENV LANG=C.UTF-8", "ENV PYTHONDONTWRITEBYTECODE=1"]


def base_image() -> str:
    """The name of an image with Python that the Docker daemon has after this.

    FLEXLBF_PYTHON_IMAGE names one and skips everything.
    """
    if chosen := os.environ.get("FLEXLBF_PYTHON_IMAGE"):
        return chosen
    docker.ensure()
    with cache.locked("base-image"):
        for image in (PYTHON_IMAGE, _local_image()):
            if docker.has_image(image):
                return image
        return PYTHON_IMAGE if docker.pull(PYTHON_IMAGE) else _make(_local_image())


def _local_image() -> str:
    """Named after its recipe too, so that a changed recipe makes a new image."""
    recipe = cache.fingerprint([*PACKAGES, *HOOKS, *CHANGES, rootfs.recipe()])
    return f"{LOCAL_IMAGE}-{recipe}"


def _make(image: str) -> str:
    say("No image registry can be reached: making the image from Debian's packages instead.")
    log = cache.log_path("base-image")
    log.unlink(missing_ok=True)
    run = Run(log, "PYTHONPATH=hack python3 -m localcluster base-image")
    with tempfile.TemporaryDirectory(prefix=".base-image-", dir=cache.folder(".")) as work:
        archive = Path(work) / "root.tar"
        with step(f"Making {image}; log in {log}", "half a minute"):
            rootfs.make(archive, PACKAGES, run, *HOOKS)
            docker.import_tree(archive, image, CHANGES, run)
    return image
